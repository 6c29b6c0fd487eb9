import type { Overview, OverviewFigures } from '#core/contract/operations/overview.ts'
import { formatCount } from '#web/format/count-of.ts'
import { formatMoney } from '#web/format/money.ts'
import { sayChange } from '#web/format/say-change.ts'
import { HourBars } from './HourBars.tsx'

interface Shown {
  key: keyof OverviewFigures
  label: string
  isMoney?: boolean
}

const FIGURES: readonly Shown[] = [
  { key: 'revenue', label: 'Revenue', isMoney: true },
  { key: 'margin', label: 'Margin', isMoney: true },
  { key: 'leads_in', label: 'Leads in' },
  { key: 'sold', label: 'Sold' },
  { key: 'unsold', label: 'Unsold' },
  { key: 'returned', label: 'Returned' },
]

/** Today's six figures beside the same hours of yesterday, with a bar for each of the last 24 hours. */
export function FigureStrip({ shown }: { shown: Pick<Overview, 'today' | 'yesterday' | 'hours'> }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-3">
      {FIGURES.map((figure) => (
        <Figure key={figure.key} figure={figure} shown={shown} />
      ))}
    </dl>
  )
}

function Figure({
  figure: { key, label, isMoney = false },
  shown: { today, yesterday, hours },
}: {
  figure: Shown
  shown: Pick<Overview, 'today' | 'yesterday' | 'hours'>
}) {
  const say = (value: number | string) => (isMoney ? formatMoney(String(value)) : formatCount(Number(value)))
  // Amounts are short enough for a float, because only bars and percents are made of it.
  const values = hours.map((hour) => Number(hour[key]))
  return (
    <div className="flex min-w-0 flex-col bg-surface p-3 sm:p-4">
      <dt className="text-xs font-medium text-muted">{label}</dt>
      <dd className="mt-1 text-lg font-semibold tracking-tight break-words tabular sm:text-xl">
        {say(today[key])}
      </dd>
      <dd className="mt-0.5 text-xs text-muted tabular">
        {sayChange(Number(today[key]), Number(yesterday[key]))}
        <span className="block">{say(yesterday[key])} yesterday</span>
      </dd>
      <dd className="mt-auto pt-2">
        <HourBars
          values={values}
          label={`${label} in the last 24 hours: ${say(values.at(-1) ?? 0)} in this hour, at most ${say(Math.max(...values))}`}
        />
      </dd>
    </div>
  )
}
