import { createFanOut } from '#core/fairness/fan-out.ts'
import { createLowPriorityLimiter } from '../dispatch/limit-low-priority.ts'
import { createHeavyPayloads } from '../dispatch/heavy-payloads.ts'
import { LOW_PRIORITY, PLANS } from '#core/fairness/limits.ts'
import { createSlotPool } from '../dispatch/slot-pool.ts'
import { PIPELINE } from '#core/pipeline.ts'
import { EVENT_BURSTS_QUEUE } from '#core/queue/queues.ts'
import { queueInShard, spreadQueues } from '#core/queue/shards.ts'
import type { WorkerContext } from '../context.ts'
import { createSpeedClasses } from '../endpoint/speed-classes.ts'
import { timeStage } from '../metrics/time-stage.ts'
import type { QueueOrder } from '../queues/queue-workers.ts'
import { traceStage } from '../queues/trace-stage.ts'
import { createAnnounceDue } from '../dispatch/announce-due.ts'
import { createHandleWakeUps } from '../dispatch/handle-wake-ups.ts'
import { createTraces } from '../dispatch/keep-traces.ts'
import { waitForSilentEndpoints } from '../dispatch/wait-for-silent-endpoints.ts'
import { openDispatcher, type Dispatcher } from '../dispatch/open-dispatcher.ts'
import { createAssign, createAssignLeads, type Assign } from './0-assign-leads.ts'
import { createPlanning } from './1-plan-deliveries.ts'
import { createSendDelivery } from './2-send-delivery.ts'
import { createRecordAttempt } from './3-record-attempt.ts'

/** Number of wake-ups handled at once; each takes a moment. */
const WAKE_UPS_AT_ONCE = 50

/** The stages of core/pipeline.ts. */
export interface Stages {
  /** the stages that take jobs: their queues in this shard, and how many jobs at once */
  ordersOf: (shard: number) => QueueOrder[]
  /** decides who gets leads; the chores that offer leads use it too */
  assign: Assign
  /** sends deliveries */
  dispatcher: Dispatcher
  /**
   * Before a stop: continues while an endpoint is silent, for at most `mostMs`
   * (worker/dispatch/wait-for-silent-endpoints.ts).
   */
  waitForSilentEndpoints: (mostMs: number, leave: () => Promise<void>) => Promise<void>
}

export function openStages(context: WorkerContext): Stages {
  const { config, metrics, tracing } = context
  const speedClasses = createSpeedClasses(context)
  const traces = createTraces()
  const now = (): number => performance.now()
  const slotPool = createSlotPool({
    slots: config.webhooks.concurrency,
    limit: config.webhooks.endpointConcurrency,
    now,
    onLearned: speedClasses.keep,
  })
  const lowPriority = createLowPriorityLimiter({
    most: LOW_PRIORITY.mostPerSecond,
    start: LOW_PRIORITY.startPerSecond,
    least: LOW_PRIORITY.leastPerSecond,
    now,
  })
  const fanOut = createFanOut(now)
  const heavy = createHeavyPayloads(slotPool, now, speedClasses.keepWeight)
  const send = createSendDelivery(context, {
    recordAttempt: createRecordAttempt(context, heavy),
    heavy,
    traces,
    isProved: slotPool.isProved,
  })
  const dispatcher = openDispatcher(context, { slotPool, lowPriority, fanOut, heavy, speedClasses, send })
  const planning = createPlanning(context, {
    announceDue: createAnnounceDue(context, dispatcher),
    dispatcher,
    traces,
    lowPriority,
    fanOut,
  })
  const planDeliveries = traceStage(
    tracing,
    'plan_deliveries',
    timeStage(metrics, 'plan_deliveries', planning.planDeliveries),
  )
  const assign = createAssign(context)
  const assignLeads = traceStage(
    tracing,
    'assign_leads',
    timeStage(metrics, 'assign_leads', createAssignLeads(context, assign)),
  )
  const handleWakeUps = createHandleWakeUps(dispatcher, traces)
  return {
    assign,
    dispatcher,
    waitForSilentEndpoints: (mostMs, leave) => waitForSilentEndpoints(slotPool, mostMs, leave),
    ordersOf: (shard) => [
      ...spreadQueues(PIPELINE.assignLeads.queues, [shard]).map((queue) => ({
        queue,
        stage: assignLeads,
        slots: PLANS.atOnce,
      })),
      ...spreadQueues(PIPELINE.planDeliveries.queues, [shard]).map((queue) => ({
        queue,
        stage: planDeliveries,
        slots: queue === queueInShard(EVENT_BURSTS_QUEUE, shard) ? PLANS.burstsAtOnce : PLANS.atOnce,
      })),
      ...spreadQueues(PIPELINE.sendDelivery.queues, [shard]).map((queue) => ({
        queue,
        stage: handleWakeUps,
        slots: WAKE_UPS_AT_ONCE,
      })),
    ],
  }
}
