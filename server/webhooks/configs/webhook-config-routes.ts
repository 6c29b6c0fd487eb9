import { z } from 'zod'
import {
  endpointHealthListSchema,
  endpointHealthSchema,
  switchOnResultSchema,
  switchOnSchema,
} from '#core/contract/webhooks/endpoint-health.ts'
import {
  mailAddressesSchema,
  newWebhookConfigSchema,
  previewRequestSchema,
  previewSchema,
  signingSecretSchema,
  webhookConfigChangeSchema,
  webhookConfigSchema,
  webhookLimitSchema,
} from '#core/contract/webhooks/webhook-config.ts'
import { pageSchema } from '#core/contract/page.ts'
import { cutPage } from '#core/data/page.ts'
import { listWebhookConfigs } from '#core/data/webhooks/webhook-configs.ts'
import { listMailAddresses } from './require-proven-address.ts'
import { describeWebhookConfig, describeWebhookConfigs } from './describe-webhook-config.ts'
import { previewPayload } from '../preview-payload.ts'
import { endOverlap, readSecret, rotateSecret } from '../rotate-secret.ts'
import { changeWebhookConfig } from './change-webhook-config.ts'
import { createWebhookConfig } from './create-webhook-config.ts'
import { removeWebhookConfig } from './remove-webhook-config.ts'
import { requireWebhookConfig } from './require-webhook-config.ts'
import { listEndpointHealth, showEndpointHealth } from '../show-endpoint-health.ts'
import { switchOnWebhook } from '../switch-on-webhook.ts'
import { ignoreReadOnlyFields } from '../../http/ignore-read-only-fields.ts'
import { pageQuerySchema, readPage } from '../../http/read-page.ts'
import { route } from '../../http/route.ts'

const path = '/api/v1/webhook-configs'

/** In place of an authentication that cannot be read an answer shows `none`: sent back, it removes nothing. */
const unreadableAnswer = z.object({
  authentication: z.object({ type: z.literal('none') }),
  authentication_unreadable: z.literal(true),
})
const listUnshown = (given: unknown) => (unreadableAnswer.safeParse(given).success ? ['authentication'] : [])

export const webhookConfigRoutes = [
  route({
    method: 'get',
    path,
    who: 'user',
    may: 'webhooks',
    summary: 'List your webhooks, newest first',
    query: pageQuerySchema,
    answers: { 200: pageSchema(webhookConfigSchema) },
    handle: async ({ context, caller, query }) => {
      const page = readPage(query)
      const { rows, next_cursor } = cutPage(
        await listWebhookConfigs(context.db, caller.user_id, { ...page, member: caller.member_user_id }),
        page.limit,
      )
      const data = await describeWebhookConfigs(rows, context)
      const parts = data.map((config, index) => (index === 0 ? config : `,${config}`))
      const end = `],"next_cursor":${JSON.stringify(next_cursor)}}`
      return { status: 200, parts: ['{"data":[', ...parts, end] }
    },
  }),
  route({
    method: 'post',
    path,
    who: 'user',
    may: 'webhooks',
    summary: 'Create a webhook',
    description:
      'An endpoint that cannot be used is refused with 422 `unusable_endpoint`, and a webhook beyond the limit with 422 `too_many_webhooks`.',
    takes: 'json',
    takesKey: true,
    body: ignoreReadOnlyFields(newWebhookConfigSchema, webhookConfigSchema),
    answers: { 201: webhookConfigSchema },
    handle: async ({ context, caller, body, bodyText, idempotencyKey }) => {
      const row = await createWebhookConfig(context, caller, { config: body, bodyText, idempotencyKey })
      return { status: 201, text: describeWebhookConfig(row, context.secrets) }
    },
  }),
  route({
    method: 'post',
    path: `${path}/preview`,
    who: 'user',
    may: 'webhooks',
    summary: 'Render a payload template with one of your leads or with the fictional lead',
    description: 'Nothing is sent. A template that could not be saved is refused (422).',
    takes: 'json',
    body: ignoreReadOnlyFields(previewRequestSchema, webhookConfigSchema),
    answers: { 200: previewSchema },
    handle: async ({ context, caller, body, bodyText }) => ({
      status: 200,
      json: await previewPayload(context, caller, body, bodyText),
    }),
  }),
  route({
    method: 'get',
    path: `${path}/limit`,
    who: 'user',
    may: 'webhooks',
    summary: 'Return how many webhooks one account may have',
    answers: { 200: webhookLimitSchema },
    handle: ({ context }) =>
      Promise.resolve({ status: 200, json: { max_per_client: context.config.webhooks.maxPerClient } }),
  }),
  route({
    method: 'get',
    path: `${path}/mail-addresses`,
    who: 'user',
    may: 'webhooks',
    summary: 'Return the addresses to which your webhooks may send mail, as in `mailto:name@example.com`',
    description:
      'They are the confirmed addresses of the people of your account; an agent has only their own. None if this installation has no mail server.',
    answers: { 200: mailAddressesSchema },
    handle: async ({ context, caller }) => ({ status: 200, json: await listMailAddresses(context, caller) }),
  }),
  // Declared before the routes with an id, or `health` would be read as one.
  route({
    method: 'get',
    path: `${path}/health`,
    who: 'user',
    may: 'webhooks',
    summary: 'Return the health of the endpoints of all your webhooks',
    answers: { 200: endpointHealthListSchema },
    handle: async ({ context, caller }) => ({
      status: 200,
      json: { data: await listEndpointHealth(context, caller) },
    }),
  }),
  route({
    method: 'get',
    path: `${path}/:id/health`,
    who: 'user',
    may: 'webhooks',
    summary:
      'Return the health of one endpoint: results of 24 hours, latency, breaker, and waiting deliveries',
    answers: { 200: endpointHealthSchema },
    handle: async ({ context, caller, id }) => ({
      status: 200,
      json: await showEndpointHealth(context, caller, id),
    }),
  }),
  route({
    method: 'get',
    path: `${path}/:id`,
    who: 'user',
    may: 'webhooks',
    summary: 'Return one webhook',
    answers: { 200: webhookConfigSchema },
    handle: async ({ context, caller, id }) => {
      const row = await requireWebhookConfig(context, caller, id)
      return { status: 200, text: describeWebhookConfig(row, context.secrets) }
    },
  }),
  route({
    method: 'patch',
    path: `${path}/:id`,
    who: 'user',
    may: 'webhooks',
    summary: 'Change a webhook; fields that you leave out keep their value',
    description: 'An endpoint that cannot be used is refused with 422 `unusable_endpoint`.',
    takes: 'json',
    body: ignoreReadOnlyFields(webhookConfigChangeSchema, webhookConfigSchema, listUnshown),
    answers: { 200: webhookConfigSchema },
    handle: async ({ context, caller, id, body, bodyText }) => {
      const row = await changeWebhookConfig(context, caller, id, { change: body, bodyText })
      return { status: 200, text: describeWebhookConfig(row, context.secrets) }
    },
  }),
  route({
    method: 'post',
    path: `${path}/:id/switch-on`,
    who: 'user',
    may: 'webhooks',
    summary: 'Switch a webhook on, and send or discard the deliveries that wait for it',
    description:
      'With `test_first` the endpoint is tested first. If the test fails, the webhook stays off and nothing changes. A webhook that is already on stays on.',
    takes: 'json',
    body: switchOnSchema,
    answers: { 200: switchOnResultSchema },
    handle: async ({ context, caller, id, body }) => ({
      status: 200,
      json: await switchOnWebhook(context, caller, id, body),
    }),
  }),
  route({
    method: 'delete',
    path: `${path}/:id`,
    who: 'user',
    may: 'webhooks',
    summary: 'Delete a webhook and the deliveries that wait for it',
    answers: { 204: null },
    handle: async ({ context, caller, id }) => {
      await removeWebhookConfig(context, caller, id)
      return { status: 204 }
    },
  }),
  route({
    method: 'get',
    path: `${path}/:id/secret`,
    who: 'user',
    may: 'webhooks',
    summary: 'Return the signing secret',
    description: 'After a rotation it also says until when the old secret signs too.',
    answers: { 200: signingSecretSchema },
    handle: async ({ context, caller, id }) => ({
      status: 200,
      json: await readSecret(context, caller, id),
    }),
  }),
  route({
    method: 'post',
    path: `${path}/:id/secret/rotate`,
    who: 'user',
    may: 'webhooks',
    summary: 'Create a new signing secret; the old one continues to sign for 24 hours',
    takesKey: true,
    answers: { 200: signingSecretSchema },
    handle: async ({ context, caller, id, idempotencyKey }) => ({
      status: 200,
      json: await rotateSecret(context, caller, id, idempotencyKey),
    }),
  }),
  route({
    method: 'delete',
    path: `${path}/:id/secret/previous`,
    who: 'user',
    may: 'webhooks',
    summary: 'Stop the old signing secret now, before its 24 hours are over',
    answers: { 204: null },
    handle: async ({ context, caller, id }) => {
      await endOverlap(context, caller, id)
      return { status: 204 }
    },
  }),
]
