import type { RedriveResult } from '#core/contract/operations/dead-letter.ts'
import { findWebhookConfig } from '#core/data/webhooks/webhook-configs.ts'
import { AppError } from '#core/errors.ts'
import type { OperatorContext } from '../../operator-context.ts'
import type { By } from '../../market/audit-change.ts'
import { requireClient } from '../../market/admin/require-client.ts'
import { redrive } from './redrive-dead-letters.ts'

/**
 * Sends again everything that finally failed for a client, or for one of its webhooks, in pieces.
 * @throws AppError not_found, also for another client's webhook; conflict while sending to the client is paused
 */
export async function resendForClient(
  context: OperatorContext,
  by: By,
  client: string,
  { webhook, dry_run, note }: { webhook?: string | undefined; dry_run: boolean; note: string | null },
  idempotencyKey: string | undefined,
): Promise<RedriveResult> {
  await requireClient(context, client)
  if (webhook !== undefined && (await findWebhookConfig(context.db, client, webhook)) === undefined)
    throw new AppError('not_found', 'Webhook not found')
  const filter = { client, ...(webhook === undefined ? {} : { webhook }) }
  return await redrive(context, by, { filter, dry_run, note }, idempotencyKey, client)
}
