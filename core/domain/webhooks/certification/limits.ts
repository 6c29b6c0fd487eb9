/** An answer that takes longer fails the case `slow_answer`: a third of the time that an attempt has (docs/product.md §9). */
export const SLOW_MS = 5000
/** After this long without an answer we hang up and send the request again, as after a time-out. */
export const HANG_UP_MS = 250
/** The longest `Retry-After` that a run waits for, in seconds. */
export const LONGEST_WAIT_SECONDS = 60
/** Refused requests of a burst that are sent again after that wait. */
export const SENT_AGAIN = 5
/** Characters of an answer that the run's record keeps. */
export const KEPT_ANSWER = 300
/** Requests of a case whose answers are kept; the others only have status and time. */
export const KEPT_ANSWERS = 5
