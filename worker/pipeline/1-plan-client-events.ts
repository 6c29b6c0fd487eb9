import { isLockTimeout } from '#core/data/is-lock-timeout.ts'
import { isRefused } from '#core/data/is-refused.ts'
import { findEventsById, noteEventFailure } from '#core/data/outbox/events.ts'
import { planClientEvents } from '#core/data/webhooks/deliveries/plan-client-events.ts'
import { PLANS } from '#core/fairness/limits.ts'
import { hasOlderWorkers } from '#core/queue/present-workers.ts'
import { eventJobSchema } from '#core/queue/queues.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import type { WorkerContext } from '../context.ts'
import type { AnnounceDue } from '../dispatch/announce-due.ts'
import { MOST_OWN_FAILURES } from '../limits.ts'
import type { Stage, StageResult } from '../queues/run-stage.ts'

/**
 * Consumes: client-event (the ids of events beside the lead). Emits: one delivery for each active webhook that has chosen
 * the event; none while an older worker runs, which could claim it and would give it up. Safe to run twice because: an
 * event is planned once (planned_at, unique event × configuration). It is separate from 1-plan-deliveries, so that the planning of leads does no work for it.
 */
export function createClientEventPlanning(
  context: Pick<WorkerContext, 'config' | 'db' | 'events' | 'redis'>,
  announceDue: AnnounceDue,
): Stage {
  const { config, db, events: publisher, redis } = context

  /** Gives each event a job of its own, because PostgreSQL refuses one of them. */
  async function separate(ids: readonly string[], turn: number): Promise<StageResult> {
    if (await publisher.publish(await findEventsById(db, ids), { mark: 'now', apart: true, turn }))
      return { next: 'done' }
    throw new Error('Redis did not take the events that are refused')
  }

  return async (job) => {
    const { event_id: first, further_event_ids: further = [] } = eventJobSchema.parse(job.data)
    const turn = job.opts.priority ?? 0
    const ids = [first, ...further]
    // During an upgrade the events wait: the relay gives them jobs again (worker/housekeeping/repair/relay-events.ts).
    if (await hasOlderWorkers(redis, queuePrefix(config.redis))) return { next: 'done' }
    try {
      const due = await planClientEvents(
        db,
        ids.map((id) => ({ event_id: id, turn })),
        PLANS.patienceMs,
      )
      await announceDue(due)
      return { next: 'done' }
    } catch (error) {
      if (!(error instanceof Error) || isLockTimeout(error) || !isRefused(error)) throw error
      if (further.length > 0) return await separate(ids, turn)
      if (await noteEventFailure(db, first, MOST_OWN_FAILURES)) return { next: 'given_up', cause: error }
      throw error
    }
  }
}
