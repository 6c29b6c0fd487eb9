import { findStrandedEvents } from '#core/data/events.ts'
import type { WorkerContext } from '../context.ts'

const BATCH = 500

/**
 * Enqueues the events that the API could not, and those that Redis took and lost before they were planned.
 * Repeats are harmless: a job's id is its event, and an event is planned once.
 */
export async function relayEvents(context: Pick<WorkerContext, 'db' | 'events' | 'logger'>): Promise<void> {
  for (;;) {
    const events = await findStrandedEvents(context.db, BATCH)
    if (events.length === 0) return
    const published = await context.events.publish(events, 'now')
    if (!published) return
    context.logger.info({ count: events.length }, 'relayed events that were not enqueued')
    if (events.length < BATCH) return
  }
}
