import type { Spread } from '../spread.ts'
import { table, tellFigure, tellMedian, tellRuns } from '../report.ts'
import { shareOf } from './judge-case.ts'
import type { BesideResult } from './run-case.ts'

/**
 * A line for each case. For each load it shows the quantile by which the case is judged, its ratio to the run
 * alone, and whether the case holds; for several runs the medians, and each ratio.
 */
export function besideTable(results: readonly BesideResult[]): string {
  const loads = [...new Set(results.map(nameLoad))]
  const head = loads.flatMap((load) => [`${load}: ms`, '× alone', ''])
  const rows = [...Map.groupBy(results, ({ who }) => who)].map(([who, ofCase]) => [
    `${who}${ofCase[0]?.quantile === 'p99' ? ' (p99)' : ''}`,
    ...loads.flatMap((load) => tellCase(ofCase.filter((run) => nameLoad(run) === load))),
  ])
  return table([['beside (p95)', ...head], ...rows])
}

function tellCase(runs: readonly BesideResult[]): string[] {
  const judged = (run: BesideResult, of: Spread | null): number => of?.[run.quantile ?? 'p95'] ?? Number.NaN
  return [
    tellMedian(
      runs.map((run) => judged(run, run.beside)),
      1,
    ),
    tellRuns(
      runs.map((run) => judged(run, run.beside) / judged(run, run.alone)),
      2,
    ),
    tellVerdict(runs),
  ]
}

/** Includes the conditions of a killed worker, and of a burst. */
function tellVerdict(runs: readonly BesideResult[]): string {
  const held = runs.filter(({ misses }) => misses.length === 0).length
  const verdict =
    held === runs.length ? 'holds' : held === 0 ? 'misses' : `holds in ${held} of ${runs.length}`
  const silences = runs.map(({ silenceMs: { victim, others } }) =>
    others === null ? null : Math.max(victim, others),
  )
  const shares = runs.map(({ drained }) => shareOf(drained))
  return [
    verdict,
    ...(silences.some((ms) => ms !== null) ? [`silent for ${tellRuns(silences)} ms at most`] : []),
    ...(shares.some((share) => share !== null) ? [`drains ${tellRuns(shares, 2)} of alone`] : []),
  ].join('; ')
}

/** All measurements of one run, and the failed conditions in words. */
export function besideLines({ alone, beside, lateMs, silenceMs, drained, misses }: BesideResult): string {
  const spread = (of: Spread | null): string =>
    of === null ? '–' : [of.p50, of.p95, of.p99, of.max].map((ms) => tellFigure(ms, 1)).join(' / ')
  const { victim, others } = silenceMs
  const through = [
    ...(drained.beside === null ? [] : [`the others' ${tellFigure(drained.beside)}/s`]),
    ...(drained.alone === null ? [] : [`${tellFigure(drained.alone)}/s where nobody else is`]),
  ]
  return [
    `p50 / p95 / p99 / max alone ${spread(alone)} ms, beside ${spread(beside)} ms`,
    `generator late ${tellFigure(lateMs, 1)} ms · silent ${tellFigure(victim)} ms, others ${tellFigure(others)} ms`,
    ...through,
    misses.length === 0 ? 'holds' : misses.map((miss) => `MISSED: ${miss}`).join(' · '),
  ]
    .map((line) => `  ${line}`)
    .join('\n')
}

function nameLoad({ rate, workers }: Pick<BesideResult, 'rate' | 'workers'>): string {
  return `${rate}/s, ${workers === 1 ? 'one worker' : `${workers} workers`}`
}
