import { longestGap, type Span } from '../../lab/receiver/read-receipts.ts'
import type { Receipt } from '../ledger.ts'
import type { Figure } from '../scenario.ts'

/** Whether a fault was met at all, and which clients it silenced. Each returns faults in words. */

/** Everything that a scenario is about must have happened, or it proved nothing. @param met counts by kind */
export function judgeMet(met: Readonly<Record<string, number>>, figure: Figure): string[] {
  const all = Object.entries(met)
  for (const [what, count] of all) figure(what, String(count))
  if (all.length === 0) return ['nothing was counted of its fault: the scenario proved nothing']
  return all.flatMap(([what, count]) => (count > 0 ? [] : [`no ${what}: the scenario proved nothing`]))
}

/**
 * No client waits longer than this for its next request while its leads arrive.
 * @param spans in which each of these endpoints always had something due
 */
export function judgeSilence(
  receipts: readonly Receipt[],
  { endpoints, spans, limitMs }: { endpoints: readonly number[]; spans: readonly Span[]; limitMs: number },
  figure: Figure,
): string[] {
  if (spans.length === 0) return ['there was no span to look at: the scenario proved nothing']
  const gaps = endpoints.flatMap((endpoint) => {
    const theirs = receipts.filter((receipt) => receipt.endpoint === endpoint)
    return spans.map((span) => ({ endpoint, ms: longestGap(theirs, span) }))
  })
  figure('longest silence of a client', `${(Math.max(...gaps.map(({ ms }) => ms)) / 1000).toFixed(1)} s`)
  return gaps
    .filter(({ ms }) => ms > limitMs)
    .map(({ endpoint, ms }) => `endpoint ${endpoint} heard nothing for ${Math.round(ms)} ms`)
}

/** Requests in progress at one of these moments, for endpoints that take this long to answer. */
export function countUnderWay(
  receipts: readonly Receipt[],
  moments: readonly number[],
  answerMs: number,
): number {
  return receipts.filter(({ at }) => moments.some((moment) => at <= moment && at > moment - answerMs)).length
}

/** The number of moments within one of these spans. */
export function countWithin(moments: readonly number[], spans: readonly Span[]): number {
  return moments.filter((at) => spans.some(({ from, until }) => at >= from && at <= until)).length
}
