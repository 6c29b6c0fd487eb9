import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  UNREADABLE_AUTHENTICATION,
  UNREADABLE_HEADER,
  UNREADABLE_SECRET,
} from '#core/contract/webhooks/authentication.ts'
import { sealValue } from '#core/secrets/secret-box.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let client: Person
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
})
afterAll(async () => {
  await app.close()
})

const PATH = '/api/v1/webhook-configs'
const call = async (method: string, path: string, body?: unknown) =>
  await app.call(method, path, { token: client.token, body })
const testEndpoint = async (body: object) =>
  (await call('POST', '/functions/v1/test-webhook-endpoint', body)).json.message
const sealLost = (text: string) => sealValue(randomBytes(32), undefined, text)
const create = async (name: string, more: object = {}) =>
  (
    await app.call('POST', PATH, {
      token: client.token,
      body: { webhook_name: name, endpoint_url: 'https://crm.example.com/hook', ...more },
    })
  ).json.id

test.each([
  ['a success rule', 'success_rule', '{"accepted": {"where": "body"}}'],
  ['custom headers', 'custom_headers', '{"X-Source": 5}'],
] as const)('an invalid %s hides only its own configuration', async (_what, column, stored) => {
  const [good, bad] = [await create('Good'), await create('Bad')]
  const { db } = app.context
  await db
    .updateTable('client_webhook_configs')
    .set({ [column]: stored })
    .where('id', '=', bad)
    .execute()

  const list = await app.call('GET', PATH, { token: client.token })
  const ids = list.json.data.map(({ id }) => id)
  expect(list.status).toBe(200)
  expect([ids.includes(good), ids.includes(bad)]).toEqual([true, false])
  expect((await app.call('GET', `${PATH}/${good}`, { token: client.token })).status).toBe(200)
  const failed = await app.call('GET', `${PATH}/${bad}`, { token: client.token })
  expect([failed.status, failed.json.code]).toEqual([500, 'internal_error'])
  await sql`delete from client_webhook_configs where id in (${good}, ${bad})`.execute(db)
})

describe.each([
  ['was sealed with a lost key', () => sealLost('{"type":"bearer","token":"a"}')],
  [
    'is of a newer version',
    () => app.context.secrets.seal('client_webhook_configs.authentication', '{"type":"kerberos"}'),
  ],
])('authentication that %s', (_what, seal) => {
  let id: string
  beforeAll(async () => {
    id = await create('Lost', { authentication: { type: 'bearer', token: 'word' } })
    await app.context.db
      .updateTable('client_webhook_configs')
      .set({ authentication: seal() })
      .where('id', '=', id)
      .execute()
  })

  test('is marked in the list and at the webhook', async () => {
    const lost = { id, authentication: { type: 'none' }, authentication_unreadable: true }
    expect((await call('GET', `${PATH}/${id}`)).json).toMatchObject(lost)
    expect((await call('GET', PATH)).json.data).toContainEqual(expect.objectContaining(lost))
  })

  test('stays as it is while its webhook is changed, and lets it not be tested, certified or switched on', async () => {
    const off = await call('PATCH', `${PATH}/${id}`, { webhook_name: 'Renamed', is_active: false })
    expect(off).toMatchObject({
      status: 200,
      json: { webhook_name: 'Renamed', authentication_unreadable: true },
    })
    const errors = [{ path: 'authentication', message: UNREADABLE_AUTHENTICATION }]
    expect(await call('PATCH', `${PATH}/${id}`, { is_active: true })).toMatchObject({
      status: 422,
      json: { errors },
    })
    const wish = { waiting: 'keep', test_first: false }
    expect(await call('POST', `${PATH}/${id}/switch-on`, wish)).toMatchObject({
      status: 422,
      json: { errors },
    })
    expect((await call('GET', `${PATH}/${id}/certification`)).status).toBe(200)
    expect((await call('POST', `${PATH}/${id}/certification`)).status).toBe(422)
    for (const body of [{ webhookId: id }, { webhookId: id, endpoint_url: 'https://crm.example.com/hook' }])
      expect(await testEndpoint(body)).toBe(UNREADABLE_AUTHENTICATION)
  })

  test('is entered again before its webhook gets another endpoint', async () => {
    const moved = { endpoint_url: 'https://other.example.com/hook' }
    const errors = [{ path: 'authentication', message: 'Enter the value again: the endpoint has changed' }]
    expect(await call('PATCH', `${PATH}/${id}`, moved)).toMatchObject({ status: 422, json: { errors } })
  })

  test('stays when a whole answer is sent back', async () => {
    const { json: shown } = await call('GET', `${PATH}/${id}`)
    const saved = await call('PATCH', `${PATH}/${id}`, { ...shown, webhook_name: 'Sent back' })
    expect(saved).toMatchObject({
      status: 200,
      json: { webhook_name: 'Sent back', authentication_unreadable: true },
    })
  })

  test('is replaced by what its owner enters', async () => {
    const kept = { type: 'bearer', token: '••••' }
    expect((await call('PATCH', `${PATH}/${id}`, { authentication: kept })).status).toBe(422)
    const authentication = { type: 'basic', username: 'ada', password: 'word' }
    const mended = await call('PATCH', `${PATH}/${id}`, { authentication, is_active: true })
    expect(mended).toMatchObject({
      status: 200,
      json: { is_active: true, authentication_unreadable: false, authentication: { type: 'basic' } },
    })
  })
})

test('a custom header that cannot be read is entered again before its webhook is tested, certified or switched on', async () => {
  const id = await create('Lost header', { is_active: false })
  await app.context.db
    .updateTable('client_webhook_configs')
    .set({ custom_headers: JSON.stringify({ 'X-Api-Key': sealLost('key') }) })
    .where('id', '=', id)
    .execute()
  const refused = {
    status: 422,
    json: { errors: [{ path: 'custom_headers.X-Api-Key', message: UNREADABLE_HEADER }] },
  }
  expect(await testEndpoint({ webhookId: id })).toBe(`X-Api-Key: ${UNREADABLE_HEADER}`)
  expect(await call('POST', `${PATH}/${id}/certification`)).toMatchObject(refused)
  expect(await call('POST', `${PATH}/${id}/switch-on`, { waiting: 'keep', test_first: false })).toMatchObject(
    refused,
  )
  expect(await call('PATCH', `${PATH}/${id}`, { is_active: true })).toMatchObject(refused)
  const entered = { custom_headers: { 'X-Api-Key': 'another' }, is_active: true }
  expect((await call('PATCH', `${PATH}/${id}`, entered)).status).toBe(200)
})

test('a signing secret that cannot be read is replaced by a rotation, and signs no longer', async () => {
  const id = await create('Lost secret')
  await app.context.db
    .updateTable('client_webhook_configs')
    .set({ signing_secret: sealLost('whsec_') })
    .where('id', '=', id)
    .execute()
  const refused = { status: 409, json: { detail: `${UNREADABLE_SECRET}.` } }
  expect(await call('GET', `${PATH}/${id}/secret`)).toMatchObject(refused)
  expect(await call('GET', `${PATH}/${id}/certification`)).toMatchObject(refused)
  expect(await call('POST', `${PATH}/${id}/certification`)).toMatchObject(refused)
  expect(await testEndpoint({ webhookId: id })).toBe(`${UNREADABLE_SECRET}.`)
  expect(await call('POST', `${PATH}/${id}/secret/rotate`)).toMatchObject({
    status: 200,
    json: { previous_expires_at: null },
  })
  expect((await call('GET', `${PATH}/${id}/secret`)).status).toBe(200)
})
