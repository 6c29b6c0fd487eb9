import type { Config } from '#core/config/config.ts'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'

/** From a worker to a process that sends deliveries alone: first how it is set up, then one delivery after the other. */
export type ToSender = { kind: 'start'; config: Config } | { kind: 'send'; delivery: ClaimedDelivery }

/**
 * And back. `alive` comes every second; `sent` when the delivery is done with, whatever came of it; the others are what the worker
 * counts for it, as nobody scrapes the process itself.
 */
export type FromSender =
  | { kind: 'ready' }
  | { kind: 'alive' }
  | { kind: 'sent' }
  | { kind: 'attempt'; outcome: string }
  | { kind: 'finished'; state: 'delivered' | 'failed' }
  | { kind: 'latency'; seconds: number }

/** Milliseconds between two signs of life. */
export const ALIVE_EVERY_MS = 1000
