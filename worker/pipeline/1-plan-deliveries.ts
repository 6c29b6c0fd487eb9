import { createBatcher } from '#core/pace/batch.ts'
import { planDeliveries, type EventToPlan } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { failpoint } from '#core/failpoints.ts'
import { createGivingPace } from '#core/fairness/giving-pace.ts'
import { PLANS } from '#core/fairness/limits.ts'
import { eventJobSchema } from '#core/queue/queues.ts'
import type { WorkerContext } from '../context.ts'
import type { Stage } from '../queues/run-stage.ts'

/** An event, and the trace in which it is planned. */
type TracedEvent = EventToPlan & { trace: string | undefined }

/**
 * Consumes: lead-created, lead-assigned (an event's id).
 * Emits: one delivery for each matching active configuration.
 * Safe to run twice because: an event is planned once (planned_at, unique event × configuration), and a job's id is its
 * delivery and attempt.
 */
export function createPlanDeliveries(context: WorkerContext): Stage {
  async function plan(events: readonly TracedEvent[]): Promise<undefined[]> {
    await failpoint('before-plan')
    context.metrics.observeBatch('plan', events.length)
    const due = await planDeliveries(context.db, events)
    await failpoint('after-plan')
    // Each goes on with the trace of its own event, whoever's it was that set this batch off.
    const traces = new Map(events.map(({ event_id: id, trace }) => [id, trace]))
    await context.deliveries.add(
      due.map((delivery) => ({ ...delivery, trace: traces.get(delivery.event_id) })),
    )
    return events.map(() => undefined)
  }
  const plans = createBatcher<TracedEvent, undefined>({ maxSize: PLANS.batch, parallel: 2, flush: plan })
  // A burst is planned in small pieces with rests between, so that a single event finds a slot and a database at leisure.
  const pace = createGivingPace({ now: () => performance.now(), longestRestMs: PLANS.longestRestMs })
  const burstPlans = createBatcher<TracedEvent, undefined>({
    maxSize: PLANS.burstPiece,
    parallel: 1,
    flush: (events) => pace.piece(() => plan(events)),
  })

  return async function planDeliveriesOfEvent(job) {
    const { event_id: eventId } = eventJobSchema.parse(job.data)
    const turn = job.opts.priority ?? 0
    if (turn === 0) pace.noteSingle()
    await (turn === 0 ? plans : burstPlans).add({ event_id: eventId, turn, trace: context.tracing.carry() })
    return { next: 'done' }
  }
}
