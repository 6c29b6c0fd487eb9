/** Least time between the beginnings of two single requests of a run. */
const PACE_MS = 250

/** The times of a run, in milliseconds. */
export interface Tempo {
  /** least time between the beginnings of two single requests, by the requests a minute that the client allows */
  paceMs: (requestsPerMinute: number | null) => number
  /** an answer that takes longer fails the case `slow_answer` */
  slowMs: number
  /** after this long without an answer we hang up and send the request again, as after a time-out */
  hangUpMs: number
}

/** A third of the time that an attempt has is slow (docs/product.md §9). */
export const USUAL_TEMPO: Tempo = {
  paceMs: (requestsPerMinute) =>
    Math.max(PACE_MS, requestsPerMinute === null ? 0 : Math.ceil(60_000 / requestsPerMinute)),
  slowMs: 5000,
  hangUpMs: 250,
}

/** The longest `Retry-After` that a run waits for, in seconds. */
export const LONGEST_WAIT_SECONDS = 60
/** Refused requests of a burst that are sent again after that wait. */
export const SENT_AGAIN = 5
/** Characters of an answer that the run's record keeps. */
export const KEPT_ANSWER = 300
/** Requests of a case whose answers are kept; the others only have status and time. */
export const KEPT_ANSWERS = 5
