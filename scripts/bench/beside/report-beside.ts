import { shareOf } from './judge-case.ts'
import type { BesideResult } from './run-case.ts'
import { table } from '../report.ts'

/** Each case: the client who is measured alone and beside the others, and what did not hold. */
export function besideTable(results: readonly BesideResult[]): string {
  const late = ['p50 ms', 'p95 ms', 'p99 ms', 'max ms', 'p95 × alone', 'p99 × alone']
  const head = ['beside', '', ...late, 'generator late ms', 'silent ms', 'others silent ms', 'lost', '']
  const rows = results.flatMap(({ alone, beside, lateMs, silenceMs, lost, misses, ...load }) => [
    [
      nameOf(load),
      'alone',
      ...[alone.p50, alone.p95, alone.p99, alone.max].map(tenths),
      '',
      '',
      '',
      '',
      '',
      '',
      '',
    ],
    [
      '',
      'beside',
      ...[beside?.p50, beside?.p95, beside?.p99, beside?.max].map(tenths),
      beside === null ? '–' : (beside.p95 / alone.p95).toFixed(2),
      beside === null ? '–' : (beside.p99 / alone.p99).toFixed(2),
      tenths(lateMs),
      ...[silenceMs.victim, silenceMs.others].map((ms) => ms?.toFixed(0) ?? '–'),
      String(lost.victim + lost.others),
      misses.length === 0 ? 'holds' : 'MISSED',
    ],
  ])
  return [table([head, ...rows]), ...results.map(sayMore)].join('\n')
}

/** What the others got through, and in words what did not hold. */
function sayMore({ drained, misses, ...load }: BesideResult): string {
  const { beside, alone } = drained
  const share = shareOf(drained)
  const said = [
    ...(beside === null ? [] : [`the others' ${beside.toFixed(0)}/s`]),
    ...(alone === null ? [] : [`${alone.toFixed(0)}/s where nobody else is (${share?.toFixed(2)})`]),
    ...misses.map((miss) => `MISSED: ${miss}`),
  ]
  return `  ${nameOf(load)}: ${said.length === 0 ? 'holds' : said.join(' · ')}`
}

function nameOf({ name, rate, workers }: Pick<BesideResult, 'name' | 'rate' | 'workers'>): string {
  return `${name}, ${rate}/s, ${workers === 1 ? 'one worker' : `${workers} workers`}`
}

function tenths(ms: number | undefined): string {
  return ms?.toFixed(1) ?? '–'
}
