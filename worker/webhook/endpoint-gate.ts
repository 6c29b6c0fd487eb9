/** An exchange longer than this makes its endpoint slow, until one ends sooner. */
const SLOW_MS = 2000
/** In flight to an endpoint that has not answered this process yet. */
const UNPROVEN_LIMIT = 10

interface Endpoint {
  /** who is inside */
  stays: Set<symbol>
  /** when each exchange in flight began, oldest first; our own work before and after it is not the endpoint's fault */
  startedAt: Map<symbol, number>
  lastTookMs: number | undefined
}

/** A place at an endpoint; `leave` may be called twice. */
export interface Stay {
  /** runs the exchange with the endpoint, and learns from how long it takes */
  exchange: <Result>(work: () => Promise<Result>) => Promise<Result>
  leave: () => void
}

/** A place, or the milliseconds after which to ask again. */
export type Entry = Stay | { waitMs: number }

/**
 * Keeps a slow endpoint from taking the slots that others need. A quick one may use up to its limit. All slow ones together
 * share half of the slots in equal parts, whoever they belong to; so however many hang, half of the worker goes on at full
 * speed. Speed is what counts, not success: an endpoint that fails at once takes nothing from anybody.
 * @param options.slots exchanges in flight in this process (WEBHOOK_CONCURRENCY)
 * @param options.limit exchanges in flight to one endpoint (WEBHOOK_ENDPOINT_CONCURRENCY)
 * @param options.now a clock in milliseconds that never goes back
 */
export function createEndpointGate(options: {
  slots: number
  limit: number
  now: () => number
  random: () => number
}): { enter: (endpoint: string) => Entry } {
  const { now, random } = options
  const endpoints = new Map<string, Endpoint>()
  const sharedBySlow = Math.max(1, Math.floor(options.slots / 2))

  const isSlow = (endpoint: Endpoint, at: number): boolean => {
    const [oldest] = endpoint.startedAt.values()
    if (oldest !== undefined && at - oldest > SLOW_MS) return true
    return endpoint.lastTookMs !== undefined && endpoint.lastTookMs > SLOW_MS
  }

  const limitOf = (endpoint: Endpoint, at: number): number => {
    if (isSlow(endpoint, at)) {
      const slow = [...endpoints.values()].filter((one) => one.stays.size > 0 && isSlow(one, at))
      const sharers = slow.length + (slow.includes(endpoint) ? 0 : 1)
      return Math.min(options.limit, Math.max(1, Math.floor(sharedBySlow / sharers)))
    }
    return endpoint.lastTookMs === undefined ? Math.min(UNPROVEN_LIMIT, options.limit) : options.limit
  }

  return {
    enter: (id) => {
      const at = now()
      const endpoint = endpoints.get(id) ?? newEndpoint()
      if (endpoint.stays.size >= limitOf(endpoint, at)) {
        // Whoever waits for a slow endpoint waits longer: each time it asks costs Redis a little.
        return { waitMs: (isSlow(endpoint, at) ? 3000 : 250) * (1 + 2 * random()) }
      }
      const stay = Symbol(id)
      endpoint.stays.add(stay)
      endpoints.delete(id)
      endpoints.set(id, endpoint)
      forgetIdle(endpoints)
      return {
        exchange: async (work) => {
          const startedAt = now()
          endpoint.startedAt.set(stay, startedAt)
          try {
            return await work()
          } finally {
            endpoint.startedAt.delete(stay)
            endpoint.lastTookMs = now() - startedAt
          }
        },
        leave: () => {
          endpoint.stays.delete(stay)
        },
      }
    },
  }
}

function newEndpoint(): Endpoint {
  return { stays: new Set(), startedAt: new Map(), lastTookMs: undefined }
}

const KEPT_ENDPOINTS = 10_000

/** The one that was entered longest ago stands first; with nothing in flight it may be learned anew. */
function forgetIdle(endpoints: Map<string, Endpoint>): void {
  if (endpoints.size <= KEPT_ENDPOINTS) return
  for (const [id, endpoint] of endpoints) {
    if (endpoint.stays.size > 0) continue
    endpoints.delete(id)
    return
  }
}
