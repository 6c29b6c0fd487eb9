import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { DISPOSITIONS, LEAD_STATUSES } from '#core/contract/leads/lead.ts'
import { STATE_NAMES } from '#core/domain/leads/us-states.ts'
import { NO_FILTERS, type LeadFilters } from './lead-filters.ts'
import { describeNarrowing } from './describe-narrowing.ts'
import { words } from '../format/words.ts'
import { Button } from '../ui/action/Button.tsx'
import { Select } from '../ui/form/Select.tsx'
import { Badge } from '../ui/show/Badge.tsx'
import { TextInput } from '../ui/form/TextInput.tsx'

const STATUS_OPTIONS = [
  { value: '', label: 'All statuses' },
  ...LEAD_STATUSES.map((status) => ({ value: status as string, label: words(status) })),
]
const STATE_OPTIONS = [
  { value: '', label: 'All states' },
  ...Object.entries(STATE_NAMES).map(([code, name]) => ({ value: code, label: name })),
]
const DISPOSITION_OPTIONS = [
  { value: '', label: 'All dispositions' },
  ...DISPOSITIONS.map((disposition) => ({ value: disposition as string, label: words(disposition) })),
]
const SHOWN_OPTIONS = [
  { value: '', label: 'Read and unread' },
  { value: 'unread', label: 'Unread' },
  { value: 'failed', label: 'Delivery failed' },
]
const DEBOUNCE_MS = 250

export interface LeadFilterBarProps {
  filters: LeadFilters
  isFiltered: boolean
  onChange: (changed: Partial<LeadFilters>) => void
}

export function LeadFilterBar({ filters, isFiltered, onChange }: LeadFilterBarProps) {
  const [text, setText] = useState(filters.search)
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(typing.current), [])

  const changeText = (next: string) => {
    setText(next)
    clearTimeout(typing.current)
    typing.current = setTimeout(() => onChange({ search: next.trim() }), DEBOUNCE_MS)
  }

  const narrowing = describeNarrowing(filters)
  return (
    <div role="search" aria-label="Filter leads" className="flex flex-wrap items-center gap-2">
      <TextInput
        type="search"
        aria-label="Name, email or phone"
        placeholder="Name, email or phone"
        value={text}
        onChange={(event) => changeText(event.target.value)}
        // Narrow enough to leave room for the button that clears the filters, so that the list does not move.
        className="sm:w-44"
      />
      <Select
        aria-label="Status"
        value={filters.status}
        onValueChange={(status) => onChange({ status })}
        options={STATUS_OPTIONS}
        className="w-auto! min-w-36 flex-1 sm:flex-none"
      />
      <Select
        aria-label="State"
        value={filters.state}
        onValueChange={(state) => onChange({ state })}
        options={STATE_OPTIONS}
        className="w-auto! min-w-36 flex-1 sm:flex-none"
      />
      <Select
        aria-label="Disposition"
        value={filters.disposition}
        onValueChange={(disposition) => onChange({ disposition })}
        options={DISPOSITION_OPTIONS}
        className="w-auto! min-w-36 flex-1 sm:flex-none"
      />
      <Select
        aria-label="Show"
        value={filters.unread === 'true' ? 'unread' : filters.delivery}
        onValueChange={(shown) =>
          onChange({ unread: shown === 'unread' ? 'true' : '', delivery: shown === 'failed' ? 'failed' : '' })
        }
        options={SHOWN_OPTIONS}
        className="w-auto! min-w-36 flex-1 sm:flex-none"
      />
      {narrowing !== '' && <Badge className="h-7! px-2!">{narrowing}</Badge>}
      {isFiltered && (
        <Button
          variant="quiet"
          icon={<X aria-hidden className="size-4" />}
          onClick={() => {
            clearTimeout(typing.current)
            setText('')
            onChange(NO_FILTERS)
          }}
        >
          Clear filters
        </Button>
      )}
    </div>
  )
}
