import {
  deliveryLogDetailSchema,
  deliveryLogQuerySchema,
  deliveryLogSchema,
  resendFailedResultSchema,
  resendFailedSchema,
  resendResultSchema,
} from '#core/contract/delivery.ts'
import { findDeliveryLog, listDeliveryLogs } from '#core/data/delivery-logs.ts'
import { cutPage } from '#core/data/page.ts'
import { maxAttempts } from '#core/domain/retry-schedule.ts'
import { AppError } from '#core/errors.ts'
import { resendDelivery, resendFailed } from '../use-cases/resend-deliveries.ts'
import { requireWebhookConfig } from '../use-cases/save-webhook-config.ts'
import { pageSchema, readPage } from './read-page.ts'
import { route } from './route.ts'

export const deliveryLogRoutes = [
  route({
    method: 'get',
    path: '/api/v1/webhook-configs/:id/delivery-logs',
    who: 'user',
    summary: 'Attempts of one configuration, newest first',
    query: deliveryLogQuerySchema,
    answers: { 200: pageSchema(deliveryLogSchema) },
    handle: async ({ context, caller, id, query }) => {
      const page = readPage(query)
      await requireWebhookConfig(context, caller, id)
      const filter = { client: caller.user_id, webhook_config_id: id, status: query.status }
      const { rows, next_cursor } = cutPage(await listDeliveryLogs(context.db, filter, page), page.limit)
      const data = rows.map(({ position: _position, webhook_name: _name, ...log }) => log)
      return { status: 200, json: { data, next_cursor } }
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/delivery-logs/:id',
    who: 'user',
    summary: 'One attempt whole: request, response and timing',
    answers: { 200: deliveryLogDetailSchema },
    handle: async ({ context, caller, id }) => {
      const log = await findDeliveryLog(context.db, caller.user_id, id)
      if (log === undefined) throw new AppError('not_found', 'Delivery not found')
      const stepSeconds = context.config.webhooks.retryScheduleSeconds
      return { status: 200, json: { ...log, max_attempts: maxAttempts({ stepSeconds }) } }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/delivery-logs/:id/resend',
    who: 'user',
    summary: 'Send the same event again, as a new delivery',
    answers: { 202: resendResultSchema },
    handle: async ({ context, caller, id, idempotencyKey }) => ({
      status: 202,
      json: await resendDelivery(context, caller, id, idempotencyKey),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/webhook-configs/:id/resend-failed',
    who: 'user',
    summary: 'Send again what finally failed since a moment, or count it',
    takes: 'json',
    body: resendFailedSchema,
    answers: { 200: resendFailedResultSchema },
    handle: async ({ context, caller, id, body }) => ({
      status: 200,
      json: await resendFailed(context, caller, id, body),
    }),
  }),
]
