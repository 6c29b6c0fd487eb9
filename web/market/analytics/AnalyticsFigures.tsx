import type { Analytics } from '#core/contract/market/analytics.ts'
import { countOf, formatCount } from '#web/format/count-of.ts'
import { formatRate } from '#web/format/format-rate.ts'
import { formatMoney } from '#web/format/money.ts'
import { FIGURES_GRID } from '../figures-grid.ts'

/** Shows each number with its explanation below (docs/product.md §2, Analytics). */
export function AnalyticsFigures({ totals }: Pick<Analytics, 'totals'>) {
  const money = (amount: string | null) => (amount === null ? '–' : formatMoney(amount))
  const figures: readonly (readonly [label: string, value: string, meaning: string, detail?: string])[] = [
    [
      'Leads received',
      formatCount(totals.leads),
      'Assigned to you, by the day on which they came in; test leads are left out.',
    ],
    ['Spend', money(totals.spend), 'What these leads cost, before returns.'],
    ['Average price', money(totals.average_price), 'Spend ÷ leads received.'],
    [
      'Return rate',
      formatRate(totals.return_rate),
      'Approved returns ÷ leads received.',
      totals.returned === 0
        ? ''
        : `${countOf(totals.returned, 'lead')}, ${formatMoney(totals.refunded)} came back.`,
    ],
    [
      'Contact rate',
      formatRate(totals.contact_rate),
      'Contacted or further, or not interested ÷ leads received.',
    ],
    ['Sold rate', formatRate(totals.sold_rate), 'Leads at “Sold” ÷ leads received.'],
    ['Cost per sale', money(totals.cost_per_sale), 'Spend less what came back ÷ leads at “Sold”.'],
    [
      'Delivery success',
      formatRate(totals.delivery_rate),
      'Delivered ÷ all deliveries of these leads, waiting ones included.',
      totals.attempted === 0 ? '' : `${formatCount(totals.delivered)} of ${formatCount(totals.attempted)}.`,
    ],
  ]
  return (
    <dl className={FIGURES_GRID}>
      {figures.map(([label, value, meaning, detail = '']) => (
        <div
          key={label}
          className="flex min-w-0 flex-col rounded-lg border border-line bg-surface p-3 sm:p-4"
        >
          <dt className="text-xs font-medium text-muted">{label}</dt>
          <dd className="mt-1 text-lg font-semibold tracking-tight break-words tabular sm:text-xl">
            {value}
          </dd>
          <dd className="mt-1 text-xs text-muted">
            {meaning} {detail}
          </dd>
        </div>
      ))}
    </dl>
  )
}
