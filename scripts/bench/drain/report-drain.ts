import type { DrainResult } from './drain.ts'
import { nameDrained, type DrainSummary } from './summarise-drains.ts'
import { nameProgram, table, tellFigure, tellRuns } from '../report.ts'

/** A line for each turn, printed when it has ended. */
export function drainLine(result: DrainResult): string {
  const { perSecond, lost, repeated, bytes } = result
  const programs = Object.entries(result.cpu).map(([name, used]) => `${name} ${tellFigure(used)}`)
  const name = nameDrained(result).padEnd(27)
  return `  ${name} ${tellFigure(perSecond).padStart(6)}/s · CPU µs: ${programs.join(', ')} · ${bytes} bytes · lost ${lost}, repeated ${repeated}`
}

/** Speed, cost in processor time and in bytes, and the ratio of each pair. */
export function drainTables({ drained, ratios }: DrainSummary, count: number): string {
  const programs = Object.keys(drained[0]?.cpu ?? {})
  const head = ['per s', 'min', 'max', ...programs.map((name) => `${nameProgram(name)} µs`), 'all µs']
  const speeds = drained.map(({ name, min, median, max, cpu, cpuOfAll }) => [
    name,
    ...[median, min, max, ...programs.map((program) => cpu[program]), cpuOfAll].map((value) =>
      tellFigure(value),
    ),
  ])
  const bytesHead = [
    'bytes for one delivery',
    'Redis: while it waits',
    'Redis: traffic',
    'PostgreSQL: tables',
    'PostgreSQL: journal',
  ]
  const bytes = drained.map(({ name, perDelivery: { redisJob, redisTraffic, tables, wal } }) => [
    name,
    ...[redisJob, redisTraffic, tables, wal].map((value) => tellFigure(value)),
  ])
  const pairs = ratios.map(({ name, pairs: each }) => [name, tellRuns(each, 2)])
  return [
    table([[`drain of ${tellFigure(count)}`, ...head], ...speeds]),
    table([['ratio', 'median of the pairs, and each'], ...pairs]),
    table([bytesHead, ...bytes]),
  ].join('\n\n')
}
