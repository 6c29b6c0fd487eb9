import { findOwnerOfWebhook, switchOffWebhook } from '#core/data/webhooks/switch-off-webhooks.ts'
import { lockWebhookConfig } from '#core/data/webhooks/webhook-configs.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { AppError } from '#core/errors.ts'
import { auditChange, type By } from '../../market/audit-change.ts'
import type { OperatorContext } from '../../operator-context.ts'
import { sendOffered } from '../settle-offered.ts'
import { switchOn } from '../switch-on-webhook.ts'

/** A webhook after the change, and how many held deliveries go out. */
export interface WebhookPause {
  webhook_config_id: string
  client_user_id: string
  is_active: boolean
  is_news: boolean
  sent: number
}

/**
 * Switches a webhook off for its client, who reads the reason and can switch it on again. Deliveries are held meanwhile.
 * A repeat changes nothing.
 * @throws AppError not_found
 */
export async function pauseWebhook(
  { db }: Pick<OperatorContext, 'db'>,
  by: By,
  id: string,
  reason: string,
): Promise<WebhookPause> {
  const client = await requireOwner({ db }, id)
  const isNews = await repeatOnConflict(() =>
    db.transaction().execute(async (trx) => {
      const config = await lockWebhookConfig(trx, client, id)
      if (config?.is_active !== true) return false
      await switchOffWebhook(trx, id, reason)
      const details = { webhook_config_id: id, note: reason }
      await auditChange(trx, by, { action: 'webhook_paused', client, details })
      return true
    }),
  )
  return { webhook_config_id: id, client_user_id: client, is_active: false, is_news: isNews, sent: 0 }
}

/**
 * Switches a webhook on again, and sends everything that was held meanwhile, as fast as its endpoint answers.
 * @throws AppError not_found
 */
export async function resumeWebhook(
  context: OperatorContext,
  by: By,
  id: string,
  reason: string,
): Promise<WebhookPause> {
  const client = await requireOwner(context, id)
  const owner = { user_id: client }
  const { isNews, sent, due } = await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      const config = await lockWebhookConfig(trx, client, id)
      if (config === undefined) throw new AppError('not_found', 'Webhook not found')
      if (config.is_active) return { isNews: false, sent: 0, due: [] }
      const on = await switchOn(trx, owner, id, false)
      const details = { webhook_config_id: id, note: reason }
      await auditChange(trx, by, { action: 'webhook_resumed', client, details })
      return { isNews: true, sent: on.sent, due: [...on.released, ...on.hurried] }
    }),
  )
  context.announce.deliveries(due)
  const offered = isNews ? (await sendOffered(context, owner, id)).count : 0
  return {
    webhook_config_id: id,
    client_user_id: client,
    is_active: true,
    is_news: isNews,
    sent: sent + offered,
  }
}

async function requireOwner({ db }: Pick<OperatorContext, 'db'>, id: string): Promise<string> {
  const owner = await findOwnerOfWebhook(db, id)
  if (owner === undefined) throw new AppError('not_found', 'Webhook not found')
  return owner
}
