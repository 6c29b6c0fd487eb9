import type { Answer } from './give-answer.ts'

/** Paths of the receiver's process that are orders and questions, and no endpoints. */
export const CONTROL = '/-/'

export interface AnswerOrder {
  path: string
  answer: Answer
  /** every tenth request is answered so instead */
  everyTenth?: Answer | undefined
}

/** A request that reached an endpoint whole. */
export interface Receipt {
  /** the endpoint's */
  path: string
  /** `webhook-id` */
  eventId: string
  deliveryId: string
  attempt: number
  /** milliseconds since the epoch, as is `intended` */
  at: number
  /** carried through the payload; null where the template does not hold it */
  intended: number | null
  /** the status that was answered; null when none was */
  answered: number | null
  /** the endpoint broke the connection instead of answering */
  wasCut: boolean
}

/** What came to the endpoints of one room, which is the first word of their paths, since the last reset. */
export interface Tally {
  /** moments of the first and the last, milliseconds since the epoch */
  first: number
  last: number
  count: number
  /** deliveries, repeats not counted */
  distinct: number
  bytes: number
}
