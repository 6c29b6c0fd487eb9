import type { Spread } from '../spread.ts'

/**
 * Beside others a client's leads may be at most this many times as late as alone, or this many milliseconds
 * later.
 */
const TIMES = 1.5
const MORE_MS = 20

/** The conditions of a case. */
export interface Aims {
  /** the quantile of lateness that is compared with the run alone; null if lateness is only reported */
  quantile: 'p95' | 'p99' | null
  /** the longest silence allowed for any client, in milliseconds */
  silenceMs: number | null
  /** the others' deliveries a second, as a share of what they reach alone */
  drainShare: number | null
}

export const USUAL_AIMS: Aims = { quantile: 'p95', silenceMs: null, drainShare: null }

/** The measurements of a case. */
export interface Played {
  /** the measured client alone: milliseconds from a lead's intended moment to its receipt */
  alone: Spread
  /** null if not all of its leads arrived */
  beside: Spread | null
  /**
   * milliseconds by which the generator itself was late beside the others, at the 99th percentile; generator
   * and product share the processors
   */
  lateMs: number
  /**
   * the longest milliseconds without a receipt: of the measured client, and of the other clients that get
   * leads throughout
   */
  silenceMs: { victim: number; others: number | null }
  /** leads that the API did not accept */
  refused: number
  /**
   * leads of the measured client that never arrived; leads of others that never arrived or were never planned
   */
  lost: { victim: number; others: number }
  /** deliveries a second to the others */
  drained: { beside: number | null; alone: number | null }
}

export function isWithin(alone: number, beside: number): boolean {
  return beside <= alone * TIMES || beside <= alone + MORE_MS
}

/** The failed conditions in words; empty if all held. */
export function judgeCase(aims: Aims, played: Played): string[] {
  const misses: string[] = []
  const { alone, beside, silenceMs, refused, lost, drained } = played
  if (refused > 0) misses.push(`${refused} lead(s) were not taken`)
  if (lost.victim > 0) misses.push(`${lost.victim} of the measured client's deliveries never came`)
  if (lost.others > 0) misses.push(`${lost.others} deliveries of the others are missing`)
  const { quantile } = aims
  if (quantile !== null && beside !== null && !isWithin(alone[quantile], beside[quantile]))
    misses.push(`${quantile} ${told(beside[quantile])} ms beside and ${told(alone[quantile])} ms alone`)
  const silence = Math.max(silenceMs.victim, silenceMs.others ?? 0)
  if (aims.silenceMs !== null && silence > aims.silenceMs)
    misses.push(`somebody got nothing for ${told(silence)} ms`)
  const share = shareOf(drained)
  if (aims.drainShare !== null && share !== null && share < aims.drainShare)
    misses.push(`the others drained at ${share.toFixed(2)} of what they do alone`)
  return misses
}

export function shareOf({ beside, alone }: Played['drained']): number | null {
  return beside === null || alone === null ? null : beside / alone
}

function told(ms: number): string {
  return ms.toFixed(1)
}
