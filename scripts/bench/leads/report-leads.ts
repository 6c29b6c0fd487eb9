import { table } from '../report.ts'
import type { Spread } from '../spread.ts'
import type { LeadsResult } from './leads.ts'

/** One line as soon as a size has been asked. */
export function leadsLine({ rows, searches, lists }: LeadsResult): string {
  const worst = (spreads: Spread[]) => Math.max(...spreads.map(({ p99 }) => p99)).toFixed(1)
  const slowest = {
    searches: worst(Object.values(searches)),
    lists: worst(lists.map(({ spread }) => spread)),
  }
  return `  ${rows} leads: slowest p99 of a search ${slowest.searches} ms, of a list ${slowest.lists} ms`
}

const cell = ({ p50, p99 }: Spread): string => `${p50.toFixed(2)} / ${p99.toFixed(2)}`
const ratio = (first: number | undefined, last: number | undefined): string =>
  ((last ?? Number.NaN) / (first ?? Number.NaN)).toFixed(2)

/** A column for each size, p50 / p99 in milliseconds, and the last p50 by the first. Of a filter the order with the slowest p50 is shown. */
export function leadsTables(results: readonly LeadsResult[]): string {
  const sizes = results.map(({ rows }) => `${rows} leads`)
  const lines = (of: (result: LeadsResult) => Record<string, Spread>) =>
    Object.keys(of(results[0] as LeadsResult)).map((words) => {
      const spreads = results.flatMap((result) => of(result)[words] ?? [])
      return [words, ...spreads.map(cell), ratio(spreads[0]?.p50, spreads.at(-1)?.p50)]
    })
  const filters = [...new Set(results[0]?.lists.map(({ filter }) => filter))].map((filter) => {
    const slowest = results.flatMap(({ lists }) => {
      const of = lists.filter((one) => one.filter === filter)
      return of.toSorted((a, b) => b.spread.p50 - a.spread.p50)[0] ?? []
    })
    const cells = slowest.map(({ sort, spread }) => `${cell(spread)} by ${sort}`)
    return [filter, ...cells, ratio(slowest[0]?.spread.p50, slowest.at(-1)?.spread.p50)]
  })
  const megabytes = ['MB of leads and indexes', ...results.map((one) => one.megabytes.toFixed(0)), '']
  return [
    table([['search', ...sizes, 'p50 ratio'], ...lines(({ searches }) => searches)]),
    table([['list, in its slowest order', ...sizes, 'p50 ratio'], ...filters, megabytes]),
    table([['figures of 90 days', ...sizes, 'p50 ratio'], ...lines(({ analytics }) => analytics)]),
  ].join('\n\n')
}
