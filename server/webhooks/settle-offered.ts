import { releaseHeldOf } from '#core/data/webhooks/health/breakers.ts'
import { acceptOffered, CANCEL_BATCH } from '#core/data/webhooks/deliveries/offered-deliveries.ts'
import { AppError } from '#core/errors.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import type { OperatorContext } from '../operator-context.ts'
import { cancelAll } from './cancel-deliveries.ts'
import { requireWebhookConfig } from './configs/require-webhook-config.ts'

/**
 * Sends what was planned while the webhook was off. If this server ends midway, the rest is still offered.
 * @throws AppError not_found; conflict while it is off
 */
export async function sendOffered(
  context: Pick<OperatorContext, 'db' | 'announce'>,
  caller: Pick<Principal, 'user_id'>,
  id: string,
): Promise<{ count: number }> {
  const config = await requireWebhookConfig(context, caller, id)
  if (!config.is_active) throw new AppError('conflict', 'The webhook is switched off. Activate it first.')
  let count = 0
  for (;;) {
    const { accepted, released } = await repeatOnConflict(() =>
      context.db.transaction().execute(async (trx) => {
        const accepted = await acceptOffered(trx, caller.user_id, { webhook_config_id: id })
        return { accepted, released: accepted === 0 ? [] : await releaseHeldOf(trx, id) }
      }),
    )
    context.announce.deliveries(released)
    count += accepted
    if (accepted < CANCEL_BATCH) return { count }
  }
}

/**
 * Discards what was planned while the webhook was off; other waiting deliveries stay.
 * @throws AppError not_found
 */
export async function discardOffered(
  context: ServerContext,
  caller: Principal,
  id: string,
): Promise<{ count: number }> {
  await requireWebhookConfig(context, caller, id)
  return { count: await cancelAll(context, caller, { webhook_config_id: id, offered: 'all' }) }
}
