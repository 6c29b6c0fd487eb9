import type { Spread } from '../spread.ts'

/** Beside others no more than so many times as late as alone, or no more than so many milliseconds later. */
const TIMES = 1.5
const MORE_MS = 20

/** What must hold in a case. */
export interface Aims {
  /** which part of the deliveries is held against what it was alone; null where lateness is only told */
  quantile: 'p95' | 'p99' | null
  /** milliseconds for which no client may get nothing */
  silenceMs: number | null
  /** what the others get through in a second, by what they get through where nobody else is */
  drainShare: number | null
}

export const USUAL_AIMS: Aims = { quantile: 'p95', silenceMs: null, drainShare: null }

/** What was measured in a case. */
export interface Played {
  /** of the client who is measured: milliseconds from the moment a lead was meant to be sent to its receipt */
  alone: Spread
  /** null where not all of his came */
  beside: Spread | null
  /** milliseconds by which the generator itself was late beside the others, the 99th of a hundred: the processors are shared */
  lateMs: number
  /** milliseconds in which he, and in which another client who gets leads all the while, got nothing, at most */
  silenceMs: { victim: number; others: number | null }
  /** leads that the API did not take */
  refused: number
  /** his that never came; those of others that never came, or that nobody ever planned */
  lost: { victim: number; others: number }
  /** of what the others brought and had to get: deliveries a second */
  drained: { beside: number | null; alone: number | null }
}

export function isWithin(alone: number, beside: number): boolean {
  return beside <= alone * TIMES || beside <= alone + MORE_MS
}

/** In words, what did not hold; empty where all did. */
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
