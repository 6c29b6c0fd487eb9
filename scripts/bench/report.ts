import type { CpuTimes } from './cpu.ts'
import type { DrainResult, Subject } from './drain.ts'
import type { OpenLoopResult } from './open-loop.ts'
import { median, type Spread } from './spread.ts'

const SUBJECTS: readonly Subject[] = ['bare loop', 'pipeline']

export interface DrainSummary {
  bySubject: Record<Subject, { min: number; median: number; max: number; cpu: CpuTimes; cpuOfAll: number }>
  /** median of the pipeline's deliveries/s by median of the bare loop's */
  ratio: number
}

export function summarise(results: readonly DrainResult[]): DrainSummary {
  const of = (subject: Subject) => {
    const mine = results.filter((result) => result.subject === subject)
    const speeds = mine.map(({ perSecond }) => perSecond)
    const programs = Object.keys(mine[0]?.cpu ?? {})
    const cpu = Object.fromEntries(
      programs.map((name) => [name, median(mine.map((result) => result.cpu[name] ?? Number.NaN))]),
    )
    const cpuOfAll = Object.values(cpu).reduce((sum, used) => sum + used, 0)
    return { min: Math.min(...speeds), median: median(speeds), max: Math.max(...speeds), cpu, cpuOfAll }
  }
  const bySubject = { 'bare loop': of('bare loop'), pipeline: of('pipeline') }
  return { bySubject, ratio: bySubject.pipeline.median / bySubject['bare loop'].median }
}

/** One line as soon as a turn has ended. */
export function drainLine(result: DrainResult): string {
  const { subject, perSecond, lost, repeated, bytes } = result
  const programs = Object.entries(result.cpu).map(([name, used]) => `${name} ${whole(used)}`)
  return `  ${subject.padEnd(9)} ${whole(perSecond).padStart(5)}/s · CPU µs: ${programs.join(', ')} · ${bytes} bytes · lost ${lost}, repeated ${repeated}`
}

export function drainTable({ bySubject, ratio }: DrainSummary): string {
  const programs = Object.keys(bySubject.pipeline.cpu)
  const rows = SUBJECTS.map((subject) => {
    const { min, median: middle, max, cpu, cpuOfAll } = bySubject[subject]
    const speeds = [middle, min, max].map(whole)
    return [subject, ...speeds, ...programs.map((name) => whole(cpu[name] ?? Number.NaN)), whole(cpuOfAll)]
  })
  const head = ['', 'per s', 'min', 'max', ...programs.map((name) => `${name} µs`), 'all µs']
  return `${table([head, ...rows])}\n\n  pipeline / bare loop: ${ratio.toFixed(2)} (ratio of the medians)`
}

export function openLoopTable(results: readonly OpenLoopResult[]): string {
  const head = ['leads/s', '', 'p50 ms', 'p95 ms', 'p99 ms', 'max ms']
  const line = (rate: string, name: string, spread: Spread | null) => [
    rate,
    name,
    ...(spread === null ? ['–', '–', '–', '–'] : Object.values(spread).map((ms: number) => ms.toFixed(1))),
  ]
  const rows = results.flatMap((result) => [
    line(String(result.rate), 'ingest to receipt', result.receipt),
    line('', "API's answer", result.answer),
    line('', "generator's lateness", result.lateness),
  ])
  const counts = results.map(({ rate, offered, acked, delivered, repeated, undelivered, cpu }) => {
    const programs = Object.entries(cpu).map(([name, used]) => `${name} ${whole(used)}`)
    return `  ${rate}/s: offered ${offered}, acked ${acked}, delivered ${delivered}, repeated ${repeated}, undelivered ${undelivered} · CPU µs per lead: ${programs.join(', ')}`
  })
  return `${table([head, ...rows])}\n\n${counts.join('\n')}`
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows
    .map((row) => `  ${row.map((cell, column) => pad(cell, widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n')
}

/** Figures to the right, words to the left. */
function pad(cell: string, width: number): string {
  return /^[\d.–]+$|( ms| µs|^per s|^min|^max)$/.test(cell) ? cell.padStart(width) : cell.padEnd(width)
}

function whole(value: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(0)
}
