import { table } from '../report.ts'
import type { Effort } from '../ask-often.ts'
import type { LeadsResult } from './leads.ts'

/** A line for each size, printed when its queries have ended. */
export function leadsLine({ rows, searches, lists }: LeadsResult): string {
  const worst = (efforts: Effort[]) => Math.max(...efforts.map(({ p99 }) => p99)).toFixed(1)
  const slowest = {
    searches: worst(Object.values(searches)),
    lists: worst(lists.map(({ effort }) => effort)),
  }
  return `  ${rows} leads: slowest p99 of a search ${slowest.searches} ms, of a list ${slowest.lists} ms`
}

const TOLD = ['p50', 'p99', 'processor'] as const

const cell = (effort: Effort): string => TOLD.map((what) => effort[what].toFixed(2)).join(' / ')

/** The ratio of the last to the first. */
function ratios(efforts: readonly Effort[]): string {
  const [first, last] = [efforts[0], efforts.at(-1)]
  return TOLD.map((what) => ((last?.[what] ?? Number.NaN) / (first?.[what] ?? Number.NaN)).toFixed(2)).join(
    ' / ',
  )
}

/**
 * A column for each size: p50 / p99 / PostgreSQL's processor time, in milliseconds, and the ratio of the last
 * to the first. For a filter, the order with the slowest p50 is also shown by itself.
 */
export function leadsTables(results: readonly LeadsResult[]): string {
  const sizes = [...results.map(({ rows }) => `${rows} leads`), 'last by first']
  const lines = (of: (result: LeadsResult) => Record<string, Effort>) =>
    Object.keys(of(results[0] as LeadsResult)).map((words) => {
      const efforts = results.flatMap((result) => of(result)[words] ?? [])
      return [words, ...efforts.map(cell), ratios(efforts)]
    })
  const filters = [...new Set(results[0]?.lists.map(({ filter }) => filter))].map((filter) => {
    const slowest = results.flatMap(({ lists }) => {
      const of = lists.filter((one) => one.filter === filter)
      return of.toSorted((a, b) => b.effort.p50 - a.effort.p50)[0] ?? []
    })
    const cells = slowest.map(({ sort, effort }) => `${cell(effort)} by ${sort}`)
    return [filter, ...cells, ratios(slowest.map(({ effort }) => effort))]
  })
  const byWords = ({ lists }: LeadsResult) =>
    Object.fromEntries(lists.map(({ filter, sort, effort }) => [`${filter}, by ${sort}`, effort]))
  const megabytes = ['MB of leads and indexes', ...results.map((one) => one.megabytes.toFixed(0)), '']
  return [
    table([['list', ...sizes], ...lines(byWords)]),
    table([['search', ...sizes], ...lines(({ searches }) => searches)]),
    table([['list, in its slowest order', ...sizes], ...filters, megabytes]),
    table([['figures of 90 days', ...sizes], ...lines(({ analytics }) => analytics)]),
    table([['query of /rest/v1/leads', ...sizes], ...lines(({ tables }) => tables)]),
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
