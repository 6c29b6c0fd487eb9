import { expect, test } from 'vitest'
import { accountChangeSchema } from '#core/contract/accounts/account.ts'
import { newSourceSchema } from '#core/contract/leads/source.ts'
import { newLeadTypeSchema } from '#core/contract/market/lead-price.ts'
import { newOrderSchema } from '#core/contract/market/order.ts'
import { newContactMessageSchema } from '#core/contract/operations/contact-message.ts'
import { newWebhookConfigSchema } from '#core/contract/webhooks/webhook-config.ts'

const NAMES = [
  ['a webhook', newWebhookConfigSchema.shape.webhook_name],
  ['a source', newSourceSchema.shape.name],
  ['an order', newOrderSchema.shape.name],
  ['a lead type', newLeadTypeSchema.shape.label],
  ['an account', accountChangeSchema.shape.name],
  ['whoever writes', newContactMessageSchema.shape.name],
] as const

test.each(NAMES)('the name of %s can be seen', (_what, schema) => {
  for (const nothing of ['\u200b', '\u3164\u2800', ' \ufeff', '\u200d\ufe0f'])
    expect(schema.safeParse(nothing).success).toBe(false)
  expect(schema.parse('\u200b Ana ❤️ \ufeff')).toBe('Ana ❤️')
})
