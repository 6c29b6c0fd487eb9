import type { z } from 'zod'
import type { deliveryLogQuerySchema } from '#core/contract/webhooks/delivery.ts'
import { listDeliveryLogs } from '#core/data/webhooks/logs/delivery-logs.ts'
import { cutPage } from '#core/data/page.ts'
import { findWebhookConfig } from '#core/data/webhooks/webhook-configs.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../context.ts'
import { readPage } from '../http/read-page.ts'
import { keptLogs } from './kept-logs.ts'
import { tellHours } from './tell-hours.ts'

/**
 * A page of the attempts of one of a client's webhooks, newest first.
 * @throws AppError not_found, also for another client's webhook
 */
export async function listClientDeliveries(
  context: ServerContext,
  client: string,
  { webhook, limit, cursor, ...asked }: z.output<typeof deliveryLogQuerySchema> & { webhook: string },
) {
  const page = readPage({ limit, cursor })
  if ((await findWebhookConfig(context.db, client, webhook)) === undefined)
    throw new AppError('not_found', 'Webhook not found')
  const { status, event_type, from, to, search } = asked
  const kept = keptLogs(context.config)
  const filter = { client, webhook_config_id: webhook, kept, status, event_type, from, to, search }
  const { rows, next_cursor } = cutPage(await listDeliveryLogs(context.db, filter, page), page.limit)
  const data = rows.map(({ position: _position, webhook_name: _name, ...log }) => tellHours(log))
  return { data, next_cursor }
}
