import {
  endpointTestResultSchema,
  webhookDeliveryResultSchema,
  webhookDeliverySchema,
} from '#core/contract/webhooks/delivery.ts'
import { endpointTestSchema } from '#core/contract/webhooks/webhook-config.ts'
import { route } from '../http/route.ts'
import { testWebhookEndpoint } from './endpoint-test/test-webhook-endpoint.ts'
import { requestWebhookDelivery } from './request-webhook-delivery.ts'

/**
 * The server functions of docs/product.md §7: every result that a client can act on is a 200 with `success`.
 */
export const functionRoutes = [
  route({
    method: 'post',
    path: '/functions/v1/test-webhook-endpoint',
    who: 'user',
    may: 'webhooks',
    summary: 'Send the fictional lead, or the example of an event, to an endpoint, saved or not',
    description:
      'With `event` the example of that event beside the lead is sent in its own template, and its status alone decides. Every result is answered with 200: `success`, and `error` with the reason. Too many tests in a minute are `"success": false` with `Retry-After`. A test is not in the delivery log.',
    takes: 'json',
    body: endpointTestSchema,
    readsBodyItself: true,
    answers: { 200: endpointTestResultSchema },
    handle: async ({ context, caller, body, bodyText }) => {
      const tested = await testWebhookEndpoint(context, caller, { body, bodyText })
      const { result, retryAfterSeconds } = tested
      return {
        status: 200,
        json: result,
        ...(retryAfterSeconds !== undefined && { headers: { 'Retry-After': String(retryAfterSeconds) } }),
      }
    },
  }),
  route({
    method: 'post',
    path: '/functions/v1/webhook-delivery',
    who: 'user',
    may: 'webhooks',
    summary: 'Make sure that the deliveries of a lead are planned',
    description: 'It sends nothing twice. Refusals are answered with 200 and `"success": false`.',
    takes: 'json',
    body: webhookDeliverySchema,
    readsBodyItself: true,
    answers: { 200: webhookDeliveryResultSchema },
    handle: async ({ context, caller, body }) => ({
      status: 200,
      json: await requestWebhookDelivery(context, caller, body),
    }),
  }),
]
