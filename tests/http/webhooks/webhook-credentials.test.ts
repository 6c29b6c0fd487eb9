import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { bearerOf, startTokenServer } from '#tests/support/peers/token-server.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let client: Person
let other: Person
let crm: Receiver
// Started first, because the tables of tests contain its URL.
const tokens = await startTokenServer()
beforeAll(async () => {
  app = await startApp({ WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' })
  client = await app.newClient()
  other = await app.newClient()
  crm = await startReceiver()
})
afterEach(() => crm.requests.splice(0))
afterAll(async () => {
  await crm.close()
  await tokens.close()
  await app.close()
})

const PATH = '/api/v1/webhook-configs'
const KEY = 'live-key-0123456789abcdef'
const AGAIN = 'Enter the value again: the endpoint has changed'
const create = async (fields: Record<string, unknown> = {}) => {
  const body = { webhook_name: 'My CRM', endpoint_url: `${crm.url}/hook`, ...fields }
  return await app.call('POST', PATH, { token: client.token, body })
}
const patch = (id: string, body: unknown, who = client) =>
  app.call('PATCH', `${PATH}/${id}`, { token: who.token, body })
const testEndpoint = async (body: unknown, who = client) =>
  (await app.call('POST', '/functions/v1/test-webhook-endpoint', { token: who.token, body })).json
const withHeaders = () => create({ custom_headers: { 'X-Source': 'leadwire', 'X-Api-Key': KEY } })

describe('custom headers', () => {
  const masked = { 'X-Source': 'leadwire', 'X-Api-Key': '••••cdef' }

  test('that are credentials are masked in every answer, and others are not', async () => {
    const { json, text } = await withHeaders()
    const one = await app.call('GET', `${PATH}/${json.id}`, { token: client.token })
    const list = await app.call('GET', PATH, { token: client.token })
    const changed = await patch(json.id, { webhook_name: 'Renamed' })

    expect(json.custom_headers).toEqual(masked)
    expect([one.json.custom_headers, changed.json.custom_headers]).toEqual([masked, masked])
    expect(list.text).toContain('••••cdef')
    expect(text + one.text + list.text + changed.text).not.toContain(KEY)
  })

  test('are sent with the stored values after their masks were saved', async () => {
    const { json } = await withHeaders()
    const saved = await patch(json.id, { custom_headers: { ...masked, 'X-New': '1' } })
    const sent = await testEndpoint({ webhookId: json.id })

    expect(saved.json.custom_headers).toEqual({ ...masked, 'X-New': '1' })
    expect(sent.success).toBe(true)
    expect(crm.requests[0]?.headers).toMatchObject({ 'x-api-key': KEY, 'x-new': '1', 'x-source': 'leadwire' })
  })

  test('keep their values for another path of the same origin', async () => {
    const { json } = await withHeaders()
    const moved = await patch(json.id, { endpoint_url: `${crm.url}/moved`, custom_headers: masked })

    expect(moved.status).toBe(200)
    await testEndpoint({ webhookId: json.id })
    expect(crm.requests[0]).toMatchObject({ path: '/moved', headers: { 'x-api-key': KEY } })
  })

  test('are removed when the endpoint moves to another origin', async () => {
    const { json } = await withHeaders()
    const elsewhere = { endpoint_url: 'https://evil.example.com/hook' }
    for (const body of [elsewhere, { ...elsewhere, custom_headers: masked }]) {
      const { status, json: problem } = await patch(json.id, body)
      expect(status).toBe(422)
      expect(problem.errors).toEqual([{ path: 'custom_headers.X-Api-Key', message: AGAIN }])
    }
    const { json: kept } = await app.call('GET', `${PATH}/${json.id}`, { token: client.token })
    expect(kept.endpoint_url).toBe(`${crm.url}/hook`)

    const entered = { ...elsewhere, custom_headers: { 'X-Source': 'leadwire', 'X-Api-Key': 'another' } }
    expect((await patch(json.id, entered)).status).toBe(200)
  })

  test('that are no credentials are kept at another origin', async () => {
    const { json } = await create({ custom_headers: { 'X-Source': 'leadwire' } })
    const moved = await patch(json.id, { endpoint_url: 'https://new.example.com/' })

    expect(moved.json).toMatchObject({ custom_headers: { 'X-Source': 'leadwire' } })
  })

  test('cannot be created from a mask', async () => {
    const { status, json } = await create({ custom_headers: { 'X-Api-Key': '••••' } })

    expect({ status, path: json.errors[0]?.path }).toEqual({ status: 422, path: 'custom_headers.X-Api-Key' })
  })
})

const oauth2 = (fields: Record<string, unknown> = {}) => ({
  type: 'oauth2',
  token_url: `${tokens.url}/token`,
  client_id: 'leadwire',
  client_secret: 'client-secret-0123456789abcdef',
  scope: '',
  credentials_in: 'header',
  ...fields,
})

describe('authentication', () => {
  test('is none by default', async () => {
    const { json } = await create()
    expect(json.authentication).toEqual({ type: 'none' })
  })

  test.each([
    [
      'a password',
      () => ({ type: 'basic', username: 'leadwire', password: 'a-very-long-password-indeed' }),
      { password: '••••' },
    ],
    ['a token', () => ({ type: 'bearer', token: 'bearer-0123456789abcdef' }), { token: '••••cdef' }],
    ['a client secret', () => oauth2(), { client_secret: '••••cdef' }],
  ])('by %s is encrypted in the database and masked in every answer', async (_what, make, mask) => {
    const authentication: Record<string, unknown> = make()
    const made = await create({ authentication })
    const one = await app.call('GET', `${PATH}/${made.json.id}`, { token: client.token })
    const kept = await patch(made.json.id, { authentication: made.json.authentication })
    const row = await app.context.db
      .selectFrom('client_webhook_configs')
      .selectAll()
      .where('id', '=', made.json.id)
      .executeTakeFirstOrThrow()

    for (const { json, status } of [made, one, kept]) {
      expect(status).toBeLessThan(300)
      expect(json.authentication).toEqual({ ...authentication, ...mask })
    }
    const secret = String(authentication[Object.keys(mask)[0] ?? ''])
    expect(JSON.stringify([made.text, one.text, kept.text, row])).not.toContain(secret)
    expect(JSON.parse(app.context.secrets.open(row.authentication ?? ''))).toEqual(authentication)
  })

  test.each([
    ['another kind', { type: 'digest' }, 'authentication.type'],
    ['no token', { type: 'bearer' }, 'authentication.token'],
    ['a token of two words', { type: 'bearer', token: 'Bearer abc' }, 'authentication.token'],
    ['a mask for nothing', { type: 'bearer', token: '••••' }, 'authentication.token'],
    ['a colon in the name', { type: 'basic', username: 'a:b', password: 'c' }, 'authentication.username'],
    ['a line break', { type: 'basic', username: 'a', password: 'b\r\nc' }, 'authentication.password'],
    ['no client', { ...oauth2(), client_id: '' }, 'authentication.client_id'],
    ['a scope in quotes', { ...oauth2(), scope: '"a"' }, 'authentication.scope'],
    [
      'a private token address',
      { ...oauth2(), token_url: 'http://169.254.169.254/token' },
      'authentication.token_url',
    ],
    ['no token address', { ...oauth2(), token_url: 'file:///etc/passwd' }, 'authentication.token_url'],
  ])('with %s is refused at its field', async (_what, authentication, path) => {
    const { status, json } = await create({ authentication })
    expect({ status, path: json.errors[0]?.path }).toEqual({ status: 422, path })
    expect(json.errors[0]?.message).not.toBe('')
  })

  test('and a custom Authorization header exclude each other', async () => {
    const authentication = { type: 'bearer', token: 'abc' }
    const custom_headers = { authorization: 'Bearer def' }
    const made = await create({ authentication, custom_headers })
    expect(made.json.errors[0]?.path).toBe('custom_headers.authorization')

    const { json } = await create({ custom_headers })
    expect((await patch(json.id, { authentication })).json.errors[0]?.path).toBe(
      'custom_headers.authorization',
    )
    expect((await patch(json.id, { authentication, custom_headers: {} })).status).toBe(200)
  })

  test.each([
    ['a password', () => ({ type: 'basic', username: 'a', password: 'b' }), 'authentication.password'],
    ['a token', () => ({ type: 'bearer', token: 'abc' }), 'authentication.token'],
    ['a client secret', () => oauth2(), 'authentication.client_secret'],
  ])('by %s is removed when the endpoint moves to another origin', async (_what, make, path) => {
    const { json } = await create({ authentication: make() })
    const elsewhere = { endpoint_url: 'https://evil.example.com/hook' }
    for (const body of [elsewhere, { ...elsewhere, authentication: json.authentication }]) {
      const { status, json: problem } = await patch(json.id, body)
      expect(status).toBe(422)
      expect(problem.errors).toEqual([{ path, message: AGAIN }])
    }
    expect((await patch(json.id, { ...elsewhere, authentication: { type: 'none' } })).status).toBe(200)
  })

  test('does not send a client secret to a new token address', async () => {
    const { json } = await create({ authentication: oauth2() })
    const moved = { ...json.authentication, token_url: 'https://evil.example.com/token' }
    const { json: problem } = await patch(json.id, { authentication: moved })

    expect(problem.errors).toEqual([
      {
        path: 'authentication.client_secret',
        message: 'Enter the value again: the token address has changed',
      },
    ])
    const samePlace = { ...json.authentication, token_url: `${tokens.url}/oauth/token` }
    expect((await patch(json.id, { authentication: samePlace })).status).toBe(200)
  })

  test('does not keep a secret of another kind behind a mask', async () => {
    const { json } = await create({ authentication: { type: 'bearer', token: 'abc' } })
    const other = { type: 'basic', username: 'a', password: '••••' }
    expect((await patch(json.id, { authentication: other })).json.errors[0]?.path).toBe(
      'authentication.password',
    )
  })

  test('of another client cannot be read, changed or tested', async () => {
    const { json } = await create({ authentication: oauth2() })
    const asOther = { token: other.token }
    expect((await app.call('GET', `${PATH}/${json.id}`, asOther)).status).toBe(404)
    expect((await patch(json.id, { authentication: json.authentication }, other)).status).toBe(404)
    const tested = await testEndpoint({ webhookId: json.id }, other)
    expect(tested).toMatchObject({ success: false, message: 'Webhook not found' })
    expect(crm.requests).toEqual([])
  })

  test('is tested by Test Endpoint, saved or not, each time with a new token', async () => {
    const { json } = await create({ authentication: oauth2() })
    const before = tokens.given()
    const draft = { endpoint_url: `${crm.url}/draft`, authentication: json.authentication }
    for (const body of [
      { webhookId: json.id },
      { webhookId: json.id, ...draft },
      { endpoint_url: `${crm.url}/new`, authentication: oauth2() },
    ]) {
      expect(await testEndpoint(body)).toMatchObject({ success: true })
    }
    expect(tokens.given()).toBe(before + 3)
    expect(crm.requests.map(bearerOf)).toEqual([1, 2, 3].map((n) => `token-${before + n}`))

    tokens.answerWith({ status: 401, body: '{"error":"invalid_client"}' })
    expect(await testEndpoint({ webhookId: json.id })).toMatchObject({
      success: false,
      message:
        'The token address answered 401: invalid_client. Check Client ID, Client secret and Send credentials in.',
    })
  })
})

describe('Test Endpoint with masks', () => {
  const fields = () => ({ endpoint_url: `${crm.url}/draft`, custom_headers: { 'X-Api-Key': '••••cdef' } })

  test('uses the stored values of the edited configuration', async () => {
    const { json } = await withHeaders()
    const result = await testEndpoint({ webhookId: json.id, ...fields() })

    expect(result.success).toBe(true)
    expect(crm.requests[0]).toMatchObject({ path: '/draft', headers: { 'x-api-key': KEY } })
  })

  test('sends nothing to another origin', async () => {
    const { json } = await withHeaders()
    const elsewhere = await startReceiver()
    const result = await testEndpoint({ webhookId: json.id, ...fields(), endpoint_url: elsewhere.url })

    expect(result).toMatchObject({ success: false, message: `X-Api-Key: ${AGAIN}` })
    expect(elsewhere.requests).toEqual([])
    await elsewhere.close()
  })

  test('uses no stored value without an id, or under another client’s id', async () => {
    const { json } = await withHeaders()

    expect(await testEndpoint(fields())).toMatchObject({ success: false })
    const foreign = await testEndpoint({ webhookId: json.id, ...fields() }, other)
    expect(foreign).toMatchObject({ success: false, message: 'Webhook not found' })
    expect(crm.requests).toEqual([])
  })
})
