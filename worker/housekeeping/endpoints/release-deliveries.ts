import { releaseHeldDeliveries, startProbes } from '#core/data/webhooks/health/breakers.ts'
import type { DueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import type { WorkerContext } from '#worker/context.ts'

/** Seconds beyond an exchange's limit after which a probe without an outcome has lost its worker. */
const PROBE_MARGIN_SECONDS = 30

/**
 * Sends held deliveries that may go now. An endpoint whose breaker is open gets one delivery as a probe. It gets all of
 * them once the breaker has closed, or the configuration is on again.
 */
export async function releaseDeliveries(
  context: Pick<WorkerContext, 'config' | 'db' | 'deliveries' | 'logger'>,
): Promise<void> {
  const { config, db, logger } = context
  const probes = await startProbes(db, config.webhooks.timeoutMs / 1000 + PROBE_MARGIN_SECONDS)
  await wakeUp(context, probes)
  const released = await releaseHeldDeliveries(db)
  if (released.length === 0) return
  logger.info({ released: released.length }, 'released deliveries that were held')
  await wakeUp(context, released)
}

/** This never throws, so that the other deliveries are released too. Without Redis, the poll finds due deliveries. */
async function wakeUp(
  { deliveries, logger }: Pick<WorkerContext, 'deliveries' | 'logger'>,
  due: readonly DueDelivery[],
): Promise<void> {
  if (due.length === 0) return
  await deliveries.publish(due).catch((error: unknown) => {
    logger.warn(
      { err: error, count: due.length },
      'redis took no wake-up for deliveries; the poll finds them',
    )
  })
}
