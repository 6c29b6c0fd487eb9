import type { Receipt as PathReceipt } from '../lab/receiver/receipt.ts'

/** Moments are milliseconds since the epoch, all by one machine's clock. */

/** A lead that the API took, whatever it took to get the answer. */
export interface Ack {
  externalId: string
  leadId: string
  /** the endpoint it is meant for */
  endpoint: number
  /** when it was to be sent, whether or not the sender was on time */
  intended: number
  ackedAt: number
  /** requests until one was answered; more than 1 means the source had to repeat */
  tries: number
  /** the server that took it; absent where it was put into the database */
  url?: string
}

/** A request that reached an endpoint whole. */
export interface Receipt extends Omit<PathReceipt, 'path'> {
  endpoint: number
}

export interface EventRow {
  id: string
  leadId: string
  type: string
  clientId: string | null
  isPlanned: boolean
}

export interface ConfigRow {
  id: string
  clientId: string
  endpoint: number
  onCreated: boolean
  onAssigned: boolean
}

export interface DeliveryRow {
  id: string
  eventId: string
  configId: string
  leadId: string
  state: string
  attempt: number
}

export interface LogRow {
  deliveryId: string
  attempt: number
  /** null when no answer came */
  responseStatus: number | null
}

/** What Redis still holds after the drain. Orphans are job keys that stand in no list. */
export interface QueueRow {
  queue: string
  waiting: number
  active: number
  delayed: number
  failed: number
  orphans: number
}

/** A moment, or a span, in which requests in flight could not be recorded: each may have to be made again. */
export interface AmbiguousFault {
  what: string
  from: number
  until: number
  /** requests that can have been in flight */
  inFlight: number
}

/** Everything that one run left behind, in the API, at the endpoints, in PostgreSQL and in Redis. */
export interface Ledger {
  acks: Ack[]
  receipts: Receipt[]
  events: EventRow[]
  configs: ConfigRow[]
  deliveries: DeliveryRow[]
  logs: LogRow[]
  queues: QueueRow[]
  ambiguous: AmbiguousFault[]
  /** attempts after which a delivery may be `failed` */
  attempts: number
  /** leads are sold: one may be nobody's, and another two clients', one after the other */
  isMarket?: boolean
  /** I6: endpoints that must not notice the fault; leads meant for the span between the moments are looked at */
  healthy: { endpoints: number[]; from: number; until: number; p99LimitMs: number } | null
}
