import type { LogsResult } from './logs.ts'
import { table } from '../report.ts'
import type { Answered } from '../ask-often.ts'

/** A line for each size, printed when its queries have ended. */
export function logsLine({ rows, questions, rowsPerSecond }: LogsResult): string {
  const p50s = Object.values(questions).map(({ p50 }) => p50.toFixed(2))
  return `  ${rows} rows, filled at ${rowsPerSecond}/s: p50 ${p50s.join(' ')}`
}

/**
 * For each size p50 / p95 in milliseconds and the average number of rows found; and the ratio of the last p50
 * to the first.
 */
export function logsTable(results: readonly LogsResult[]): string {
  const head = ['', ...results.flatMap(({ rows }) => [`${rows} rows`, 'found']), 'p50 ratio']
  const cells = ({ p50, p95, found }: Answered): string[] => [
    `${p50.toFixed(2)} / ${p95.toFixed(2)}`,
    found.toFixed(found < 10 ? 1 : 0),
  ]
  const lines = Object.keys(results[0]?.questions ?? {}).map((words) => {
    const spreads = results.flatMap(({ questions }) => questions[words] ?? [])
    const ratio = (spreads.at(-1)?.p50 ?? Number.NaN) / (spreads[0]?.p50 ?? Number.NaN)
    return [words, ...spreads.flatMap(cells), ratio.toFixed(2)]
  })
  const facts = [
    [
      'weeks opened for the newest 50',
      ...results.flatMap(({ weeksRead, weeks }) => [`${weeksRead} of ${weeks}`, '']),
      '',
    ],
    ['MB of log and indexes', ...results.flatMap(({ megabytes }) => [megabytes.toFixed(0), '']), ''],
    ['filled at rows/s', ...results.flatMap(({ rowsPerSecond }) => [String(rowsPerSecond), '']), ''],
  ]
  return table([head, ...lines, ...facts])
}
