import { forgetPlans } from '#core/data/forget-plans.ts'
import { findDueEndpoints } from '#core/data/webhooks/deliveries/find-due-endpoints.ts'
import { failpoint } from '#core/failpoints.ts'
import type { WorkerContext } from '../context.ts'
import type { Dispatcher } from './open-dispatcher.ts'

/**
 * Polls PostgreSQL for endpoints with something due, whether or not a wake-up came. So it finds retries, deliveries
 * whose wake-ups Redis lost or never had, and deliveries that a dead worker had leased. So sending continues while
 * Redis is away.
 */
export function createPollForDue(
  { claimDb }: Pick<WorkerContext, 'claimDb'>,
  dispatcher: Pick<Dispatcher, 'notify'>,
): () => Promise<void> {
  let after: string | null = null

  return async function pollForDue() {
    await forgetPlans(claimDb)
    const { due, next } = await findDueEndpoints(claimDb, after)
    after = next
    if (due.length > 0) await failpoint('after-poll')
    await Promise.all(
      due.map(({ client_user_id: client, webhook_config_id: endpoint }) =>
        dispatcher.notify(client, endpoint, 1),
      ),
    )
  }
}
