import { LEEWAY } from './limits.ts'

/** What single things took, and how little it can be. */
interface Watched {
  waits: number[]
  best: number
  tolerableMs: number
}

/** How much those may do who give way. */
export interface Leeway {
  /** Watches one kind of single things: more than `tolerableMs` for one may be a reason to give way. */
  watch: (tolerableMs: number) => NoteSingle
  /** Between the least and 1. To be asked a few times a second while somebody waits for it. */
  share: () => number
  /** Somebody who gives way did something. */
  noteGiving: () => void
  /** So many processes leave room beside each other, this one among them. */
  among: (processes: number) => void
}

/** A single thing was done; `ms` is how long it took, apart from what was not up to us. */
export type NoteSingle = (ms: number) => void

/**
 * How much of what they could do those may do who give way (batches, bursts, retries), so that whoever brings one thing at a
 * time does not wait for processor and database. It looks at what single things take here: while any kind of them takes more
 * than is tolerable the share shrinks, while none does it grows; with nobody to give way to it doubles.
 * @param now a clock in milliseconds that never goes back
 */
export function createLeeway(now: () => number): Leeway {
  const kinds: Watched[] = []
  let least: number = LEEWAY.least
  let seenAt = -Infinity
  let lookedAt = -Infinity
  let gaveAt = -Infinity
  let share = 1

  function look(): void {
    const at = now()
    if (at - lookedAt < LEEWAY.lookEveryMs) return
    lookedAt = at
    if (at - seenAt > LEEWAY.quietMs) {
      // Too few to judge by, and nobody is about any more whom they could speak for.
      for (const kind of kinds) kind.waits = []
      share = Math.min(1, share * 2)
      return
    }
    const judged = kinds.filter(({ waits }) => waits.length >= LEEWAY.fewestSamples).map(isTooMuch)
    if (judged.includes(true)) share = Math.max(least, share * LEEWAY.shrink)
    else if (judged.length > 0) share = Math.min(1, share * LEEWAY.grow)
    // Who comes after a rest begins small: those who are about should not have to wait before he gives way.
    if (at - gaveAt > LEEWAY.quietMs) share = Math.min(share, LEEWAY.start)
  }

  return {
    watch: (tolerableMs) => {
      const watched: Watched = { waits: [], best: Infinity, tolerableMs }
      kinds.push(watched)
      return (ms) => {
        watched.waits.push(ms)
        seenAt = now()
        look()
      }
    },
    share: () => {
      look()
      return share
    },
    noteGiving: () => {
      gaveAt = now()
    },
    among: (processes) => {
      least = LEEWAY.least / Math.max(1, processes)
    },
  }
}

/** Judges what was noted since the last look. */
function isTooMuch(kind: Watched): boolean {
  const sorted = kind.waits.toSorted((a, b) => a - b)
  kind.waits = []
  kind.best = Math.min(kind.best * LEEWAY.forgetting, sorted[Math.floor(sorted.length / 2)] ?? Infinity)
  const worst = sorted[Math.floor(sorted.length * 0.9)] ?? 0
  return worst > Math.max(kind.tolerableMs, kind.best * LEEWAY.timesTheBest)
}
