/** A moment, and the least id that a row of that moment can have (core/domain/uuid-at.ts). */
export interface OldestKept {
  moment: Date
  id: string
}

/** One piece of a walk through old rows in the order of their ids, which is the order of their times. */
export interface Step {
  removed: number
  /** the last id that was looked at; null at the end */
  last: string | null
  /** the first of them that a later walk has to look at again */
  waits: string | null
}
