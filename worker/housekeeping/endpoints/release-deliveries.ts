import { releaseHeldDeliveries, startProbes } from '#core/data/webhooks/health/breakers.ts'
import type { DueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import type { WorkerContext } from '#worker/context.ts'

/** After this long without an outcome, a probe has lost its worker. */
const PROBE_MARGIN_SECONDS = 30

/**
 * Sends held deliveries that may go now: one delivery as a probe to each endpoint whose breaker is open, and all of
 * them once the breaker has closed or the configuration is on again.
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

/**
 * This never fails. Without Redis, the poll still finds due deliveries, and the other deliveries are still released.
 */
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
