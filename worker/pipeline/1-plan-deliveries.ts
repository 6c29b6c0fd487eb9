import { createBatcher } from '#core/pace/batch.ts'
import { planDeliveries, type EventToPlan } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { isRefused } from '#core/data/is-refused.ts'
import { findEventsById, noteEventFailure } from '#core/data/outbox/events.ts'
import { failpoint } from '#core/failpoints.ts'
import { createGivingPace } from '#core/fairness/giving-pace.ts'
import { PLANS } from '#core/fairness/limits.ts'
import { eventJobSchema } from '#core/queue/queues.ts'
import type { WorkerContext } from '../context.ts'
import { MOST_OWN_FAILURES, type Stage } from '../queues/run-stage.ts'
import type { AnnounceDue } from '../rounds/announce-due.ts'

/** An event, and the trace in which it is planned. */
type TracedEvent = EventToPlan & { trace: string | undefined }

/** What became of one event; the others of its batch do not tell. */
interface Planned {
  failure: Error | undefined
}

/**
 * Consumes: lead-created, lead-assigned (the ids of an event and of those that came with it).
 * Emits: one delivery for each matching active configuration.
 * Safe to run twice because: an event is planned once (planned_at, unique event × configuration), and a ring too many does
 * no harm; what no ring told, the workers find (worker/rounds/look-for-due.ts). An event that PostgreSQL refuses to plan is marked after MOST_OWN_FAILURES tries, and its job kept.
 */
export function createPlanDeliveries(context: WorkerContext, announceDue: AnnounceDue): Stage {
  async function plan(events: readonly TracedEvent[]): Promise<void> {
    await failpoint('before-plan')
    context.metrics.observeBatch('plan', events.length)
    const due = await planDeliveries(context.db, events)
    await failpoint('after-plan')
    // Each goes on with the trace of its own event, whoever's it was that set this batch off.
    const traces = new Map(events.map(({ event_id: id, trace }) => [id, trace]))
    await announceDue(due.map((delivery) => ({ ...delivery, trace: traces.get(delivery.event_id) })))
  }

  /** What PostgreSQL refuses for its content must not keep its neighbours from being planned. */
  async function planTogether(events: readonly TracedEvent[]): Promise<Planned[]> {
    try {
      await plan(events)
      return events.map(() => ({ failure: undefined }))
    } catch (error) {
      if (!(error instanceof Error && isRefused(error))) throw error
      if (events.length === 1) return [{ failure: error }]
    }
    const planned: Planned[] = []
    for (const event of events) {
      planned.push(...(await planTogether([event])))
    }
    return planned
  }

  /** What is refused goes on in a job of its own, which fails and ends without the others. */
  async function separate(ids: readonly string[]): Promise<void> {
    const events = await findEventsById(context.db, ids)
    if (await context.events.publish(events, { mark: 'now', apart: true })) return
    throw new Error('Redis did not take the events that are refused')
  }

  const plans = createBatcher<TracedEvent, Planned>({
    maxSize: PLANS.batch,
    parallel: 2,
    pace: PLANS.pace,
    flush: planTogether,
  })
  // A burst is planned in small pieces with rests between, so that a single event finds a slot and a database at leisure.
  const pace = createGivingPace({ now: () => performance.now(), longestRestMs: PLANS.longestRestMs })
  const burstPlans = createBatcher<TracedEvent, Planned>({
    maxSize: PLANS.burstPiece,
    parallel: 1,
    flush: (events) => pace.piece(() => planTogether(events)),
  })

  return async function planDeliveriesOfEvents(job) {
    const { event_id: first, further_event_ids: further = [] } = eventJobSchema.parse(job.data)
    const turn = job.opts.priority ?? 0
    if (turn === 0) pace.noteSingle()
    const trace = context.tracing.carry()
    const batcher = turn === 0 ? plans : burstPlans
    const ids = [first, ...further]
    const planned = await Promise.all(ids.map((id) => batcher.add({ event_id: id, turn, trace })))
    const refused = planned.find(({ failure }) => failure !== undefined)?.failure
    if (refused === undefined) return { next: 'done' }
    if (further.length > 0) {
      await separate(ids.filter((_id, index) => planned[index]?.failure !== undefined))
      return { next: 'done' }
    }
    const hasEnded = await noteEventFailure(context.db, first, MOST_OWN_FAILURES)
    if (hasEnded) return { next: 'given_up', cause: refused }
    throw refused
  }
}
