/** The primary had written so much at this moment of the process's own clock. */
interface Mark {
  at: number
  written: bigint
}

/** Measures how old the answers of a replica are. No clock but this process's is asked, so clocks need not agree. */
export interface Lag {
  /**
   * @param at before the primary was asked
   * @param replayed undefined if the server is no replica, or did not answer
   */
  note: (at: number, written: bigint, replayed: bigint | undefined) => void
  /** The replica has everything that was committed before this moment; undefined if that is not known. */
  asOf: () => number | undefined
}

/** @param mostMs marks older than this are of no use */
export function measureLag(mostMs: number): Lag {
  let marks: Mark[] = []
  let asOf: number | undefined
  return {
    note: (at, written, replayed) => {
      marks.push({ at, written })
      if (replayed === undefined) {
        asOf = undefined
        return
      }
      const reached = marks.findLast((mark) => mark.written <= replayed)
      asOf = reached?.at ?? asOf
      marks = marks.filter((mark) => mark.at > (reached?.at ?? 0) && mark.at >= at - mostMs)
    },
    asOf: () => asOf,
  }
}
