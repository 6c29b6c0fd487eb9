import { createBatcher } from '#core/batch.ts'
import { planDeliveries, type DueDelivery } from '#core/data/plan-deliveries.ts'
import { eventJobSchema } from '#core/queue/queues.ts'
import type { WorkerContext } from '../context.ts'
import type { Stage } from '../run-stage.ts'

/**
 * Consumes: lead-created, lead-assigned (an event's id).
 * Emits: one delivery for each matching active configuration.
 * Safe to run twice because: an event is planned once (planned_at, unique event × configuration), and a job's id is its
 * delivery and attempt.
 */
export function createPlanDeliveries(context: WorkerContext): Stage {
  const plans = createBatcher<string, undefined>({
    maxSize: 200,
    parallel: 2,
    flush: async (eventIds) => {
      const due: DueDelivery[] = await planDeliveries(context.db, eventIds)
      await context.deliveries.add(due)
      return eventIds.map(() => undefined)
    },
  })

  return async function planDeliveriesOfEvent(job) {
    const { event_id: eventId } = eventJobSchema.parse(job.data)
    await plans.add(eventId)
    return { next: 'done' }
  }
}
