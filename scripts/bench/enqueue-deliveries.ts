import { openDeliveryPublisher } from '#core/queue/publish-deliveries.ts'
import type { DueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import type { BenchContext } from './services.ts'

/** Announces stored deliveries to the workers, as their planning does. */
export async function enqueueDeliveries(
  { config, redis }: BenchContext,
  due: readonly DueDelivery[],
): Promise<void> {
  const deliveries = openDeliveryPublisher({
    config,
    connection: redis,
    onError: (error) => {
      throw error
    },
  })
  await deliveries.publish(due)
  await deliveries.close()
}
