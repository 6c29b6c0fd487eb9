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

/** The last by the first: p50 / p99. */
function ratios(spreads: readonly Spread[]): string {
  const [first, last] = [spreads[0], spreads.at(-1)]
  const by = (of: 'p50' | 'p99') => ((last?.[of] ?? Number.NaN) / (first?.[of] ?? Number.NaN)).toFixed(2)
  return `${by('p50')} / ${by('p99')}`
}

/** A column for each size, p50 / p99 in milliseconds, and the last by the first. Of a filter the order with the slowest p50 is also shown by itself. */
export function leadsTables(results: readonly LeadsResult[]): string {
  const sizes = [...results.map(({ rows }) => `${rows} leads`), 'last by first']
  const lines = (of: (result: LeadsResult) => Record<string, Spread>) =>
    Object.keys(of(results[0] as LeadsResult)).map((words) => {
      const spreads = results.flatMap((result) => of(result)[words] ?? [])
      return [words, ...spreads.map(cell), ratios(spreads)]
    })
  const filters = [...new Set(results[0]?.lists.map(({ filter }) => filter))].map((filter) => {
    const slowest = results.flatMap(({ lists }) => {
      const of = lists.filter((one) => one.filter === filter)
      return of.toSorted((a, b) => b.spread.p50 - a.spread.p50)[0] ?? []
    })
    const cells = slowest.map(({ sort, spread }) => `${cell(spread)} by ${sort}`)
    return [filter, ...cells, ratios(slowest.map(({ spread }) => spread))]
  })
  const byWords = ({ lists }: LeadsResult) =>
    Object.fromEntries(lists.map(({ filter, sort, spread }) => [`${filter}, by ${sort}`, spread]))
  const megabytes = ['MB of leads and indexes', ...results.map((one) => one.megabytes.toFixed(0)), '']
  return [
    table([['list', ...sizes], ...lines(byWords)]),
    table([['search', ...sizes], ...lines(({ searches }) => searches)]),
    table([['list, in its slowest order', ...sizes], ...filters, megabytes]),
    table([['figures of 90 days', ...sizes], ...lines(({ analytics }) => analytics)]),
    table([
      ['to store a lead', ...results.map(({ rows }) => `${rows} leads`)],
      ['µs with the indexes of lists', ...results.map(({ weight }) => weight.microseconds.with.toFixed(0))],
      ['µs without them', ...results.map(({ weight }) => weight.microseconds.without.toFixed(0))],
      ['with by without', ...results.map(({ weight }) => weight.microseconds.ratio.toFixed(2))],
      ['bytes of journal with', ...results.map(({ weight }) => weight.journalBytes.with.toFixed(0))],
      ['bytes of journal without', ...results.map(({ weight }) => weight.journalBytes.without.toFixed(0))],
    ]),
  ].join('\n\n')
}
