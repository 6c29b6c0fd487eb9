import type { Span } from '../../lab/receiver/read-receipts.ts'
import type { Asker } from './ask.ts'
import type { Buyer } from './open-buyers.ts'

/** A webhook that comes, goes or pauses meanwhile, and what is certain of it, whoever asks. */
export interface EditedWebhook {
  id: string
  endpoint: number
  /** every event planned in these must arrive */
  on: Span[]
  /** no event planned in these may, before their end */
  off: Span[]
  /** since when it is on; undefined while it is not */
  onSince: number | undefined
}

/** What every edit needs. */
export interface Desk {
  ask: Asker['ask']
  buyer: Buyer
  /** the receiver's */
  origin: string
  nextEndpoint: () => number
  /** when the oldest event was planned that this webhook has yet to get, milliseconds since the epoch; undefined where it has all */
  oldestOpen: (webhookId: string) => Promise<number | undefined>
  /** Counts what was tried, and what did not hold. */
  note: (what: string, isTrue: boolean) => void
}

/** From then on nothing is certain of it. */
export function endSpan(webhook: EditedWebhook, until: number): void {
  const { onSince: from } = webhook
  if (from !== undefined && from < until) webhook.on.push({ from, until })
  webhook.onSince = undefined
}
