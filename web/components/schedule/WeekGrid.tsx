import { Copy, Plus, X } from 'lucide-react'
import { useId } from 'react'
import { MOST_WINDOWS } from '#core/contract/market/order-schedule.ts'
import { weekdaySchema, type Schedule, type Weekday } from '#core/contract/market/schedule.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { IconButton } from '#web/ui/action/IconButton.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { DAYS } from './days.ts'
import type { HoursFaults } from './find-hours-faults.ts'

type Windows = NonNullable<Schedule[Weekday]>

const WEEKDAYS = weekdaySchema.options
const PLACES = 'abcdefghijkl'
const FIRST: Windows[number] = ['09:00', '18:00']

export interface WeekGridProps {
  value: Schedule
  onChange: (value: Schedule) => void
  /** shown below the day's hours */
  faults?: HoursFaults
}

/**
 * One row for each day, with its windows. It uses the browser's own time inputs, so that all of it works by
 * keyboard.
 */
export function WeekGrid({ value, onChange, faults = {} }: WeekGridProps) {
  const setDay = (day: Weekday, windows: Windows) => onChange({ ...value, [day]: windows })
  const copyMonday = () => onChange(Object.fromEntries(WEEKDAYS.map((day) => [day, [...(value.mon ?? [])]])))
  return (
    <div className="@container overflow-hidden rounded-lg border border-line">
      {WEEKDAYS.map((day) => (
        <DayRow
          key={day}
          day={day}
          windows={value[day] ?? []}
          fault={faults[day]}
          onChange={(windows) => setDay(day, windows)}
          {...(day === 'mon' && (value.mon ?? []).length > 0 ? { onCopy: copyMonday } : {})}
        />
      ))}
    </div>
  )
}

interface DayRowProps {
  day: Weekday
  windows: Windows
  fault: string | undefined
  onChange: (windows: Windows) => void
  onCopy?: () => void
}

function DayRow({ day, windows, fault, onChange, onCopy }: DayRowProps) {
  const id = useId()
  const { long } = DAYS[day]
  const change = (index: number, next: Windows[number]) =>
    onChange(windows.map((window, at) => (at === index ? next : window)))
  return (
    <div
      role="group"
      aria-label={long}
      className="flex flex-wrap items-start justify-between gap-x-2 gap-y-1 border-line px-3 py-2 not-first:border-t sm:grid sm:grid-cols-[5rem_minmax(0,1fr)_auto] @min-[36rem]:gap-x-4"
    >
      <p className="py-1.5 text-sm font-medium">{long}</p>
      <div className="order-last flex min-w-0 basis-full flex-col gap-2 sm:order-none">
        {windows.length === 0 && <p className="py-1.5 text-sm text-muted">Closed</p>}
        {windows.map((window, index) => (
          <WindowRow
            // The key is the position, because a key made of the hours would lose the focus while typing.
            key={PLACES.charAt(index)}
            label={`${long} ${windows.length > 1 ? `${index + 1} ` : ''}`}
            window={window}
            {...(fault === undefined ? {} : { faultId: `${id}-fault` })}
            onChange={(next) => change(index, next)}
            onRemove={() => onChange(windows.filter((_, at) => at !== index))}
          />
        ))}
        {fault !== undefined && (
          <p id={`${id}-fault`} className="text-xs text-failure">
            {fault}
          </p>
        )}
      </div>
      <div className="ml-auto flex min-h-8 items-center gap-1">
        {onCopy !== undefined && (
          <Button
            variant="quiet"
            size="sm"
            className="@max-[36rem]:px-1.5"
            icon={<Copy aria-hidden className="size-3.5" />}
            onClick={onCopy}
          >
            <span className="sr-only @min-[36rem]:not-sr-only">Copy to all days</span>
          </Button>
        )}
        <IconButton
          size="sm"
          label={`Add hours on ${long}`}
          icon={<Plus aria-hidden />}
          disabled={windows.length >= MOST_WINDOWS}
          onClick={() => onChange([...windows, nextWindow(windows)])}
        />
      </div>
    </div>
  )
}

interface WindowRowProps {
  label: string
  window: Windows[number]
  /** id of the sentence that describes the day's error */
  faultId?: string
  onChange: (window: Windows[number]) => void
  onRemove: () => void
}

function WindowRow({ label, window: [from, to], faultId, onChange, onRemove }: WindowRowProps) {
  const wrong = faultId === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': faultId }
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <TextInput
        type="time"
        {...wrong}
        aria-label={`${label}from`}
        value={from}
        onChange={(event) => onChange([event.target.value, to])}
        className="h-8! w-auto! max-w-full px-2! tabular"
      />
      <span aria-hidden className="text-muted">
        –
      </span>
      <TextInput
        type="time"
        {...wrong}
        aria-label={`${label}until`}
        // Midnight at the end of a day is 00:00 of the next; a time input knows no 24:00.
        value={to === '24:00' ? '00:00' : to}
        onChange={(event) => onChange([from, event.target.value])}
        className="h-8! w-auto! max-w-full px-2! tabular"
      />
      <IconButton
        size="sm"
        label={`Remove ${label}hours`}
        icon={<X aria-hidden />}
        onClick={onRemove}
        // On a narrow screen this button is below the one that adds hours.
        className="max-sm:ml-auto"
      />
      {to <= from && to !== '00:00' && from !== '' && to !== '' && (
        <span className="text-xs text-muted">until the next day</span>
      )}
    </div>
  )
}

/** Proposes hours after the last window if there is room before midnight. */
function nextWindow(windows: Windows): Windows[number] {
  const end = windows.at(-1)?.[1]
  if (end === undefined) return FIRST
  const hour = Number(end.slice(0, 2)) + 1
  return hour >= 22 ? ['00:00', '01:00'] : [pad(hour), pad(Math.min(hour + 2, 23))]
}

function pad(hour: number) {
  return `${String(hour).padStart(2, '0')}:00`
}
