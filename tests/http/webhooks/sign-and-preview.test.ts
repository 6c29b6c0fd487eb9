import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let client: Person
let other: Person
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
  other = await app.newClient()
})
afterAll(() => app.close())

const PATH = '/api/v1/webhook-configs'
const good = { webhook_name: 'My CRM', endpoint_url: 'https://crm.example.com/hook?key=s3cret' }
const create = (body: unknown, who = client, headers = {}) =>
  app.call('POST', PATH, { token: who.token, body, headers })
const get = (path: string, who = client) => app.call('GET', path, { token: who.token })

describe('the signing secret', () => {
  test('is shown to its owner, and the old secret still signs after a rotation', async () => {
    const { json } = await create(good)
    const path = `${PATH}/${json.id}/secret`
    const before = (await get(path)).json.secret
    const rotated = await app.call('POST', `${path}/rotate`, { token: client.token })

    expect(before).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(rotated.json.secret).not.toBe(before)
    expect((await get(path)).json.secret).toBe(rotated.json.secret)
    const row = await app.context.db
      .selectFrom('client_webhook_configs')
      .select(['previous_signing_secret', 'previous_secret_expires_at'])
      .where('id', '=', json.id)
      .executeTakeFirstOrThrow()
    expect(app.context.secrets.open(row.previous_signing_secret ?? '')).toBe(before)
    const hours = ((row.previous_secret_expires_at?.getTime() ?? 0) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThan(24.1)
  })
})

test('the overlap of a rotation is shown, and ends early on request', async () => {
  const { json } = await create(good)
  const path = `${PATH}/${json.id}/secret`
  expect((await get(path)).json.previous_expires_at).toBeNull()

  const { json: rotated } = await app.call('POST', `${path}/rotate`, { token: client.token })
  const hours = (Date.parse(rotated.previous_expires_at ?? '') - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(23.9)
  expect(hours).toBeLessThan(24.1)
  expect((await get(path)).json.previous_expires_at).toBe(rotated.previous_expires_at)

  expect((await app.call('DELETE', `${path}/previous`, { token: other.token })).status).toBe(404)
  expect((await app.call('DELETE', `${path}/previous`, { token: client.token })).status).toBe(204)
  expect((await get(path)).json).toEqual({
    secret: rotated.secret,
    previous_expires_at: null,
    public_keys: [],
  })
})

test('a webhook may also be signed with Ed25519; its public keys are its own, published and cached', async () => {
  const wellKnown = () => app.call('GET', '/.well-known/leadwire.json')
  const { json } = await create({ ...good, sign_asymmetric: true })
  const { json: second } = await create(good, other)
  expect(json).toMatchObject({ sign_asymmetric: true })
  const keysOf = async (id: string) => (await app.call('GET', `/.well-known/leadwire/keys/${id}`)).text
  const secret = await get(`${PATH}/${json.id}/secret`)
  expect(secret.json).toMatchObject({
    public_keys: [{ public_key: expect.stringMatching(/^whpk_.{44}$/) as unknown, ends_at: null }],
  })
  const { public_keys: keys } = JSON.parse(secret.text) as { public_keys: unknown[] }
  expect(JSON.parse(await keysOf(json.id))).toEqual({ webhook_id: json.id, keys })
  expect(await keysOf(json.id.toUpperCase())).toBe(await keysOf(json.id))
  expect((await get(`${PATH}/${json.id}/secret`, other)).status).toBe(404)

  // The other webhook has other keys, and shows them to its owner only while it is signed with them.
  expect(JSON.parse(await keysOf(second.id))).not.toMatchObject({ keys })
  expect((await get(`${PATH}/${second.id}/secret`, other)).json).toMatchObject({ public_keys: [] })
  const changed = await app.call('PATCH', `${PATH}/${second.id}`, {
    token: other.token,
    body: { sign_asymmetric: true },
  })
  expect(changed.json).toMatchObject({ sign_asymmetric: true, endpoint_url: good.endpoint_url })
  expect((await app.call('GET', '/.well-known/leadwire/keys/unknown')).status).toBe(404)

  // Anybody may ask, and each answer reads the database.
  const { publicRates } = app.context.operations
  expect(await publicRates.spend('webhook_keys', '127.0.0.1', 590)).toEqual({ ok: true })
  const answers = await Promise.all(
    Array.from({ length: 11 }, () => app.call('GET', `/.well-known/leadwire/keys/${json.id}`)),
  )
  expect(answers.map(({ status }) => status)).toContain(429)

  const told = await wellKnown()
  expect([told.status, told.headers.get('Cache-Control')]).toEqual([200, 'public, max-age=300'])
  expect(told.json).toMatchObject({
    format: 1,
    signatures: { versions: ['v1', 'v1a'], keys: [{ ends_at: null }] },
    egress: { is_announced: false, addresses: [] },
    limits: { payload_bytes: 262_144, outcome_days: 90 },
  })
  expect(told.text).not.toMatch(/whsk_|seed|MIG|@/)
  const headers = { 'If-None-Match': told.headers.get('ETag') ?? '' }
  const again = await app.call('GET', '/.well-known/leadwire.json', { headers })
  expect([again.status, again.text]).toEqual([304, ''])
})

test('a rotation that is repeated under its Idempotency-Key happens once', async () => {
  const { json } = await create(good)
  const path = `${PATH}/${json.id}/secret`
  const before = (await get(path)).json.secret
  const rotate = () =>
    app.call('POST', `${path}/rotate`, {
      token: client.token,
      headers: { 'Idempotency-Key': `rotate-${json.id}` },
    })
  const [first, second] = await Promise.all([rotate(), rotate()])

  expect(second.json.secret).toBe(first.json.secret)
  const row = await app.context.db
    .selectFrom('client_webhook_configs')
    .select('previous_signing_secret')
    .where('id', '=', json.id)
    .executeTakeFirstOrThrow()
  expect(app.context.secrets.open(row.previous_signing_secret ?? '')).toBe(before)
})

describe('the preview', () => {
  const preview = (body: unknown, who = client) =>
    app.call('POST', `${PATH}/preview`, { token: who.token, body })

  test('renders the fictional lead, and names unknown placeholders', async () => {
    const { json } = await preview(
      '{"payload_template": {"b": 1.50, "a": "Hi {{first_name}}", "t": "{{is_test}}", "u": "{{nobody}}"}}',
    )

    expect(json).toEqual({
      content_type: 'application/json',
      body: '{"b":1.50,"a":"Hi Test","t":true,"u":""}',
      url: null,
      headers: {},
      unknown_placeholders: ['nobody'],
      would_send: true,
      unmet: [],
    })
  })

  test('renders a form and a real lead', async () => {
    const lead = await app.call('POST', '/api/v1/leads', {
      token: client.token,
      body: { name: 'Pat Example' },
    })
    const body = {
      payload_template: { n: { full: '{{name}}', order: '{{order_name}}' } },
      payload_type: 'FORM',
      lead_id: lead.json.id,
    }

    expect((await preview(body)).json).toMatchObject({
      content_type: 'application/x-www-form-urlencoded',
      body: 'n.full=Pat+Example&n.order=',
    })
    expect((await preview(body, other)).status).toBe(404)
    const address = {
      endpoint_url: 'https://crm.example.com/hook?who={{name}}&key=1',
      custom_headers: { 'X-Who': '{{first_name | default: nobody}}', 'X-Token': 'of {{name}}', 'X-A': 'b' },
    }
    expect((await preview({ ...body, ...address })).json).toMatchObject({
      url: 'https://crm.example.com/hook?who=Pat%20Example&key=1',
      headers: { 'X-Who': 'Pat', 'X-Token': '••••' },
    })
    const refused = 'https://crm.example.com/{{name}}?who={{name}}'
    expect((await preview({ ...body, endpoint_url: refused })).json).toMatchObject({ url: refused })
  })

  test('refuses a payload that is too long to be sent', async () => {
    const comments = '"'.repeat(5000)
    const lead = await app.call('POST', '/api/v1/leads', {
      token: client.token,
      body: { name: 'Pat Example' },
    })
    await app.context.db.updateTable('leads').set({ comments }).where('id', '=', lead.json.id).execute()
    const previewOf = (times: number) =>
      preview({
        payload_template: { told: Array.from({ length: times }, () => '{{comments}}') },
        lead_id: lead.json.id,
      })

    const told = Array.from({ length: 26 }, () => comments)
    expect((await previewOf(26)).json).toMatchObject({ body: JSON.stringify({ told }) })
    const { status, json } = await previewOf(27)
    expect([status, json.errors]).toEqual([
      422,
      [{ path: 'payload_template', message: 'The payload would be longer than 262,144 bytes.' }],
    ])
  })

  test('refuses a URL or headers that could not be sent, or whose formats would read too much', async () => {
    const lead = await app.call('POST', '/api/v1/leads', { token: client.token, body: { name: 'Pat' } })
    const long = { comments: 'x'.repeat(5000) }
    await app.context.db.updateTable('leads').set(long).where('id', '=', lead.json.id).execute()
    const faultOf = async (address: object) => {
      const { json } = await preview({ payload_template: {}, lead_id: lead.json.id, ...address })
      return json.errors
    }
    // This would occupy the server for half a second.
    const slow = '{{comments | title | title | title | title | map: *=x}}'.repeat(4000)
    expect(await faultOf({ custom_headers: { 'X-Slow': slow } })).toEqual([
      {
        path: 'custom_headers',
        message: expect.stringMatching(/^The formats .* would read more/) as unknown,
      },
    ])
    const query = '{{comments}}'.repeat(2)
    expect(await faultOf({ endpoint_url: `https://crm.example.com/?q=${query}` })).toEqual([
      { path: 'endpoint_url', message: 'The URL would be longer than 8,000 characters.' },
    ])
    expect(await faultOf({ custom_headers: { 'X-All': '{{comments}}' } })).toEqual([
      { path: 'custom_headers', message: 'The value of the header X-All would be too long.' },
    ])
  })

  test('refuses a template that would fill the memory', async () => {
    const { status, json } = await preview({ payload_template: { a: '{{comments}}'.repeat(5000) } })

    expect({ status, path: json.errors[0]?.path }).toEqual({ status: 422, path: 'payload_template' })
  })

  test('refuses a template that is no JSON object', async () => {
    expect((await preview({ payload_template: 'x' })).json.errors[0]?.path).toBe('payload_template')
  })
})
