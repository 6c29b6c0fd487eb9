import { findWebhookConfig, type WebhookConfigRow } from '#core/data/webhooks/webhook-configs.ts'
import { AppError } from '#core/errors.ts'
import type { Principal } from '../../identity/find-live-session.ts'
import type { ServerContext } from '../../context.ts'

/** @throws AppError not_found, also for another client's configuration */
export async function requireWebhookConfig(
  context: Pick<ServerContext, 'db'>,
  caller: Pick<Principal, 'user_id'>,
  id: string,
): Promise<WebhookConfigRow> {
  const row = await findWebhookConfig(context.db, caller.user_id, id)
  if (row === undefined) throw new AppError('not_found', 'Webhook not found')
  return row
}
