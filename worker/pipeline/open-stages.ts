import { createFanOut } from '#core/fairness/fan-out.ts'
import { createGiveWay } from '../dispatch/give-way.ts'
import { createHeavyPayloads } from '../dispatch/heavy-payloads.ts'
import { GIVE_WAY, PLANS } from '#core/fairness/limits.ts'
import { createSlotShare } from '../dispatch/slot-share.ts'
import { PIPELINE } from '#core/pipeline.ts'
import { EVENT_BURSTS_QUEUE } from '#core/queue/queues.ts'
import { queueInShard, spreadQueues } from '#core/queue/shards.ts'
import type { WorkerContext } from '../context.ts'
import { createStandings } from '../endpoint/endpoint-standings.ts'
import { timeStage } from '../metrics/time-stage.ts'
import type { QueueOrder } from '../queues/queue-workers.ts'
import { traceStage } from '../queues/trace-stage.ts'
import { createAnnounceDue } from '../dispatch/announce-due.ts'
import { createHearRings } from '../dispatch/hear-rings.ts'
import { createTraces } from '../dispatch/keep-traces.ts'
import { outlastSilent } from '../dispatch/outlast-silent.ts'
import { openRounds, type Rounds } from '../dispatch/open-rounds.ts'
import { createAssign, createAssignLeads, type Assign } from './0-assign-leads.ts'
import { createPlanning } from './1-plan-deliveries.ts'
import { createSendDelivery } from './2-send-delivery.ts'
import { createRecordAttempt } from './3-record-attempt.ts'

/** Rings heard at once; each is over in a moment. */
const RINGS_AT_ONCE = 50

/** The stages of core/pipeline.ts. */
export interface Stages {
  /** those that take jobs, with their queues in this shard and how many at once */
  ordersOf: (shard: number) => QueueOrder[]
  /** who gets leads, for whoever offers them beside the first stage */
  assign: Assign
  /** what sends */
  rounds: Rounds
  /** Before a stop: goes on while an endpoint is silent, for so many milliseconds at most (worker/dispatch/outlast-silent.ts). */
  outlastSilent: (mostMs: number, leave: () => Promise<void>) => Promise<void>
}

export function openStages(context: WorkerContext): Stages {
  const { config, metrics, tracing } = context
  const standings = createStandings(context)
  const traces = createTraces()
  const now = (): number => performance.now()
  const share = createSlotShare({
    slots: config.webhooks.concurrency,
    limit: config.webhooks.endpointConcurrency,
    now,
    onLearned: standings.keep,
  })
  const giveWay = createGiveWay({
    most: GIVE_WAY.mostPerSecond,
    start: GIVE_WAY.startPerSecond,
    least: GIVE_WAY.leastPerSecond,
    now,
  })
  const fanOut = createFanOut(now)
  const heavy = createHeavyPayloads(share, now, standings.keepWeight)
  const send = createSendDelivery(context, {
    recordAttempt: createRecordAttempt(context, heavy),
    heavy,
    traces,
  })
  const rounds = openRounds(context, { share, giveWay, fanOut, heavy, standings, send })
  const planning = createPlanning(context, {
    announceDue: createAnnounceDue(context, rounds),
    rounds,
    traces,
    giveWay,
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
  const hearRings = createHearRings(rounds, traces)
  return {
    assign,
    rounds,
    outlastSilent: (mostMs, leave) => outlastSilent(share, mostMs, leave),
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
        stage: hearRings,
        slots: RINGS_AT_ONCE,
      })),
    ],
  }
}
