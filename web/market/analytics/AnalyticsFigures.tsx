import type { Analytics } from '#core/contract/market/analytics.ts'
import { countOf, formatCount } from '#web/format/count-of.ts'
import { formatRate } from '#web/format/format-rate.ts'
import { formatReturn } from '#web/format/format-return.ts'
import { formatMoney } from '#web/format/money.ts'
import { sayChange } from '#web/format/say-change.ts'
import { FIGURES_GRID } from '../figures-grid.ts'

type Totals = Analytics['totals']

interface Shown {
  label: string
  value: (totals: Totals) => number | null
  format: (value: number) => string
  /** other figures of the same kind */
  others: (totals: Totals) => readonly string[]
}

const dollars = (amount: number) => formatMoney(String(amount))

// Amounts are short enough for a float, because they are only shown and compared.
const FIGURES: readonly Shown[] = [
  {
    label: 'Leads received',
    value: ({ leads }) => leads,
    format: formatCount,
    others: ({ return_rate: rate, returned }) => [
      `Return rate ${formatRate(rate)}`,
      returned === 0 ? '' : `${countOf(returned, 'lead')} returned`,
    ],
  },
  {
    label: 'Spend',
    value: ({ spend }) => Number(spend),
    format: dollars,
    others: ({ average_price: price, refunded }) => [
      price === null ? '' : `Average price ${formatMoney(price)}`,
      Number(refunded) === 0 ? '' : `${formatMoney(refunded)} came back`,
    ],
  },
  {
    label: 'Cost per sale',
    value: ({ cost_per_sale: cost }) => (cost === null ? null : Number(cost)),
    format: dollars,
    others: ({ sold_rate: sold, contact_rate: contacted, revenue, return_on_spend: times }) => [
      `Sold rate ${formatRate(sold)}`,
      `Contact rate ${formatRate(contacted)}`,
      ...(Number(revenue) === 0
        ? []
        : [`Revenue ${formatMoney(revenue)}`, `Return on spend ${formatReturn(times)}`]),
    ],
  },
  {
    label: 'Delivery success',
    value: ({ delivery_rate: rate }) => rate,
    format: formatRate,
    others: ({ delivered, attempted }) => [
      attempted === 0 ? '' : `${formatCount(delivered)} of ${formatCount(attempted)} delivered`,
    ],
  },
]

/** Shows four figures with the change to the period before (docs/product.md §2, Analytics). */
export function AnalyticsFigures({ totals, before }: Pick<Analytics, 'totals' | 'before'>) {
  return (
    <dl className={FIGURES_GRID}>
      {FIGURES.map(({ label, value, format, others }) => {
        const now = value(totals)
        return (
          <div
            key={label}
            className="flex min-w-0 flex-col rounded-lg border border-line bg-surface p-3 sm:p-4"
          >
            <dt className="text-xs font-medium text-muted">{label}</dt>
            <dd className="mt-1 text-lg font-semibold tracking-tight break-words tabular sm:text-xl">
              {now === null ? '–' : format(now)}
            </dd>
            {before !== undefined && (
              <dd className="text-xs text-muted tabular">{compare(now, value(before.totals), format)}</dd>
            )}
            <dd className="mt-2 text-xs text-muted tabular">
              {others(totals)
                .filter(Boolean)
                .map((one) => (
                  <span key={one} className="block">
                    {one}
                  </span>
                ))}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** "Up 12% from 107"; a share only says from what it went up, because a percent of a percent confuses. */
function compare(now: number | null, before: number | null, format: Shown['format']): string {
  if (before === null || (before === 0 && !now)) return 'None before'
  if (now === null) return `${format(before)} before`
  if (now === before) return 'The same as before'
  if (before === 0) return 'Up from none'
  const change = format === formatRate ? (now > before ? 'Up' : 'Down') : sayChange(now, before)
  return `${change} from ${format(before)}`
}
