import { releaseStrandedDeliveries } from '#core/data/release-stranded.ts'
import type { WorkerContext } from '../context.ts'

/** Sends what was held back in the moment in which its configuration was switched on. */
export async function releaseDeliveries(
  context: Pick<WorkerContext, 'db' | 'deliveries' | 'logger'>,
): Promise<void> {
  const released = await releaseStrandedDeliveries(context.db)
  if (released.length === 0) return
  context.logger.info({ released: released.length }, 'released deliveries of a configuration that is on')
  await context.deliveries.add(released)
}
