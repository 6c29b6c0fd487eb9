import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { createKeyring } from '#core/secrets/keyring.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { createContext } from '#server/context.ts'
import { testWebhookEndpoint } from '#server/webhooks/endpoint-test/test-webhook-endpoint.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { startApp, type Person, type TestApp } from '../../support/start-app.ts'

let app: TestApp
let receiver: Receiver
beforeAll(async () => {
  app = await startApp()
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.close()
  await app.close()
})

const testEndpoint = (body: unknown, { token }: Person) =>
  app.call('POST', '/functions/v1/test-webhook-endpoint', { token, body })

const PEM_OF_NOTHING = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'

test('sends at most thirty tests a minute', async () => {
  const eager = await app.newClient()
  const body = { endpoint_url: receiver.url }
  const answers = await Promise.all(Array.from({ length: 31 }, () => testEndpoint(body, eager)))

  const limited = answers.filter(({ json }) => json.error?.startsWith('Too many tests'))
  expect(limited).toHaveLength(1)
  expect(limited[0]?.status).toBe(200)
  expect(limited[0]?.json.error).toMatch(/^Too many tests\. Please wait \d+ seconds and try again\.$/)
  const seconds = Number(limited[0]?.headers.get('Retry-After'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
  expect(answers.filter(({ headers }) => headers.has('Retry-After'))).toHaveLength(1)
})

test.each([
  ['a body of no known form', {}],
  ['a template that is none', { payload_template: '{"a":' }],
  ['certificates that are none', { ca_certificate: PEM_OF_NOTHING }],
  ['a key of no certificate', { client_certificate: PEM_OF_NOTHING, client_key: PEM_OF_NOTHING }],
  ['a header that is none', { custom_headers: { 'X-A': 'a\nb' } }],
  ['an address that is not allowed', { endpoint_url: 'ftp://example.com' }],
  ['a webhook that is not there', { webhookId: randomUUID(), endpoint_url: undefined }],
])('also counts faulty tests: %s', async (_what, fault) => {
  const careless = await app.newClient()
  const whole = { endpoint_url: receiver.url }
  const faulty = Object.keys(fault).length === 0 ? {} : { ...whole, ...fault }
  for (let made = 0; made < 30; made += 1) {
    const { json } = await testEndpoint(faulty, careless)
    expect(json.success).toBe(false)
    expect(json.error).not.toMatch(/^Too many/)
  }
  for (const body of [faulty, whole]) {
    const { json, headers } = await testEndpoint(body, careless)
    expect(json.error).toMatch(/^Too many tests\./)
    expect(headers.has('Retry-After')).toBe(true)
  }
})

test('counts all servers’ tests of a minute together', async () => {
  const eager = await app.newClient()
  const { config } = app.context
  const second = await createContext(
    config,
    createKeyring(config.secretsKey ?? ''),
    createLogger('second', 'silent'),
  )
  await waitUntil(() => second.context.announce.isReady(), { what: 'Redis' })
  const body = { endpoint_url: receiver.url }
  const caller = {
    user_id: eager.id,
    person_id: eager.id,
    account_id: eager.id,
    member_role: 'owner',
    session_id: eager.id,
    role: 'client',
    admin_role: null,
    email: eager.email,
    aal: 'aal1',
    owes_factor: false,
    is_anonymous: false,
    is_approved: false,
  } as const
  const atSecond = async () =>
    (await testWebhookEndpoint(second.context, caller, { body, bodyText: JSON.stringify(body) })).result

  const answers = await Promise.all([
    ...Array.from({ length: 16 }, async () => (await testEndpoint(body, eager)).json),
    ...Array.from({ length: 16 }, atSecond),
  ])
  await second.close()

  expect(answers.filter(({ error }) => error?.startsWith('Too many tests') === true)).toHaveLength(2)
})
