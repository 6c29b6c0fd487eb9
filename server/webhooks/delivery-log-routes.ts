import { z } from 'zod'
import {
  deliveryCountsSchema,
  deliveryLogDetailSchema,
  deliveryLogQuerySchema,
  deliveryLogSchema,
} from '#core/contract/webhooks/delivery.ts'
import {
  cancelResultSchema,
  cancelWaitingResultSchema,
  cancelWaitingSchema,
  replaySchema,
  resendFailedResultSchema,
  resendFailedSchema,
  resendResultSchema,
  settleOfferedResultSchema,
} from '#core/contract/webhooks/resend.ts'
import { pageSchema } from '#core/contract/page.ts'
import { COUNT_LIMIT, countDeliveryLogs, listDeliveryLogs } from '#core/data/webhooks/logs/delivery-logs.ts'
import { cutPage } from '#core/data/page.ts'
import { listReplays } from '#core/data/webhooks/deliveries/replays.ts'
import { keptLogs } from './kept-logs.ts'
import { cancelDelivery, cancelReplay, cancelWaiting } from './cancel-deliveries.ts'
import { resendDelivery, resendFailed } from './resend-deliveries.ts'
import { requireWebhookConfig } from './configs/require-webhook-config.ts'
import { discardOffered, sendOffered } from './settle-offered.ts'
import { showAttempt } from './show-attempt.ts'
import { tellHours } from './tell-hours.ts'
import { readPage } from '../http/read-page.ts'
import { route } from '../http/route.ts'

/** Each is counted again for every request, so only a few are shown. */
const replayQuerySchema = z.object({ limit: z.coerce.number().int().min(1).max(10).default(5) })

export const deliveryLogRoutes = [
  route({
    method: 'get',
    path: '/api/v1/webhook-configs/:id/delivery-logs',
    who: 'user',
    may: 'webhooks',
    mayLag: true,
    summary: 'List the attempts of one webhook, newest first',
    query: deliveryLogQuerySchema,
    answers: { 200: pageSchema(deliveryLogSchema) },
    handle: async ({ context, caller, id, query }) => {
      const page = readPage(query)
      await requireWebhookConfig(context, caller, id)
      const { status, event_type, from, to, search } = query
      const filter = {
        client: caller.user_id,
        member: caller.member_user_id,
        webhook_config_id: id,
        kept: keptLogs(context.config),
        status,
        event_type,
        from,
        to,
        search,
      }
      const { rows, next_cursor } = cutPage(await listDeliveryLogs(context.db, filter, page), page.limit)
      const data = rows.map(({ position: _position, webhook_name: _name, ...log }) => tellHours(log))
      return { status: 200, json: { data, next_cursor } }
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/delivery-logs/:id',
    who: 'user',
    may: 'webhooks',
    summary: 'Return one attempt with its request, response and timing',
    answers: { 200: deliveryLogDetailSchema },
    handle: async ({ context, caller, id }) => ({
      status: 200,
      json: await showAttempt(context, caller.user_id, id),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/delivery-logs/:id/resend',
    who: 'user',
    may: 'webhooks',
    summary: 'Send the event of an attempt again',
    description:
      'This makes a new delivery, or makes the planned retry of the same delivery now; `sent` says which. The call is refused (409) while the webhook is off or outside its sending hours, while the delivery is being sent or waits already, and if the lead was returned or erased, or its person revoked consent.',
    takesKey: true,
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
    may: 'webhooks',
    summary: 'Send everything again that failed since a certain time, or count it',
    description:
      'Resent deliveries have low priority, so that new leads are not delayed, and thousands take some seconds to start. If the answer is lost, some may have started: a repeat under the same key continues from there. The call is refused (409) while the webhook is off. If too many such calls of your account wait, the answer is a 429 with `Retry-After`.',
    takes: 'json',
    takesKey: true,
    body: resendFailedSchema,
    answers: { 200: resendFailedResultSchema },
    handle: async ({ context, caller, id, body, idempotencyKey }) => ({
      status: 200,
      json: await resendFailed(context, caller, id, { ...body, idempotencyKey }),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/webhook-configs/:id/delivery-counts',
    who: 'user',
    may: 'webhooks',
    mayLag: true,
    summary: 'Count the rows of a webhook’s log and its waiting deliveries, and tell whether any has failed',
    answers: { 200: deliveryCountsSchema },
    handle: async ({ context, caller, id }) => {
      await requireWebhookConfig(context, caller, id)
      const counts = await countDeliveryLogs(context.db, caller.user_id, id)
      return { status: 200, json: { ...counts, logs_limit: COUNT_LIMIT } }
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/webhook-configs/:id/replays',
    who: 'user',
    may: 'webhooks',
    summary: 'List the latest runs of `resend-failed` with their progress',
    query: replayQuerySchema,
    answers: { 200: pageSchema(replaySchema) },
    handle: async ({ context, caller, id, query }) => {
      await requireWebhookConfig(context, caller, id)
      const data = await listReplays(context.db, caller.user_id, id, query.limit)
      return { status: 200, json: { data, next_cursor: null } }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/webhook-replays/:id/cancel',
    who: 'user',
    may: 'webhooks',
    summary: 'Cancel the unsent deliveries of a run of `resend-failed`',
    answers: { 200: cancelWaitingResultSchema },
    handle: async ({ context, caller, id }) => ({
      status: 200,
      json: await cancelReplay(context, caller, id),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/delivery-logs/:id/cancel',
    who: 'user',
    may: 'webhooks',
    summary: 'Cancel a delivery that has not arrived yet',
    description:
      'A finished delivery is refused (409). A request that is under way is not interrupted; its result is still logged.',
    answers: { 200: cancelResultSchema },
    handle: async ({ context, caller, id }) => ({
      status: 200,
      json: await cancelDelivery(context, caller, id),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/webhook-configs/:id/cancel-waiting',
    who: 'user',
    may: 'webhooks',
    summary: 'Cancel all waiting deliveries of a webhook, or count them',
    takes: 'json',
    body: cancelWaitingSchema,
    answers: { 200: cancelWaitingResultSchema },
    handle: async ({ context, caller, id, body }) => ({
      status: 200,
      json: await cancelWaiting(context, caller, id, body),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/webhook-configs/:id/send-offered',
    who: 'user',
    may: 'webhooks',
    summary: 'Send the deliveries that came while the webhook was off',
    description: 'While the webhook is still off, the call is refused (409).',
    answers: { 200: settleOfferedResultSchema },
    handle: async ({ context, caller, id }) => ({
      status: 200,
      json: await sendOffered(context, caller, id),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/webhook-configs/:id/discard-offered',
    who: 'user',
    may: 'webhooks',
    summary: 'Discard the deliveries that came while the webhook was off',
    description: 'Other waiting deliveries stay.',
    answers: { 200: settleOfferedResultSchema },
    handle: async ({ context, caller, id }) => ({
      status: 200,
      json: await discardOffered(context, caller, id),
    }),
  }),
]
