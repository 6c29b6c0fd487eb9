import type { Span } from '../../lab/receiver/read-receipts.ts'
import type { Asker } from './ask.ts'
import type { Buyer } from './open-buyers.ts'

/**
 * A webhook that is added, deleted or paused during the run, and what is certain about it on every server.
 */
export interface EditedWebhook {
  id: string
  endpoint: number
  /** every event planned within these spans must arrive */
  on: Span[]
  /** no event planned within these spans may arrive before their end */
  off: Span[]
  /** when it was switched on; undefined while it is off */
  onSince: number | undefined
}

/** The context of every edit. */
export interface Desk {
  ask: Asker['ask']
  buyer: Buyer
  /** the receiver's origin */
  origin: string
  nextEndpoint: () => number
  /**
   * the planning time of the webhook's oldest event that has not arrived, in milliseconds since the epoch;
   * undefined if all have arrived
   */
  oldestOpen: (webhookId: string) => Promise<number | undefined>
  /** Counts attempts, and failed checks. */
  note: (what: string, isTrue: boolean) => void
}

/** From `until` on nothing is certain about the webhook. */
export function endSpan(webhook: EditedWebhook, until: number): void {
  const { onSince: from } = webhook
  if (from !== undefined && from < until) webhook.on.push({ from, until })
  webhook.onSince = undefined
}
