import { X } from 'lucide-react'
import { MOST_DAYS, type Analytics } from '#core/contract/market/analytics.ts'
import { STATE_NAMES } from '#core/domain/leads/us-states.ts'
import { words } from '#web/format/words.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import type { AnalyticsView } from './analytics-queries.ts'
import { PeriodFilter } from './PeriodFilter.tsx'

export interface AnalyticsFilterBarProps {
  view: AnalyticsView
  /** undefined until the first figures have loaded */
  shown: Analytics | undefined
  isNarrowed: boolean
  onChange: (changed: Partial<AnalyticsView>) => void
}

export function AnalyticsFilterBar({ view, shown, isNarrowed, onChange }: AnalyticsFilterBarProps) {
  const choices = shown?.choices
  const narrow = (
    name: 'order' | 'state' | 'lead_type' | 'source',
    label: string,
    all: string,
    of: Named[],
  ) => (
    <Select
      aria-label={label}
      value={view[name]}
      onValueChange={(value) => onChange({ [name]: value })}
      options={[{ value: '', label: all }, ...withCurrent(of, view[name])]}
      className="w-auto! min-w-36 flex-1 sm:max-w-60 sm:flex-none"
    />
  )
  return (
    <div role="search" aria-label="Filter figures" className="flex flex-wrap items-center gap-2">
      <PeriodFilter period={view} shown={shown} mostDays={MOST_DAYS} onChange={onChange} />
      {narrow(
        'order',
        'Order',
        'All orders',
        (choices?.orders ?? []).map(({ id, name }) => [id, name]),
      )}
      {narrow(
        'state',
        'State',
        'All states',
        (choices?.states ?? []).map((code) => [code, STATE_NAMES[code] ?? code]),
      )}
      {narrow(
        'lead_type',
        'Type',
        'All types',
        (choices?.lead_types ?? []).map((code) => [code, words(code)]),
      )}
      {narrow(
        'source',
        'Source',
        'All sources',
        (choices?.sources ?? []).map((label) => [label, label]),
      )}
      {isNarrowed && (
        <Button
          variant="quiet"
          icon={<X aria-hidden className="size-4" />}
          onClick={() => onChange({ order: '', state: '', lead_type: '', source: '' })}
        >
          Clear filters
        </Button>
      )}
    </div>
  )
}

type Named = readonly [value: string, label: string]

/** Keeps the current choice in the list even if the period has no leads of it. */
function withCurrent(named: readonly Named[], current: string) {
  const missing: Named[] =
    current === '' || named.some(([value]) => value === current) ? [] : [[current, current]]
  return [...missing, ...named].map(([value, label]) => ({ value, label }))
}
