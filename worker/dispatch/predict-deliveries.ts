import { LRUCache } from 'lru-cache'
import type { Coming } from './waiting-clients.ts'
import type { TracedEvent } from '../pipeline/1-isolate-failing-events.ts'

/**
 * Number of pairs of a client and a type of event that are remembered. The next event of a forgotten pair is claimed
 * after its plan.
 */
const KEPT = 10_000
/**
 * Milliseconds until the plain form is tried again after it failed to plan an event: the webhook may have no conditions
 * any more.
 */
const NOT_PLAIN_MS = 1000

interface PlannedFor {
  event_id: string
  webhook_config_id: string
  client_user_id: string
}

/**
 * Remembers which deliveries the last event of a client made, so that slots can be reserved before the next one is
 * planned.
 */
export interface Forecast {
  /** the deliveries that these events will make at once, if nothing has changed since the last ones */
  predict: (events: readonly TracedEvent[]) => Coming[]
  /** whether the plain form may plan this event, as far as is known */
  isPlain: (event: TracedEvent) => boolean
  /**
   * @param deliveries the deliveries that these events made
   * @param notPlain ids of events that the plain form did not plan
   */
  note: (
    events: readonly TracedEvent[],
    deliveries: readonly PlannedFor[],
    notPlain: readonly string[],
  ) => void
}

/** @param now a clock in milliseconds that never goes back */
export function createForecast(now: () => number): Forecast {
  const kept = new LRUCache<string, ReadonlyArray<Omit<Coming, 'count'>>>({ max: KEPT })
  const notPlainYet = new LRUCache<string, true>({
    max: KEPT,
    ttl: NOT_PLAIN_MS,
    ttlResolution: 0,
    perf: { now },
  })

  const isPlain = ({ heard }: Pick<TracedEvent, 'heard'>): boolean =>
    heard === undefined || !notPlainYet.has(keyOf(heard))

  return {
    isPlain,
    predict: (events) => {
      const coming = new Map<string, Coming>()
      const forecast = events
        .filter((event) => event.turn === 0 && isPlain(event))
        .flatMap(({ heard }) => (heard === undefined ? [] : (kept.get(keyOf(heard)) ?? [])))
      for (const { client, endpoint } of forecast)
        coming.set(endpoint, { client, endpoint, count: (coming.get(endpoint)?.count ?? 0) + 1 })
      return [...coming.values()]
    },
    note: (events, deliveries, notPlain) => {
      const byEvent = Map.groupBy(deliveries, (one) => one.event_id)
      const others = new Set(notPlain)
      for (const { event_id: id, heard } of events) {
        if (heard === undefined) continue
        if (others.has(id)) notPlainYet.set(keyOf(heard), true)
        const its = byEvent.get(id)
        // A repeated event makes no deliveries, and says nothing about the next one.
        if (its === undefined) continue
        const forecast = its.map((one) => ({ client: one.client_user_id, endpoint: one.webhook_config_id }))
        kept.set(keyOf(heard), forecast)
      }
    },
  }
}

const keyOf = ({ type, client }: NonNullable<TracedEvent['heard']>): string => `${type} ${client ?? ''}`
