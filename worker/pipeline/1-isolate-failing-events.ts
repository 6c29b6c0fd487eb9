import { LRUCache } from 'lru-cache'
import type { Db } from '#core/data/database.ts'
import { isLockTimeout } from '#core/data/is-lock-timeout.ts'
import { isRefused } from '#core/data/is-refused.ts'
import { findEventsById } from '#core/data/outbox/events.ts'
import type { EventToPlan, LeftEvent } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { PLANS } from '#core/fairness/limits.ts'
import type { HeardBy } from '#core/queue/queues.ts'

/** An event, the trace in which it is planned, and its client and type, where its job names them. */
export type TracedEvent = EventToPlan & { trace: string | undefined; heard?: HeardBy | undefined }

/**
 * The result for one event of a batch. `left`: it is not planned yet, because the batch already made enough deliveries.
 */
export interface Planned {
  failure: Error | undefined
  left: LeftEvent | undefined
  /** deliveries that are due */
  made: number
}

/**
 * Plans events together, all or none.
 * @param how.patienceMs how long it may wait for a locked row
 * @param how.mayClaim whether slots may be reserved for these events; they may not if rows of the events are locked
 */
export type PlanTogether = (
  events: readonly TracedEvent[],
  how: { patienceMs: number; mayClaim: boolean },
) => Promise<Planned[]>

/** Keeps an event that PostgreSQL refuses for its content, or whose rows are locked, from stopping the other events. */
export interface IsolatedPlanning {
  /**
   * Plans events together. If that fails, it finds the events that cause the failure: each of them gets a `failure`,
   * the others are planned.
   */
  planTogether: (events: readonly TracedEvent[]) => Promise<Planned[]>
  /** Like `planTogether`, for events that were held up before. They may wait a few times. */
  planHeldUp: (events: readonly TracedEvent[]) => Promise<Planned[]>
  /** Whether the rows that this event needs are locked, or were a moment ago. */
  isHeldUp: (event: TracedEvent) => boolean
}

export function createIsolatedPlanning(db: Db, plan: PlanTogether): IsolatedPlanning {
  /** ids of events whose configuration, profile or lead is locked */
  const heldUp = new LRUCache<string, true>({
    max: PLANS.heldUpKept,
    ttl: PLANS.heldUpMs,
    ttlAutopurge: true,
  })

  /** @returns PostgreSQL's reason for refusing to plan them together, if it does */
  async function tryToPlan(events: readonly TracedEvent[]): Promise<Planned[] | Error> {
    try {
      const planned = await plan(events, {
        patienceMs: heldUp.size === 0 ? PLANS.patienceMs : PLANS.patienceMeanwhileMs,
        mayClaim: !events.some(({ event_id: id }) => heldUp.has(id)),
      })
      for (const { event_id: id } of events) heldUp.delete(id)
      return planned
    } catch (error) {
      if (error instanceof Error && (isLockTimeout(error) || isRefused(error))) return error
      throw error
    }
  }

  async function planTogether(events: readonly TracedEvent[]): Promise<Planned[]> {
    const tried = await tryToPlan(events)
    if (!(tried instanceof Error)) return tried
    if (!isLockTimeout(tried)) return await planEach(events, tried)
    const clients = await groupByClient(events)
    return clients.length === 1 ? holdUp(events, tried) : await planByClient(events, clients, 1)
  }

  async function planEach(events: readonly TracedEvent[], failure: Error): Promise<Planned[]> {
    if (events.length === 1) return [{ failure, left: undefined, made: 0 }]
    const planned: Planned[] = []
    for (const event of events) planned.push(...(await planTogether([event])))
    return planned
  }

  /**
   * Locked rows mostly belong to one client. So all events of a client are tried together, and delay the others no
   * longer than one event would.
   */
  async function planByClient(
    events: readonly TracedEvent[],
    clients: ReadonlyArray<readonly TracedEvent[]>,
    mostWaits: number,
  ): Promise<Planned[]> {
    const planned = new Map<TracedEvent, Planned>()
    for (const its of clients) {
      const ofClient = await planHalves(its, { left: mostWaits })
      for (const [index, event] of its.entries()) {
        const one = ofClient[index]
        if (one !== undefined) planned.set(event, one)
      }
    }
    return events.flatMap((event) => planned.get(event) ?? [])
  }

  /**
   * @param waits how often they may still wait for a lock: it may be on the row of one lead, or on rows that all of
   * them need
   */
  async function planHalves(events: readonly TracedEvent[], waits: { left: number }): Promise<Planned[]> {
    const tried = await tryToPlan(events)
    if (!(tried instanceof Error)) return tried
    if (!isLockTimeout(tried)) return await planEach(events, tried)
    waits.left -= 1
    if (events.length === 1) return holdUp(events, tried)
    const middle = Math.ceil(events.length / 2)
    const planned: Planned[] = []
    for (const half of [events.slice(0, middle), events.slice(middle)])
      planned.push(...(waits.left > 0 ? await planHalves(half, waits) : holdUp(half, tried)))
    return planned
  }

  function holdUp(events: readonly TracedEvent[], failure: Error): Planned[] {
    for (const { event_id: id } of events) heldUp.set(id, true)
    return events.map(() => ({ failure, left: undefined, made: 0 }))
  }

  async function groupByClient(events: readonly TracedEvent[]): Promise<TracedEvent[][]> {
    const ids = events.map(({ event_id: id }) => id)
    const clients = new Map((await findEventsById(db, ids)).map((event) => [event.id, event.client_user_id]))
    return [...Map.groupBy(events, ({ event_id: id }) => clients.get(id)).values()]
  }

  return {
    planTogether,
    planHeldUp: async (events) =>
      await planByClient(events, await groupByClient(events), PLANS.waitsOfHeldUp),
    isHeldUp: ({ event_id: id }) => heldUp.has(id),
  }
}
