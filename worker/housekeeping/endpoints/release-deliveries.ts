import { releaseHeldDeliveries, startProbes } from '#core/data/webhooks/health/breakers.ts'
import type { WorkerContext } from '#worker/context.ts'

/** A probe without an outcome for this long has lost its worker. */
const PROBE_MARGIN_SECONDS = 30

/**
 * Sends what was held back and may go now: one delivery as a probe to each endpoint whose breaker is open, and everything
 * once the breaker has closed or the configuration is on again.
 */
export async function releaseDeliveries(
  context: Pick<WorkerContext, 'config' | 'db' | 'deliveries' | 'logger'>,
): Promise<void> {
  const { config, db, deliveries, logger } = context
  const probes = await startProbes(db, config.webhooks.timeoutMs / 1000 + PROBE_MARGIN_SECONDS)
  if (probes.length > 0) await deliveries.publish(probes)
  const released = await releaseHeldDeliveries(db)
  if (released.length === 0) return
  logger.info({ released: released.length }, 'released deliveries that were held')
  await deliveries.publish(released)
}
