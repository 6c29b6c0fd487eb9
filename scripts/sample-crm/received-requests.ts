import { LRUCache } from 'lru-cache'
import type { ReadLead } from './read-lead.ts'
import type { SignatureCheck } from './verify-signature.ts'

const KEPT = 200
const KEPT_ARRIVALS = 20
const KEPT_BODY_BYTES = 16 * 1024

/** One request as it arrived. `answered` is a status code, or what happened instead of one. */
export interface Arrival {
  readonly at: string
  readonly attempt: number | null
  readonly delivery_id: string | null
  readonly answered: number | 'no answer' | 'reset'
}

/** All requests with one `webhook-id`: the same event, however often it was sent. */
export interface ReceivedRequest {
  readonly key: string
  readonly webhook_id: string | null
  readonly event: string | null
  readonly method: string
  readonly content_type: string | null
  readonly signature: SignatureCheck
  readonly lead: ReadLead
  readonly body: string
  readonly body_bytes: number
  readonly body_truncated: boolean
  readonly seen: number
  /** Newest first. */
  readonly arrivals: readonly Arrival[]
}

type NewRequest = Omit<
  ReceivedRequest,
  'key' | 'body' | 'body_bytes' | 'body_truncated' | 'seen' | 'arrivals'
> & {
  readonly body: Buffer
  readonly arrival: Arrival
}

/**
 * The last requests, newest first, in memory. A real CRM keeps the `webhook-id` in its database, as a unique
 * key.
 */
export function createReceivedRequests() {
  const byKey = new LRUCache<string, ReceivedRequest>({ max: KEPT })
  let counter = 0
  return {
    list: (): ReceivedRequest[] => [...byKey.values()],
    clear: () => byKey.clear(),
    add: ({ body, arrival, ...request }: NewRequest) => {
      counter += 1
      // An unsigned request must never pass for a repeat of a signed one.
      const sort = request.signature === 'verified' ? 'verified' : 'unverified'
      const key = request.webhook_id === null ? `request:${counter}` : `${sort}:${request.webhook_id}`
      const before = byKey.get(key)
      byKey.set(key, {
        ...request,
        key,
        body: body.subarray(0, KEPT_BODY_BYTES).toString('utf8'),
        body_bytes: body.length,
        body_truncated: body.length > KEPT_BODY_BYTES,
        seen: (before?.seen ?? 0) + 1,
        arrivals: [arrival, ...(before?.arrivals ?? [])].slice(0, KEPT_ARRIVALS),
      })
    },
  }
}
