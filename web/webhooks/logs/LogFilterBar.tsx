import clsx from 'clsx'
import { Search, SlidersHorizontal, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { CLIENT_EVENTS, DELIVERABLE_EVENTS } from '#core/contract/events.ts'
import { SEARCH_MINIMUM } from '#web/api/lead-search.ts'
import type { LogFilter } from '../queries/log-filter.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { MomentInput } from './MomentInput.tsx'

const STATUSES = [
  { value: '', label: 'All statuses' },
  { value: 'delivered', label: 'Success' },
  { value: 'failed', label: 'Failed' },
  { value: 'pending', label: 'Pending' },
  { value: 'cancelled', label: 'Cancelled' },
]
const EVENTS = [
  { value: '', label: 'All events' },
  ...[...DELIVERABLE_EVENTS, ...CLIENT_EVENTS].map((event) => ({ value: event as string, label: event })),
]
const PERIODS = [
  { value: '', label: 'Any time' },
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: 'range', label: 'Between…' },
]
const DEBOUNCE_MS = 250

export interface LogFilterBarProps {
  filter: LogFilter
  /** Number of filters that are set. */
  count: number
  onChange: (changed: Partial<LogFilter>) => void
  onClear: () => void
}

export function LogFilterBar({ filter, count, onChange, onClear }: LogFilterBarProps) {
  const [text, setText] = useState(filter.search)
  const [isOpen, setOpen] = useState(false)
  const [isRange, setRange] = useState(filter.from !== '' || filter.to !== '')
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(typing.current), [])

  const changeText = (next: string) => {
    setText(next)
    clearTimeout(typing.current)
    const typed = next.trim()
    // A text that is too short clears the search, because the old results would pass for its own.
    const search = typed.length < SEARCH_MINIMUM ? '' : typed
    typing.current = setTimeout(() => onChange({ search }), DEBOUNCE_MS)
  }
  const changePeriod = (period: string) => {
    setRange(period === 'range')
    onChange({ period: period === 'range' ? '' : period, from: '', to: '' })
  }
  const clear = () => {
    clearTimeout(typing.current)
    setText('')
    setRange(false)
    onClear()
  }

  const chosen = clsx('w-auto! sm:flex', isOpen ? 'flex' : 'hidden!  sm:flex!')
  return (
    <div
      role="search"
      aria-label="Filter delivery logs"
      className="grid flex-1 grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap"
    >
      <div className="col-span-2 flex min-w-0 flex-wrap gap-2">
        <div className="relative min-w-0 flex-1 basis-32 sm:w-52 sm:flex-none">
          <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-faint" />
          <TextInput
            type="search"
            aria-label="Lead, id or error"
            placeholder="Lead, id or error"
            value={text}
            maxLength={200}
            onChange={(event) => changeText(event.target.value)}
            className="h-8! pl-8!"
          />
        </div>
        <Button
          size="sm"
          className="sm:hidden"
          icon={<SlidersHorizontal aria-hidden className="size-4" />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          Filters{count > 0 ? ` (${count})` : ''}
        </Button>
      </div>
      <Select
        aria-label="Status"
        value={filter.status}
        onValueChange={(status) => onChange({ status })}
        options={STATUSES}
        className={clsx('h-8!', chosen)}
      />
      <Select
        aria-label="Event"
        value={filter.event_type}
        onValueChange={(event_type) => onChange({ event_type })}
        options={EVENTS}
        className={clsx('h-8!', chosen)}
      />
      <Select
        aria-label="Time"
        value={isRange ? 'range' : filter.period}
        onValueChange={changePeriod}
        options={PERIODS}
        className={clsx('h-8!', chosen)}
      />
      {isRange && (
        <div className={clsx('col-span-2 flex-wrap items-center gap-2 text-sm text-muted', chosen)}>
          <MomentInput label="From" value={filter.from} onChange={(from) => onChange({ from })} />
          <span aria-hidden>–</span>
          <MomentInput label="To" value={filter.to} onChange={(to) => onChange({ to })} />
        </div>
      )}
      {count > 0 && (
        <Button
          variant="quiet"
          size="sm"
          className="justify-self-start px-2! tight:col-span-2"
          icon={<X aria-hidden className="size-4" />}
          onClick={clear}
        >
          Clear filters
        </Button>
      )}
    </div>
  )
}
