import { expect, test } from 'vitest'
import { accountChangeSchema } from '#core/contract/accounts/account.ts'
import { leadFilterSchema } from '#core/contract/leads/lead-query.ts'
import { newSourceSchema } from '#core/contract/leads/source.ts'
import { clientSuspensionSchema } from '#core/contract/market/admin-client.ts'
import { adminOrderChangeSchema } from '#core/contract/market/admin-order.ts'
import { newLeadTypeSchema } from '#core/contract/market/lead-price.ts'
import { returnRequestSchema } from '#core/contract/market/lead-return.ts'
import { newOrderSchema } from '#core/contract/market/order.ts'
import { adjustmentSchema } from '#core/contract/market/money/payment.ts'
import { newContactMessageSchema } from '#core/contract/operations/contact-message.ts'
import { newWebhookConfigSchema } from '#core/contract/webhooks/webhook-config.ts'
import { chooseName } from '#server/accounts/sign-up/create-account.ts'

const NAMES = [
  ['a webhook', newWebhookConfigSchema.shape.webhook_name],
  ['a source', newSourceSchema.shape.name],
  ['an order', newOrderSchema.shape.name],
  ['a lead type', newLeadTypeSchema.shape.label],
  ['an account', accountChangeSchema.shape.name],
  ['whoever writes', newContactMessageSchema.shape.name],
] as const

test.each(NAMES)('the name of %s stays visible', (_what, schema) => {
  for (const nothing of ['\u200b', '\u3164\u2800', ' \ufeff', '\u200d\ufe0f'])
    expect(schema.safeParse(nothing).success).toBe(false)
  expect(schema.parse('\u200b Ana ❤️ \ufeff')).toBe('Ana ❤️')
})

const NOTHING = '\u200b\u3164\u2060 '.repeat(4)

test.each([
  ['a note that the client reads', adjustmentSchema.safeParse({ amount: '5.00', note: NOTHING }), 'note'],
  ['a reason to suspend', clientSuspensionSchema.safeParse({ reason: NOTHING }), 'reason'],
  [
    'a reason to pause an order',
    adminOrderChangeSchema.safeParse({ version: 1, paused: true, reason: NOTHING }),
    'reason',
  ],
  [
    'the note of a return',
    returnRequestSchema.safeParse({ reason: 'did_not_request', note: NOTHING }),
    'note',
  ],
  [
    'a message',
    newContactMessageSchema.safeParse({
      name: 'Ana',
      email: 'ana@example.com',
      topic: 'question',
      message: NOTHING,
    }),
    'message',
  ],
])('%s without a visible character counts as missing', (_what, { error }, path) => {
  expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path])
})

test('an account with an invisible name is called by its address', () => {
  expect(chooseName({ name: NOTHING, full_name: '\ufeffAna\u200b' }, 'a@example.com')).toBe('Ana')
  expect(chooseName({ name: NOTHING }, 'ana@example.com')).toBe('ana')
})

test('an address and a search lose the invisible characters at their ends', () => {
  const { endpoint_url } = newWebhookConfigSchema.parse({
    webhook_name: 'CRM',
    endpoint_url: '\u200bhttps://example.com/hook\u200b',
  })
  expect(endpoint_url).toBe('https://example.com/hook')
  expect(leadFilterSchema.parse({ search: '\u202a+1 (202) 555-0143\u202c' }).search).toBe('+1 (202) 555-0143')
  expect(leadFilterSchema.parse({ search: NOTHING }).search).toBeUndefined()
})
