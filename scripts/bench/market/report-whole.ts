import type { OpenLoopResult } from '../open-loop.ts'
import { costOfLead } from '../report-open-loop.ts'
import { table, tellFigure } from '../report.ts'
import type { Way } from './set-up-market.ts'

export type WholeResult = OpenLoopResult & { way: Way }

/**
 * The market's leads beside those of sources that name their clients, in pairs of one rate, with their ratio.
 */
export function wholeTable(results: readonly WholeResult[]): string {
  const head = [
    'ingest to receipt',
    'p50 ms',
    'p95 ms',
    'p99 ms',
    'ms of processor time a lead',
    'undelivered',
  ]
  const rates = [...Map.groupBy(results, ({ rate }) => rate)]
  const rows = rates.flatMap(([rate, both]) => {
    const told = both.map((result) => [
      `${rate} leads/s, ${result.way === 'named' ? 'sources that name their clients' : 'the market'}`,
      ...figuresOf(result).map((ms) => tellFigure(ms, 1)),
      tellFigure(result.undelivered),
    ])
    const [named, market] = (['named', 'market'] as const).map((way) => both.find((one) => one.way === way))
    if (named === undefined || market === undefined) return told
    const before = figuresOf(named)
    const ratios = figuresOf(market).map((ms, index) => tellFigure(ms / (before[index] ?? Number.NaN), 2))
    return [...told, [`${rate} leads/s, the market by the others`, ...ratios, '']]
  })
  return table([head, ...rows])
}

function figuresOf(result: WholeResult): number[] {
  const { p50, p95, p99 } = result.receipt ?? { p50: Number.NaN, p95: Number.NaN, p99: Number.NaN }
  return [p50, p95, p99, costOfLead(result)]
}
