import type { LogsResult } from './logs.ts'
import { table } from '../report.ts'
import type { Spread } from '../spread.ts'

const QUESTIONS = [
  ['newest 50 of one configuration', 'newest'],
  ['… that failed', 'failed'],
  ['… that were delivered', 'delivered'],
  ['one attempt whole, by its id', 'byId'],
  ['an id that does not exist', 'unknownId'],
] as const

/** One line as soon as a size has been asked. */
export function logsLine({ rows, newest, failed, rowsPerSecond }: LogsResult): string {
  const list = (name: string, { p50, p95 }: Spread): string => `${name} ${p50.toFixed(2)} / ${p95.toFixed(2)}`
  return `  ${rows} rows, filled at ${rowsPerSecond}/s: ${list('newest', newest)}, ${list('failed', failed)}`
}

/** One column for each size, p50 / p95 in milliseconds, and the last by the first. */
export function logsTable(results: readonly LogsResult[]): string {
  const head = ['', ...results.map(({ rows }) => `${rows} rows`), 'p50 ratio']
  const cell = ({ p50, p95 }: Spread): string => `${p50.toFixed(2)} / ${p95.toFixed(2)}`
  const lines = QUESTIONS.map(([words, question]) => {
    const medians = results.map((result) => result[question].p50)
    const ratio = Math.max(...medians) / (medians[0] ?? Number.NaN)
    return [words, ...results.map((result) => cell(result[question])), ratio.toFixed(2)]
  })
  const facts = [
    ['weeks opened for it', ...results.map(({ weeksRead, weeks }) => `${weeksRead} of ${weeks}`), ''],
    ['MB of log and indexes', ...results.map(({ megabytes }) => megabytes.toFixed(0)), ''],
    ['filled at rows/s', ...results.map(({ rowsPerSecond }) => String(rowsPerSecond)), ''],
  ]
  return table([head, ...lines, ...facts])
}
