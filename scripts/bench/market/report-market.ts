import { nameProgram, table, tellFigure } from '../report.ts'
import type { ChoiceResult } from './choice.ts'
import type { CrowdResult } from './crowd.ts'

const PROGRAMS = ['worker', 'postgres', 'redis'] as const

/**
 * Forbidden outcomes in words, with the contradictions that reveal them
 * (scripts/lab/market/find-contradictions.ts).
 */
const FAULTS: Readonly<Record<string, readonly string[]>> = {
  'over caps': ['cap', 'tally'],
  'negative balances': ['negative'],
  'leads sold twice': ['twice', 'person', 'lead'],
  'ledger chain breaks': ['chain', 'balance'],
  'charged for nothing, or not as sold': ['charge', 'nothing', 'credit'],
  'sold and not told once': ['told'],
  'gaps, repeats and wrong entries of feeds': [
    'gap',
    'head',
    'missing',
    'invented',
    'held',
    'time',
    'hash',
  ].map((what) => `feed: ${what}`),
}

export function crowdTable(result: CrowdResult): string {
  const { answers, disturbed, faults, followed } = result
  const count = (whats: readonly string[]): number =>
    whats.reduce((sum, what) => sum + (faults[what] ?? 0), 0)
  const refused = Object.entries(answers).filter(([answer]) => answer.startsWith('status'))
  const surfaced = refused.reduce((sum, [, times]) => sum + times, 0)
  const list = (counts: object): string =>
    Object.entries(counts)
      .map(([name, times]) => `${name} ${tellFigure(times as number)}`)
      .join(', ')
  return table([
    [`${result.clients} clients, ${result.callers} callers, ${tellFigure(result.leads)} leads`, ''],
    ['seconds', tellFigure(result.seconds, 1)],
    ['sold', tellFigure(result.sold)],
    ['undecided', tellFigure(result.undecided)],
    ['deadlocks and other failures that surfaced', tellFigure(surfaced)],
    ['deadlocks that were repeated', tellFigure(result.deadlocks)],
    ...Object.entries(FAULTS).map(([what, those]) => [what, tellFigure(count(those))]),
    ['times that the worker was killed', tellFigure(result.kills)],
    ['entries that a reader of all feeds got', tellFigure(followed.entries)],
    ['of these out of order', tellFigure(followed.outOfOrder)],
    ['furthest from its weight’s part, in percent', tellFigure(result.offShare * 100, 2)],
    ['answers over HTTP', list(answers)],
    ['beside', list(disturbed)],
  ])
}

/** The ratios are of processor time, relative to the row of 100 orders. */
export function choiceTable(results: readonly ChoiceResult[]): string {
  const costs = results.map(({ cpu }) => PROGRAMS.reduce((sum, name) => sum + (cpu[name] ?? Number.NaN), 0))
  const hundred = costs[results.findIndex(({ orders }) => orders === 100)]
  const head = [
    'orders',
    'assignments per s',
    ...PROGRAMS.map((name) => `${nameProgram(name)} µs`),
    'all µs',
    'by that at 100',
    'part sold',
    'bytes a decision',
  ]
  const rows = results.map(({ orders, perSecond, cpu, sold, bytes }, index) => [
    tellFigure(orders),
    tellFigure(perSecond),
    ...PROGRAMS.map((name) => tellFigure(cpu[name])),
    tellFigure(costs[index]),
    tellFigure((costs[index] ?? Number.NaN) / (hundred ?? Number.NaN), 2),
    tellFigure(sold, 2),
    tellFigure(bytes),
  ])
  return table([head, ...rows])
}
