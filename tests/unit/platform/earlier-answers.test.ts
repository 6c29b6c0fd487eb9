import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { apiRoutes } from '#server/api-routes.ts'
import { exampleAnswer } from '#server/http/openapi/describe-operation.ts'

const ACCOUNT = [
  'quiet_hours',
  ...['new_leads', 'lead_contacts', 'caps', 'weekly_digest'].map((one) => `notices.${one}`),
]
const CLIENT = ['display_name', 'funding', 'begun', 'webhooks_failing', 'sending_pause']
const LISTED_ORDER = 'max_lead_age_minutes'
const ORDER = [LISTED_ORDER, 'zip_codes', 'near_zip', 'near_miles']
const PAYMENT = ['receipt_number', 'seller']

/** The members that servers of 0.1.0 leave out of answers that the pages read. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  'get /api/v1/me': [
    'active_order_count',
    'admin_role',
    'account_id',
    'account_name',
    'member_role',
    'permissions',
    'is_approved',
  ],
  'get /api/v1/dashboard': ['leads.hours', 'setup.approved', 'setup.waits_since'],
  'get /api/v1/setup': ['approved', 'waits_since'],
  'get /api/v1/analytics': [
    'before',
    'lead_types',
    'sources',
    'states.0.revenue',
    'states.0.return_on_spend',
    'totals.revenue',
    'totals.return_on_spend',
  ],
  'get /api/v1/analytics/agents': ['data.0.revenue', 'data.0.return_on_spend'],
  'get /api/v1/account': ACCOUNT,
  'patch /api/v1/account': ACCOUNT,
  'get /api/v1/balance': ['begun', 'bank_details', ...PAYMENT.map((one) => `pending.0.${one}`)],
  'get /api/v1/payments': PAYMENT.map((one) => `data.0.${one}`),
  'get /api/v1/leads': ['data.0.member_user_id', 'data.0.consent_revoked'],
  'get /api/v1/leads/:id': ['consent_revoked', 'revocation', 'outcomes', 'late'],
  'get /api/v1/orders': [...ORDER.map((one) => `data.0.${one}`), 'data.0.member_user_id'],
  'get /api/v1/orders/:id': [...ORDER, 'member_user_id'],
  'post /api/v1/orders/estimate': ['price', 'highest_price'],
  'get /api/v1/webhook-configs': [
    'events',
    'event_templates',
    'authentication_unreadable',
    'sign_asymmetric',
    'requests_per_minute',
    'member_user_id',
  ].map((one) => `data.0.${one}`),
  'post /api/v1/webhook-configs/preview': ['url', 'headers'],
  'get /api/v1/webhook-configs/:id/secret': ['public_keys'],
  'get /api/v1/webhook-configs/:id/delivery-logs': ['data.0.waits_for_rate'],
  'get /api/v1/webhook-configs/health': ['data.0.sending_pause_reason'],
  'get /api/v1/webhook-configs/:id/health': ['sending_pause_reason'],
  'get /api/v1/admin/audit': ['sentence', 'actor_name', 'user_name'].map((one) => `data.0.${one}`),
  'get /api/v1/admin/clients': CLIENT.map((one) => `data.0.${one}`),
  'get /api/v1/admin/clients/:id': [
    ...CLIENT,
    `order_list.0.${LISTED_ORDER}`,
    'order_list.0.client.name',
    'prices.0.client.name',
  ],
  'get /api/v1/admin/leads': ['data.0.consent_revoked'],
  'get /api/v1/admin/orders': [`data.0.${LISTED_ORDER}`, 'data.0.client.name'],
  'get /api/v1/admin/payments': [...PAYMENT, 'dispute_due_by'].map((one) => `data.0.${one}`),
  'get /api/v1/admin/returns': ['data.0.client.name', 'data.0.evidence'],
  'get /api/v1/admin/sources': ['paused_at', 'pause_reason', 'paused_by_name'].map((one) => `data.0.${one}`),
  'get /api/v1/admin/settings': [
    'hold_hours',
    'duplicate_days',
    'resale_days',
    'late_credit_daily_dollars',
    'usual',
    'fixed',
    'floors',
  ],
  'get /api/v1/admin/imports': ['data.0.has_file'],
  'get /api/v1/admin/pending-adjustments': ['data.0.kind'],
  'get /api/v1/admin/dead-letters': ['data.0.client.name'],
  'get /api/v1/admin/endpoints': ['data.0.client.name'],
  'get /api/v1/admin/waits': ['data.0.client.name'],
}

describe('a page reads the answers of a server of an earlier version', () => {
  test.each(Object.entries(LEFT_OUT))('%s', (name, members) => {
    const schema = answerOf(name)
    const answer = exampleAnswer(schema)
    expect(schema.safeParse(answer).error?.issues).toBeUndefined()
    for (const member of members) leaveOut(answer, member.split('.'))
    expect(schema.safeParse(answer).error?.issues).toBeUndefined()
  })

  test('a client without a name, whose name was null', () => {
    const schema = answerOf('get /api/v1/admin/dead-letters')
    const answer = exampleAnswer(schema) as { data: { client: object }[] }
    for (const { client } of answer.data) Object.assign(client, { name: null })
    expect(schema.parse(answer)).toMatchObject({ data: [{ client: { name: 'Client' } }] })
  })
})

test('one way says what an earlier server leaves out: no answer has a default', () => {
  const found = apiRoutes.flatMap(({ method, path, answers }) =>
    Object.values(answers)
      .flatMap((answer) => (answer ? findDefaults(z.toJSONSchema(answer, ANSWER)) : []))
      // An answer repeats these as they were sent, with the defaults of a body.
      .filter((member) => !/\/(?:authentication|conditions)\//.test(member))
      .map((member) => `${method} ${path}: ${member}`),
  )
  expect(found).toEqual([])
})

const ANSWER = { io: 'output', unrepresentable: 'any' } as const

/** The members of a JSON schema that have a default. */
function findDefaults(schema: unknown, member = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const isSchema = Object.hasOwn(schema, 'type') || Object.hasOwn(schema, 'anyOf')
  const found = Object.entries(schema).flatMap(([name, part]) => findDefaults(part, `${member}/${name}`))
  return isSchema && Object.hasOwn(schema, 'default') ? [member, ...found] : found
}

function answerOf(name: string): z.ZodType {
  const route = apiRoutes.find(({ method, path }) => `${method} ${path}` === name)
  const schema = route?.answers[200]
  if (!schema) throw new Error(`${name} has no answer`)
  return schema
}

function leaveOut(answer: unknown, [first = '', ...rest]: string[]): void {
  const object = answer as Record<string, unknown>
  if (!Object.hasOwn(object, first)) throw new Error(`The example has no ${first}`)
  if (rest.length > 0) leaveOut(object[first], rest)
  else delete object[first]
}
