import type { Receipt as PathReceipt } from '../lab/receiver/receipt.ts'

/** Moments are milliseconds since the epoch, all by one machine's clock. */

/** A lead that the API accepted, with any number of tries. */
export interface Ack {
  externalId: string
  leadId: string
  /** the endpoint that should receive it */
  endpoint: number
  /** its intended moment, whether or not the sender was on time */
  intended: number
  ackedAt: number
  /** requests until one was answered; above 1 the source had to repeat */
  tries: number
  /** the server that accepted it; absent if it was written into the database */
  url?: string
}

/** A complete request at an endpoint. */
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
  /** null if no answer came */
  responseStatus: number | null
}

/** The contents of a queue after the drain. Orphans are job keys that are in no list. */
export interface QueueRow {
  queue: string
  waiting: number
  active: number
  delayed: number
  failed: number
  orphans: number
}

/** A moment or span in which answers could not be recorded, so each request in flight may be repeated. */
export interface AmbiguousFault {
  what: string
  from: number
  until: number
  /** the most requests that can have been in flight */
  inFlight: number
}

/** All traces of one run: in the API, at the endpoints, in PostgreSQL and in Redis. */
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
  /** Leads are sold. A lead may stay unsold, or belong to one client after another. */
  isMarket?: boolean
  /** I6: endpoints that must not notice the fault; checked for leads intended between the two moments */
  healthy: { endpoints: number[]; from: number; until: number; p99LimitMs: number } | null
}
