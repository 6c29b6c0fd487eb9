import { LRUCache } from 'lru-cache'
import type { CountingPlace } from '../http/rate-limits.ts'

const WINDOW_SECONDS = 60
const WINDOW_MS = WINDOW_SECONDS * 1000
/**
 * The number of lots that the limit is divided into: one of a hundred leads waits for Redis to take the next
 * lot.
 */
const LOTS = 100
/** Sources that one process remembers. */
const MOST = 10_000
/** Milliseconds after which a silent Redis counts as away. */
const PATIENCE_MS = 100

/** The requests that a source has left in this minute; `ok`: this request was allowed and counted. */
export interface IngestRate {
  ok: boolean
  limit: number
  /** approximate: it lacks what other servers took since this one last asked */
  remaining: number
  window_seconds: number
  reset_seconds: number
}

export interface IngestRates {
  /**
   * Counts this many leads of a source, all or none. A number above the limit of a minute counts as that
   * limit.
   */
  spend: (source: string, leads: number) => Promise<IngestRate>
}

interface Counted {
  window: number
  /** taken from Redis and not spent */
  left: number
  /** total taken by this server */
  taken: number
  /** not taken by any server, as far as this one knows */
  free: number
  /** nothing is left to take */
  isEmpty: boolean
  asking: Promise<void> | undefined
}

/**
 * Limits how many leads a source may post in a minute of the clock, at all servers together. A server takes
 * them from Redis in lots, so that frequent leads seldom wait for Redis, and all servers together never
 * exceed the limit. While Redis is away each server counts for itself.
 */
export function openIngestRates(
  limit: number,
  place: CountingPlace,
  now: () => number = Date.now,
): IngestRates {
  const lot = Math.max(1, Math.floor(limit / LOTS))
  const sources = new LRUCache<string, Counted>({ max: MOST })

  function read(source: string): Counted {
    const window = Math.floor(now() / WINDOW_MS)
    const kept = sources.get(source)
    if (kept?.window === window) return kept
    const fresh = { window, left: 0, taken: 0, free: limit, isEmpty: false, asking: undefined }
    sources.set(source, fresh)
    return fresh
  }

  async function take(source: string, counted: Counted, wanted: number): Promise<void> {
    const before = await countBefore(place, `${source}:${counted.window}`, wanted)
    const granted =
      before === undefined ? limit - counted.taken : Math.min(wanted, Math.max(0, limit - before))
    counted.left += granted
    counted.taken += granted
    counted.isEmpty = before === undefined || granted < wanted
    counted.free = counted.isEmpty ? 0 : limit - (before ?? 0) - granted
    counted.asking = undefined
  }

  function tell(ok: boolean, { left, free }: Counted): IngestRate {
    const reset_seconds = Math.max(1, Math.ceil((WINDOW_MS - (now() % WINDOW_MS)) / 1000))
    return { ok, limit, remaining: left + free, window_seconds: WINDOW_SECONDS, reset_seconds }
  }

  return {
    spend: async (source, leads) => {
      const cost = Math.min(leads, limit)
      for (;;) {
        const counted = read(source)
        if (counted.left >= cost) {
          counted.left -= cost
          return tell(true, counted)
        }
        if (counted.isEmpty) return tell(false, counted)
        counted.asking ??= take(source, counted, Math.max(lot, cost - counted.left))
        await counted.asking
      }
    },
  }
}

/** Adds to the count of all servers. @returns the count before; undefined if Redis does not answer in time */
async function countBefore(place: CountingPlace, key: string, wanted: number): Promise<number | undefined> {
  if (place === undefined || place.client.status !== 'ready') return undefined
  const name = `${place.prefix}:rate:ingest:${key}`
  const asked = place.client
    .pipeline()
    .incrby(name, wanted)
    .pexpire(name, 2 * WINDOW_MS)
    .exec()
    .then(
      (answers) => answers?.[0]?.[1],
      () => undefined,
    )
  const { promise: tooLate, resolve } = Promise.withResolvers<undefined>()
  // An answer that came while this process was busy is read before the decision, not after it.
  const timer = setTimeout(() => setImmediate(resolve, undefined), PATIENCE_MS)
  const after = await Promise.race([asked, tooLate])
  clearTimeout(timer)
  return typeof after === 'number' ? after - wanted : undefined
}
