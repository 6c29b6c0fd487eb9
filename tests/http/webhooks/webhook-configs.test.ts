import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitUntil } from '#tests/support/condition.ts'
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

describe('a configuration', () => {
  test('is created with the defaults of the specification', async () => {
    const { status, json } = await create(good)

    expect(status).toBe(201)
    expect(json).toMatchObject({
      ...good,
      request_method: 'POST',
      payload_type: 'JSON',
      is_active: true,
      trigger_on_lead_created: false,
      trigger_on_lead_assigned: true,
      custom_headers: {},
      client_user_id: client.id,
      created_by: client.id,
      disabled_reason: null,
    })
    expect(Object.keys(json.payload_template)).toEqual([
      'lead_id',
      'name',
      'email',
      'phone',
      'lead_type',
      'state',
      'city',
      'created_at',
    ])
  })

  test('keeps its template unchanged: key order, numbers, repeated spaces', async () => {
    const template = '{ "z": 1.50, "10": "{{name}}", "a": 12345678901234567890, "é": "\\u00e9" }'
    const body = `{"webhook_name": "Exact", "endpoint_url": "https://crm.example.com", "payload_template": ${template}}`
    const { json, text } = await create(body)

    expect(text).toContain(`"payload_template":${template}`)
    expect((await get(`${PATH}/${json.id}`)).text).toContain(`"payload_template":${template}`)
    expect((await get(PATH)).text).toContain(`"payload_template":${template}`)
    const patched = await app.call('PATCH', `${PATH}/${json.id}`, {
      token: client.token,
      body: { is_active: false },
    })
    expect(patched.text).toContain(`"payload_template":${template}`)
  })

  test('stores header values and signing secrets encrypted', async () => {
    const { json } = await create({ ...good, custom_headers: { 'X-Source': 'sealed-source' } })

    expect(json.custom_headers).toEqual({ 'X-Source': 'sealed-source' })
    const row = await app.context.db
      .selectFrom('client_webhook_configs')
      .select(['custom_headers', 'signing_secret'])
      .where('id', '=', json.id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain('sealed-source')
    expect(row.signing_secret).not.toContain('whsec_')
  })

  test('is created once for one Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'create-1' }
    const [first, second] = await Promise.all([create(good, client, headers), create(good, client, headers)])

    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.json.id).toBe(first.json.id)
    expect((await create({ ...good, webhook_name: 'Other' }, client, headers)).json.code).toBe(
      'idempotency_key_reused',
    )
    expect((await create(good, other, headers)).json.id).not.toBe(first.json.id)
  })

  test.each([
    ['no name', { webhook_name: ' ' }, 'webhook_name', 'validation_failed'],
    ['no endpoint', { endpoint_url: '' }, 'endpoint_url', 'validation_failed'],
    ['a method that is none', { request_method: 'GET' }, 'request_method', 'validation_failed'],
    ['a template that is a list', { payload_template: [] }, 'payload_template', 'validation_failed'],
    ['headers that are text', { custom_headers: 'X: 1' }, 'custom_headers', 'validation_failed'],
    [
      'a header value that is a number',
      { custom_headers: { 'X-A': 1 } },
      'custom_headers.X-A',
      'validation_failed',
    ],
    [
      'our own header',
      { custom_headers: { 'Content-Type': 'text/plain' } },
      'custom_headers.Content-Type',
      'validation_failed',
    ],
    [
      'a signature header',
      { custom_headers: { 'webhook-signature': 'x' } },
      'custom_headers.webhook-signature',
      'validation_failed',
    ],
    [
      'a header with a line break',
      { custom_headers: { 'X-A': 'a\r\nb: c' } },
      'custom_headers.X-A',
      'validation_failed',
    ],
    [
      'a template of 100,000 characters',
      { payload_template: { a: 'x'.repeat(100_000) } },
      'payload_template',
      'validation_failed',
    ],
    [
      'a template that multiplies comments',
      { payload_template: { a: '{{comments}}'.repeat(5000) } },
      'payload_template',
      'validation_failed',
    ],
    [
      'a template that repeats a long name for each item of a form',
      { payload_template: { ['x'.repeat(30_000)]: Array.from({ length: 10_000 }, () => 1) } },
      'payload_template',
      'validation_failed',
    ],
    ['a private address', { endpoint_url: 'http://10.0.0.1/' }, 'endpoint_url', 'unusable_endpoint'],
    [
      'cloud metadata',
      { endpoint_url: 'http://169.254.169.254/latest' },
      'endpoint_url',
      'unusable_endpoint',
    ],
    [
      'mail without a mail server',
      { endpoint_url: 'mailto:a@example.com' },
      'endpoint_url',
      'unusable_endpoint',
    ],
    ['another scheme', { endpoint_url: 'file:///etc/passwd' }, 'endpoint_url', 'unusable_endpoint'],
    [
      'credentials in the URL',
      { endpoint_url: 'https://a:b@example.com' },
      'endpoint_url',
      'unusable_endpoint',
    ],
    ['a database port', { endpoint_url: 'https://example.com:6379' }, 'endpoint_url', 'unusable_endpoint'],
  ])('with %s is refused at its field', async (_what, fields, path, code) => {
    const { status, json } = await create({ ...good, ...fields })

    expect({ status, code: json.code, path: json.errors[0]?.path }).toEqual({ status: 422, code, path })
    expect(json.errors[0]?.message).not.toBe('')
  })

  test('limits its requests a minute to a whole number of at most 6,000, or not at all', async () => {
    const { json } = await create({ ...good, requests_per_minute: 60 })
    expect(json.requests_per_minute).toBe(60)
    const change = (requests_per_minute: unknown, who = client) =>
      app.call('PATCH', `${PATH}/${json.id}`, { token: who.token, body: { requests_per_minute } })
    for (const wrong of [0, 6001, 1.5, '60']) expect((await change(wrong)).status).toBe(422)
    expect((await change(6000, other)).status).toBe(404)
    expect((await change(6000)).json.requests_per_minute).toBe(6000)
    const { rows } =
      await sql`select per_minute from webhook_rate_limits where webhook_config_id = ${json.id}`.execute(
        app.context.db,
      )
    expect(rows).toEqual([{ per_minute: 6000 }])
    expect((await change(null)).json.requests_per_minute).toBeNull()
  })

  test('with unknown placeholders is saved', async () => {
    expect((await create({ ...good, payload_template: { a: '{{nobody_knows}}' } })).status).toBe(201)
  })

  test('changes only the given fields, and checks them again', async () => {
    const { json } = await create(good)
    const patch = (body: unknown) => app.call('PATCH', `${PATH}/${json.id}`, { token: client.token, body })

    const changed = await patch({ is_active: false, updated_at: '2020-01-01' })
    expect(changed.json).toMatchObject({ ...good, is_active: false })
    expect(Date.parse(changed.json.updated_at)).toBeGreaterThan(Date.parse(json.updated_at))
    expect((await patch({ endpoint_url: 'http://[::ffff:10.0.0.1]/' })).status).toBe(422)
    expect((await get(`${PATH}/${json.id}`)).json.endpoint_url).toBe(good.endpoint_url)
  })

  test.each(['null', '[]', '"text"', '7'])('is not changed by %s, which is not an object', async (body) => {
    const { json } = await create(good)
    const patched = await app.call('PATCH', `${PATH}/${json.id}`, { token: client.token, body })

    expect(patched.status).toBe(422)
    expect(patched.json.errors).toEqual([{ path: '', message: 'Must be an object' }])
    expect((await get(`${PATH}/${json.id}`)).json.updated_at).toBe(json.updated_at)
  })

  test('is unchanged by an empty or a missing body', async () => {
    const { json } = await create(good)
    for (const body of [undefined, '', {}]) {
      const patched = await app.call('PATCH', `${PATH}/${json.id}`, { token: client.token, body })
      expect(patched).toMatchObject({ status: 200, json: { endpoint_url: good.endpoint_url } })
    }
  })

  test('is listed newest first to its owner only, page by page', async () => {
    const buyer = await app.newClient()
    const made: string[] = []
    for (const name of ['one', 'two', 'three'])
      made.push((await create({ ...good, webhook_name: name }, buyer)).json.id)

    const first = (await get(`${PATH}?limit=2`, buyer)).json
    const second = (await get(`${PATH}?limit=2&cursor=${first.next_cursor}`, buyer)).json
    const ids = [...first.data, ...second.data].map(({ id }) => id)
    expect(ids).toEqual(made.toReversed())
    expect(second.next_cursor).toBeNull()
  })

  test('is not found once deleted', async () => {
    const { json } = await create(good)
    const path = `${PATH}/${json.id}`

    expect((await app.call('DELETE', path, { token: client.token })).status).toBe(204)
    expect((await get(path)).status).toBe(404)
    expect((await app.call('DELETE', path, { token: client.token })).status).toBe(404)
  })
})

test('a configuration can be deleted while a worker records its last attempt', async () => {
  const { db } = app.context
  const { json } = await create(good)
  const { json: lead } = await app.call('POST', '/api/v1/leads', { token: client.token, body: {} })
  const event = await db
    .selectFrom('events')
    .select('id')
    .where('lead_id', '=', lead.id)
    .executeTakeFirstOrThrow()
  const fields = {
    event_id: event.id,
    webhook_config_id: json.id,
    client_user_id: client.id,
    lead_id: lead.id,
  }
  await db
    .insertInto('webhook_deliveries')
    .values({ ...fields, event_type: 'lead.created' })
    .execute()

  const deleted = await db.transaction().execute(async (trx) => {
    // PostgreSQL may end either side of the deadlock, and both retry; here it must be the deletion.
    await sql`set local deadlock_timeout = '30s'`.execute(trx)
    // The worker's order: first the delivery, then the configuration that a 410 switches off.
    await trx
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('webhook_config_id', '=', json.id)
      .forUpdate()
      .execute()
    const answer = app.call('DELETE', `${PATH}/${json.id}`, { token: client.token })
    await waitUntil(async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return (rows[0]?.n ?? 0) > 0
    })
    await trx
      .updateTable('client_webhook_configs')
      .set({ is_active: false })
      .where('id', '=', json.id)
      .execute()
    return { answer }
  })

  expect((await deleted.answer).status).toBe(204)
})
