import type { OpenLoopResult } from './open-loop.ts'
import { nameProgram, table, tellFigure, tellRuns } from './report.ts'

/** The programs whose processor time counts for a lead; the receiver stands for other people's machines. */
const PROGRAMS = ['server', 'worker', 'postgres', 'redis'] as const

/** The outcome of one run. */
export function openLoopLine({ cpu, receipt, ...result }: OpenLoopResult): string {
  const programs = Object.entries(cpu).map(([name, used]) => `${name} ${tellFigure(used)}`)
  const late = [receipt?.p50, receipt?.p95, receipt?.p99].map((ms) => tellFigure(ms, 1))
  const { offered, acked, delivered, repeated, undelivered } = result
  return `  ${late.join(' / ')} ms · offered ${offered}, acked ${acked}, delivered ${delivered}, repeated ${repeated}, undelivered ${undelivered} · CPU µs per lead: ${programs.join(', ')}`
}

/** The lateness and the cost of leads; for several runs the medians, and each run. */
export function openLoopTables(results: readonly OpenLoopResult[]): string {
  const loads = [...Map.groupBy(results, nameOf)]
  const late = ['p50 ms', 'p95 ms', 'p99 ms', 'max ms', "API's answer, p99", "generator's lateness, p99"]
  const lateness = loads.map(([name, runs]) => [
    name,
    ...(['p50', 'p95', 'p99', 'max'] as const).map((part) =>
      tellRuns(
        runs.map(({ receipt }) => receipt?.[part]),
        1,
      ),
    ),
    tellRuns(
      runs.map(({ answer }) => answer.p99),
      1,
    ),
    tellRuns(
      runs.map((run) => run.lateness.p99),
      1,
    ),
  ])
  const costs = loads.map(([name, runs]) => {
    const all = runs.map(costOfLead)
    return [
      name,
      ...PROGRAMS.map((program) =>
        tellRuns(
          runs.map((run) => costOf(run, program)),
          1,
        ),
      ),
      tellRuns(all, 1),
      tellRuns(all.map((ms) => 1000 / ms)),
    ]
  })
  const costHead = ['ms of processor time a lead', ...PROGRAMS.map(nameProgram), 'all', 'leads/s a core']
  return `${table([['ingest to receipt', ...late], ...lateness])}\n\n${table([costHead, ...costs])}`
}

/** Milliseconds of processor time for one lead, all programs together. */
export function costOfLead(run: OpenLoopResult): number {
  return PROGRAMS.reduce((sum, program) => sum + costOf(run, program), 0)
}

/** Milliseconds for one lead, all processes of a program together. */
function costOf({ cpu }: OpenLoopResult, program: string): number {
  const own = Object.entries(cpu).filter(([name]) => name.startsWith(program))
  return own.reduce((sum, [, us]) => sum + us / 1000, 0)
}

function nameOf({ rate, workers }: Pick<OpenLoopResult, 'rate' | 'workers'>): string {
  return workers === 1 ? `${rate} leads/s` : `${rate} leads/s, ${workers} workers`
}
