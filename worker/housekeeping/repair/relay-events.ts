import { findUnenqueuedEvents, findUnplannedEvents, type UnplannedEvent } from '#core/data/outbox/events.ts'
import { CONSUMED_EVENTS } from '#core/queue/event-consumers.ts'
import { clientOf } from '#core/queue/publish-events.ts'
import type { WorkerContext } from '#worker/context.ts'

const BATCH = 500
/** Seconds after which an unplanned event may have lost its job. */
export const UNPLANNED_SECONDS = 30
/** Number of events of a backlog whose jobs each run looks for: looking for a job in its queue is expensive. */
const CLOSE_LOOKS = 100

/**
 * Enqueues the events that the API could not enqueue, and those that Redis lost before they were planned, of the types
 * that this version consumes. Repeats are harmless: the job of a single event has the event's id, and an event is
 * planned once.
 */
export function createRelayEvents(
  context: Pick<WorkerContext, 'db' | 'events' | 'logger'>,
): (signal?: AbortSignal) => Promise<void> {
  const { db, events, logger } = context
  let lookedUntil: UnplannedEvent | undefined
  let passedUntil: UnplannedEvent | undefined

  async function relayUnenqueued(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      if (signal?.aborted === true) return
      const page = { types: CONSUMED_EVENTS, limit: BATCH, after: passedUntil }
      const missed = await findUnenqueuedEvents(db, page)
      passedUntil = undefined
      if (missed.length === 0) return
      // The job of a single event is not added twice. For a backlog, jobs with many events need fewer commands.
      const apart = missed.length < BATCH
      const published = await events.publish(missed, { mark: 'now', sender: clientOf, apart })
      if (!published) {
        // If one master of a cluster is away, the run passes over its events, so that they do not block the others.
        if (events.isReady() && missed.length === BATCH) passedUntil = missed.at(-1)
        return
      }
      logger.info({ count: missed.length }, 'relayed events that were not enqueued')
      if (missed.length < BATCH) return
      // Locked events are not marked. If the run did not pass over them, it would never end.
      passedUntil = missed.at(-1)
    }
  }

  async function relayLost(): Promise<void> {
    const page = {
      types: CONSUMED_EVENTS,
      overdueSeconds: UNPLANNED_SECONDS,
      limit: CLOSE_LOOKS,
      after: lookedUntil,
    }
    const unplanned = await findUnplannedEvents(db, page)
    lookedUntil = unplanned.length < CLOSE_LOOKS ? undefined : unplanned.at(-1)
    if (unplanned.length === 0) return
    const restored = await events.restore(unplanned, unplanned.length)
    if (restored > 0) logger.info({ count: restored }, 'relayed events whose job was gone')
  }

  return async function relayEvents(signal) {
    await relayUnenqueued(signal)
    if (events.isReady()) await relayLost()
  }
}
