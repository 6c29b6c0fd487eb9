import type { Answer } from './give-answer.ts'

/** Prefix of the receiver's paths for commands and queries, which are no endpoints. */
export const CONTROL = '/-/'

export interface AnswerOrder {
  path: string
  answer: Answer
  /** a different answer to every tenth request */
  everyTenth?: Answer | undefined
}

/** A complete request at an endpoint. */
export interface Receipt {
  /** the endpoint's */
  path: string
  /** `webhook-id` */
  eventId: string
  deliveryId: string
  attempt: number
  /** milliseconds since the epoch, like `intended` */
  at: number
  /** carried through the payload; null if the template does not contain it */
  intended: number | null
  /** the answered status; null if there was no answer */
  answered: number | null
  /** the endpoint broke the connection instead of answering */
  wasCut: boolean
}

/**
 * The requests to the endpoints of one room since the last reset. The room is the first word of their paths.
 */
export interface Tally {
  /** moments of the first and the last, milliseconds since the epoch */
  first: number
  last: number
  count: number
  /** deliveries, not counting repeats */
  distinct: number
  bytes: number
}
