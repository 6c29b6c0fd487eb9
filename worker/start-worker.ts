import { ConfigError } from '#core/config/config.ts'
import { PIPELINE } from '#core/pipeline.ts'
import { checkRedis } from '#core/queue/check-redis.ts'
import { EVENT_BURSTS_QUEUE, GIVING_WAY } from '#core/queue/queues.ts'
import type { WorkerContext } from './context.ts'
import { createGiveWay } from '#core/fairness/give-way.ts'
import { GIVE_WAY, PLANS } from '#core/fairness/limits.ts'
import { judgeEndpoints } from './housekeeping/endpoints/judge-endpoints.ts'
import { makePartitions } from './housekeeping/retention/make-partitions.ts'
import { createRebuildQueues } from './housekeeping/repair/rebuild-queues.ts'
import { createReconcileDeliveries } from './housekeeping/repair/reconcile-deliveries.ts'
import { releaseDeliveries } from './housekeeping/endpoints/release-deliveries.ts'
import { createRelayEvents } from './housekeeping/repair/relay-events.ts'
import { removeOldRows } from './housekeeping/retention/remove-old-rows.ts'
import { runEvery } from './housekeeping/run-every.ts'
import { sendMails } from './housekeeping/mail/send-mails.ts'
import { watchEndpoints } from './housekeeping/endpoints/watch-endpoints.ts'
import { timeStage } from './metrics/time-stage.ts'
import { createWatchLiveness } from './housekeeping/watch/watch-liveness.ts'
import { createPlanDeliveries } from './pipeline/1-plan-deliveries.ts'
import { createSendDelivery, type Room } from './pipeline/2-send-delivery.ts'
import { createRecordAttempt } from './pipeline/3-record-attempt.ts'
import { connectWorkers, openQueueWorkers } from './queues/queue-workers.ts'
import type { Stage } from './queues/run-stage.ts'
import { traceStage } from './queues/trace-stage.ts'

/** A job this late may be gone; one that merely waits in a backlog is found in Redis and left alone. */
const OVERDUE_SECONDS = 5
/** Between two looks of the watchdog. */
const LOOK_MS = 5000

/**
 * Starts the stages and the chores.
 * @param giveUp ends a process that no longer works, so that its supervisor starts another
 * @returns how to stop them: no new jobs, those in flight finish. It has no limit of its own, see main.ts.
 */
export async function startWorker(
  context: WorkerContext,
  giveUp: () => void,
): Promise<{ stop: () => Promise<void> }> {
  const { config, logger } = context
  // Before the first row is written, so that it finds its week. Where it cannot be made now, the chore moves the row later.
  await makePartitions(context).catch((error: unknown) => {
    logger.warn({ err: error }, "the log's weeks could not be made yet")
  })
  const connection = connectWorkers(context)
  const { faults, doubts } = await checkRedis(connection)
  for (const doubt of doubts) logger.warn(doubt)
  if (faults.length > 0) throw new ConfigError(faults.map((fault) => `REDIS_URL: ${fault}`))
  const { metrics } = context
  const { concurrency, endpointConcurrency } = config.webhooks
  // No more than one endpoint may have, because a burst is mostly one's: what the gate turned away would come back in vain.
  const yielding = Math.min(endpointConcurrency, Math.ceil(concurrency / 2))
  const giveWay = createGiveWay({
    most: GIVE_WAY.mostPerSecond,
    least: GIVE_WAY.leastPerSecond,
    now: () => performance.now(),
  })
  const room: Room = {
    slotsOf: (queue) => (GIVING_WAY.has(queue) ? yielding : concurrency),
    waitForTurn: async (queue) => {
      if (GIVING_WAY.has(queue)) await giveWay.turn(queue)
    },
    noteFirst: giveWay.noteFirst,
  }
  const observe = (name: string, stage: Stage): Stage =>
    traceStage(context.tracing, name, timeStage(metrics, name, stage))
  const sendDelivery = observe(
    'send_delivery',
    createSendDelivery(context, createRecordAttempt(context), room),
  )
  const planDeliveries = observe('plan_deliveries', createPlanDeliveries(context))
  const workers = openQueueWorkers(
    context,
    [
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
    ],
    connection,
  )
  const adjusting = setInterval(giveWay.decide, GIVE_WAY.adjustEveryMs)
  const watch = { looks: Math.ceil((config.watchdogSeconds * 1000) / LOOK_MS), giveUp }
  const reconcileDeliveries = createReconcileDeliveries(context)
  const { rebuildQueues, stop: stopHeartbeat } = createRebuildQueues(context, reconcileDeliveries)
  const stopChores = [
    runEvery('rebuild-queues', 1000, logger, rebuildQueues),
    runEvery('relay-events', 1000, logger, createRelayEvents(context)),
    runEvery('reconcile-deliveries', 5000, logger, (signal) =>
      reconcileDeliveries(OVERDUE_SECONDS, { signal }),
    ),
    runEvery('watch-liveness', LOOK_MS, logger, createWatchLiveness(context, workers, watch)),
    runEvery('send-mails', 2000, logger, () => sendMails(context)),
    runEvery('release-deliveries', 1000, logger, () => releaseDeliveries(context)),
    runEvery('watch-endpoints', 1000, logger, () => watchEndpoints(context)),
    runEvery('judge-endpoints', 5000, logger, () => judgeEndpoints(context)),
    runEvery('make-partitions', 6 * 3600 * 1000, logger, () => makePartitions(context)),
    runEvery('remove-old-rows', 3600 * 1000, logger, () => removeOldRows(context)),
  ]
  await workers.waitUntilReady()
  return {
    stop: async () => {
      clearInterval(adjusting)
      await Promise.all([workers.stop(), ...stopChores.map((stopChore) => stopChore())])
      await watchEndpoints(context).catch((error: unknown) => {
        logger.warn({ err: error }, 'the last outcomes were not counted')
      })
      await stopHeartbeat()
    },
  }
}
