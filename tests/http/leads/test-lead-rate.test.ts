import { createKeyring } from '#core/secrets/keyring.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '#core/telemetry/logger.ts'
import { createContext } from '#server/context.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { newLead, startApp, type Person, type TestApp } from '../support/start-app.ts'

const LIMIT = 5
let app: TestApp
beforeAll(async () => {
  app = await startApp({ WEBHOOK_RATE_TEST_LEAD: String(LIMIT) })
})
afterAll(() => app.close())

const make = (who: Person, body: unknown = {}, key?: string) =>
  app.call('POST', '/api/v1/leads', {
    token: who.token,
    body,
    ...(key === undefined ? {} : { headers: { 'Idempotency-Key': key } }),
  })
const spendAll = (who: Person) => Promise.all(Array.from({ length: LIMIT }, () => make(who)))

test('a test lead above the client’s limit a minute is refused, and the answer says how long to wait', async () => {
  const client = await app.newClient()
  const answers = await Promise.all(Array.from({ length: 2 * LIMIT }, () => make(client)))

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(LIMIT)
  const [refused] = answers.filter(({ status }) => status !== 201)
  expect(refused).toMatchObject({ status: 429, json: { code: 'rate_limited', title: 'Too many requests' } })
  const seconds = Number(refused?.headers.get('Retry-After'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
  expect(refused?.json.detail).toMatch(
    /^Too many test leads\. Please wait (a second|\d+ seconds) and try again\.$/,
  )
})

test('the limit does not count another client’s test leads or a source’s leads', async () => {
  const client = await app.newClient()
  const source = await app.newSource({ owner: client })
  await spendAll(client)

  expect((await make(await app.newClient())).status).toBe(201)
  const posted = await app.call('POST', '/api/v1/leads', {
    headers: { authorization: `Bearer ${source.key}` },
    body: newLead({ is_test: true }),
  })
  expect(posted.status).toBe(201)
})

test('a repeat under its key gets the first answer, even beyond the limit, and does not count', async () => {
  const client = await app.newClient()
  const first = await make(client, {}, 'press-1')
  const repeats = await Promise.all(Array.from({ length: LIMIT }, () => make(client, {}, 'press-1')))
  expect(new Set(repeats.map(({ json }) => json.id))).toEqual(new Set([first.json.id]))

  const others = await spendAll(client)
  expect(others.filter(({ status }) => status === 201)).toHaveLength(LIMIT - 1)
  expect((await make(client, {}, 'press-1')).json.id).toBe(first.json.id)
  expect((await make(client, {}, 'press-2')).status).toBe(429)
})

test('simultaneous requests under one key create one test lead, even the last allowed one', async () => {
  const client = await app.newClient()
  await Promise.all(Array.from({ length: LIMIT - 1 }, () => make(client)))
  const presses = await Promise.all(Array.from({ length: LIMIT }, () => make(client, {}, 'last')))

  expect(presses.map(({ status }) => status)).toEqual(presses.map(() => 201))
  expect(new Set(presses.map(({ json }) => json.id)).size).toBe(1)
  expect((await make(client)).status).toBe(429)
})

test('simultaneous requests under one key count once', async () => {
  const client = await app.newClient()
  await Promise.all(Array.from({ length: LIMIT }, () => make(client, {}, 'press')))

  const others = await spendAll(client)
  expect(others.filter(({ status }) => status === 201)).toHaveLength(LIMIT - 1)
})

test('a request with faulty fields does not count', async () => {
  const client = await app.newClient()
  const refused = await Promise.all(Array.from({ length: 2 * LIMIT }, () => make(client, { email: 'nope' })))
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([422]))

  expect((await spendAll(client)).map(({ status }) => status)).toEqual(
    Array.from({ length: LIMIT }, () => 201),
  )
})

test('all servers count together', async () => {
  const client = await app.newClient()
  const { config } = app.context
  const second = await createContext(
    config,
    createKeyring(config.secretsKey ?? ''),
    createLogger('second', 'silent'),
  )
  await waitUntil(() => second.context.announce.isReady(), { what: 'Redis' })
  for (let made = 0; made < LIMIT; made += 1)
    await second.context.webhooks.testRates.spend('test_lead', client.id)
  await second.close()

  expect((await make(client)).status).toBe(429)
})
