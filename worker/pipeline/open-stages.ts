import { PLANS } from '#core/fairness/limits.ts'
import { PIPELINE } from '#core/pipeline.ts'
import { EVENT_BURSTS_QUEUE } from '#core/queue/queues.ts'
import type { WorkerContext } from '../context.ts'
import { timeStage } from '../metrics/time-stage.ts'
import type { Room } from '../queues/open-room.ts'
import type { QueueOrder } from '../queues/queue-workers.ts'
import type { Stage } from '../queues/run-stage.ts'
import { traceStage } from '../queues/trace-stage.ts'
import { createPlanDeliveries } from './1-plan-deliveries.ts'
import { createSendDelivery } from './2-send-delivery.ts'
import { createRecordAttempt } from './3-record-attempt.ts'

/** The stages of core/pipeline.ts, each timed and traced, with the queues that they take and how many jobs at once. */
export function openStages(context: WorkerContext, room: Room): QueueOrder[] {
  const observe = (name: string, stage: Stage): Stage =>
    traceStage(context.tracing, name, timeStage(context.metrics, name, stage))
  const planDeliveries = observe('plan_deliveries', createPlanDeliveries(context))
  const sendDelivery = observe(
    'send_delivery',
    createSendDelivery(context, createRecordAttempt(context), room),
  )
  return [
    ...PIPELINE.planDeliveries.queues.map((queue) => ({
      queue,
      stage: planDeliveries,
      slots: queue === EVENT_BURSTS_QUEUE ? PLANS.burstsAtOnce : PLANS.atOnce,
    })),
    ...PIPELINE.sendDelivery.queues.map((queue) => ({
      queue,
      stage: sendDelivery,
      slots: room.slotsOf(queue),
    })),
  ]
}
