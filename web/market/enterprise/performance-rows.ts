import type { DeliveryFigures, DeliveryReport } from '#core/contract/market/delivery-figures.ts'
import { foldText } from '#core/contract/fold-text.ts'
import { STATE_NAMES } from '#core/domain/leads/us-states.ts'
import { writeCsvRow } from '#core/domain/write-csv-row.ts'
import type { EnterpriseView, Grouping } from './enterprise-view.ts'

/** A row of the table in either grouping; `key` is a webhook's id or a state's code, null without a state. */
export interface PerformanceRow extends DeliveryFigures {
  key: string | null
  name: string
}

export const SORTS = [
  'name',
  'leads',
  'spend',
  'delivered',
  'failed',
  'waiting',
  'delivery_rate',
  'median_ms',
] as const
export type PerformanceSort = (typeof SORTS)[number]

/** Returns the sorted and filtered rows: by name by default, rows without a figure always last. */
export function listPerformance(
  report: DeliveryReport,
  { group, sort, find }: Pick<EnterpriseView, 'group' | 'sort' | 'find'>,
): PerformanceRow[] {
  const wanted = foldText(find.trim()).toLowerCase()
  const { by, isDown } = readSort(sort)
  return rowsOf(report, group)
    .filter(({ name }) => foldText(name).toLowerCase().includes(wanted))
    .toSorted((a, b) => compare(a, b, by, isDown) || a.name.localeCompare(b.name))
}

export function readSort(sort: string): { by: PerformanceSort; isDown: boolean } {
  const isDown = sort.startsWith('-')
  const name = isDown ? sort.slice(1) : sort
  const by = SORTS.find((one) => one === name)
  return by === undefined ? { by: 'name', isDown: false } : { by, isDown }
}

/**
 * Returns the sort order after a press on a column's head: descending first, names ascending first; a second
 * press reverses it.
 */
export function turnSort(sort: string, column: PerformanceSort): string {
  const { by, isDown } = readSort(sort)
  const isFirstDown = column !== 'name'
  const next = by === column ? !isDown : isFirstDown
  return next ? `-${column}` : column === 'name' ? '' : column
}

function rowsOf(report: DeliveryReport, group: Grouping): PerformanceRow[] {
  if (group === 'webhook')
    return report.webhooks.map(({ webhook_config_id: key, webhook_name: name, ...figures }) => ({
      ...figures,
      key,
      name,
    }))
  return report.states.map(({ state, ...figures }) => ({ ...figures, key: state, name: nameState(state) }))
}

function nameState(state: string | null): string {
  return state === null ? 'No state' : (STATE_NAMES[state] ?? state)
}

function compare(a: PerformanceRow, b: PerformanceRow, by: PerformanceSort, isDown: boolean): number {
  const turn = isDown ? -1 : 1
  if (by === 'name') return turn * a.name.localeCompare(b.name)
  const [left, right] = [a[by], b[by]]
  if (left === null || right === null) return Number(left === null) - Number(right === null)
  // Amounts are short enough for a float, because only their order matters.
  return turn * (Number(left) - Number(right))
}

const HEAD = [
  'Leads',
  'Spend',
  'Delivered',
  'Failed',
  'Waiting',
  'Delivery success',
  'Median time to delivery (ms)',
]

/** Returns the rows on screen as CSV. */
export function writePerformance(rows: readonly PerformanceRow[], group: Grouping): string {
  const lines = rows.map(
    ({ name, leads, spend, delivered, failed, waiting, delivery_rate: rate, median_ms }) =>
      writeCsvRow([
        name,
        ...[leads, spend, delivered, failed, waiting].map(String),
        rate === null ? null : rate.toFixed(4),
        median_ms === null ? null : String(median_ms),
      ]),
  )
  return writeCsvRow([group === 'webhook' ? 'Endpoint' : 'State', ...HEAD]) + lines.join('')
}
