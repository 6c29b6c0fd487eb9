import type { Config } from '#core/config/config.ts'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'

/**
 * Messages from a worker to a process that sends deliveries alone: first its configuration, then one delivery at a
 * time.
 */
export type ToSender = { kind: 'start'; config: Config } | { kind: 'send'; delivery: ClaimedDelivery }

/**
 * Messages back to the worker. `alive` comes every second; `sent` comes when the delivery is finished, whatever the
 * result. The others are metrics: the worker counts them, because Prometheus does not scrape this process.
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
