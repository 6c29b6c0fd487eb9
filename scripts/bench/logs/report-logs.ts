import type { LogsResult } from './logs.ts'
import { table } from '../report.ts'
import type { Spread } from '../spread.ts'

/** One line as soon as a size has been asked. */
export function logsLine({ rows, questions, rowsPerSecond }: LogsResult): string {
  const p50s = Object.values(questions).map(({ p50 }) => p50.toFixed(2))
  return `  ${rows} rows, filled at ${rowsPerSecond}/s: p50 ${p50s.join(' ')}`
}

/** One column for each size, p50 / p95 in milliseconds, and the last by the first. */
export function logsTable(results: readonly LogsResult[]): string {
  const head = ['', ...results.map(({ rows }) => `${rows} rows`), 'p50 ratio']
  const cell = ({ p50, p95 }: Spread): string => `${p50.toFixed(2)} / ${p95.toFixed(2)}`
  const lines = Object.keys(results[0]?.questions ?? {}).map((words) => {
    const spreads = results.flatMap(({ questions }) => questions[words] ?? [])
    const ratio = (spreads.at(-1)?.p50 ?? Number.NaN) / (spreads[0]?.p50 ?? Number.NaN)
    return [words, ...spreads.map(cell), ratio.toFixed(2)]
  })
  const facts = [
    [
      'weeks opened for the newest 50',
      ...results.map(({ weeksRead, weeks }) => `${weeksRead} of ${weeks}`),
      '',
    ],
    ['MB of log and indexes', ...results.map(({ megabytes }) => megabytes.toFixed(0)), ''],
    ['filled at rows/s', ...results.map(({ rowsPerSecond }) => String(rowsPerSecond)), ''],
  ]
  return table([head, ...lines, ...facts])
}
