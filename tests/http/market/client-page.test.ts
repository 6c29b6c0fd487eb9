import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminClientDetailSchema } from '#core/contract/market/admin-client.ts'
import {
  clientNoteSchema,
  clientPersonSchema,
  clientWebhookSchema,
} from '#core/contract/market/client-page.ts'
import { redriveResultSchema } from '#core/contract/operations/dead-letter.ts'
import { endpointHealthListSchema } from '#core/contract/webhooks/endpoint-health.ts'
import { givenConfig } from '#tests/support/given/pipeline.ts'
import { insertDue } from '#tests/support/given/neighbours.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'
import { readAudit } from './read-audit.ts'

const PATH = '/api/v1/admin/clients'
let app: TestApp
let client: Person
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
})
afterAll(() => app.close())

const asAdmin = (
  method: string,
  path: string,
  { body, headers }: { body?: unknown; headers?: Record<string, string> } = {},
) =>
  app.call(method, `${PATH}/${path}`, {
    token: app.admin.token,
    body,
    ...(headers === undefined ? {} : { headers }),
  })
const addWebhook = async (owner: Person, name: string) =>
  (
    await app.call('POST', '/api/v1/webhook-configs', {
      token: owner.token,
      body: { webhook_name: name, endpoint_url: 'https://crm.example.com/hooks/s3cret?key=s3cret' },
    })
  ).json.id

describe('the page of a client', () => {
  test('shows webhooks with their health and host, and never the path or query of an endpoint', async () => {
    const id = await addWebhook(client, 'Main CRM')
    await sql`
      insert into webhook_endpoint_health (webhook_config_id, failures_in_row, failing_since, last_attempt_at, last_status)
      values (${id}, 3, now(), now(), 503)`.execute(app.context.db)
    const { status, json, text } = await asAdmin('GET', `${client.id}/webhooks`)

    expect(status).toBe(200)
    expect(clientWebhookSchema.array().parse(json.data)).toMatchObject([
      { webhook_name: 'Main CRM', endpoint_host: 'crm.example.com', standing: 'failing', is_active: true },
    ])
    expect(text).not.toContain('s3cret')
    const shown = adminClientDetailSchema.parse((await asAdmin('GET', client.id)).json)
    expect(shown).toMatchObject({ webhooks_failing: 1, webhooks_active: 1, funding: 'out' })
  })

  test('shows the attempts of a webhook only under its own client', async () => {
    const [other, webhook] = [await app.newClient(), await addWebhook(client, 'Second')]

    expect((await asAdmin('GET', `${client.id}/deliveries?webhook=${webhook}`)).json.data).toEqual([])
    expect((await asAdmin('GET', `${other.id}/deliveries?webhook=${webhook}`)).status).toBe(404)
    expect((await asAdmin('GET', `${client.id}/deliveries`)).json.errors).toMatchObject([{ path: 'webhook' }])
    expect((await asAdmin('GET', `${client.id}/deliveries?webhook=${webhook}&status=lost`)).status).toBe(422)
  })

  test('shows the ledger, the payments and the people that the client sees', async () => {
    await asAdmin('POST', `${client.id}/adjust`, { body: { amount: '40.00', note: 'A start' } })
    await app.call('POST', '/api/v1/payments', { token: client.token, body: { amount: '50.00' } })
    const own = async (path: string) => (await app.call('GET', path, { token: client.token })).json

    expect((await asAdmin('GET', `${client.id}/ledger?limit=1`)).json).toEqual(
      await own('/api/v1/ledger?limit=1'),
    )
    expect((await asAdmin('GET', `${client.id}/payments`)).json).toEqual(await own('/api/v1/payments'))
    const people = clientPersonSchema.array().parse((await asAdmin('GET', `${client.id}/people`)).json.data)
    expect(people).toMatchObject([{ user_id: client.id, email: client.email, has_factor: false }])
    expect(people[0]?.sessions).toHaveLength(1)
    expect((await asAdmin('GET', `${client.id}/ledger?cursor=x`)).status).toBe(422)
    expect((await asAdmin('GET', `${client.id}/payments?cursor=x`)).status).toBe(422)
  })

  test('is not found for an id of nobody and of an administrator', async () => {
    const webhook = randomUUID()
    for (const part of ['webhooks', `deliveries?webhook=${webhook}`, 'ledger', 'payments', 'notes', 'people'])
      for (const id of [randomUUID(), app.admin.id])
        expect((await asAdmin('GET', `${id}/${part}`)).status, part).toBe(404)
    expect((await asAdmin('POST', `${app.admin.id}/notes`, { body: { text: 'Me' } })).status).toBe(404)
  })
})

describe('a note about a client', () => {
  const notesOf = async (person: Person) =>
    clientNoteSchema.array().parse((await asAdmin('GET', `${person.id}/notes`)).json.data)

  test('is kept with author and time, newest first, and audited without its text', async () => {
    const person = await app.newClient()
    for (const text of ['Asked for a call on Monday', '  Called: wants more of Texas ']) {
      const { status, json } = await asAdmin('POST', `${person.id}/notes`, { body: { text } })
      expect([status, clientNoteSchema.parse(json).text]).toEqual([201, text.trim()])
    }
    expect(await notesOf(person)).toMatchObject([
      { text: 'Called: wants more of Texas', author: { user_id: app.admin.id } },
      { text: 'Asked for a call on Monday', author: { user_id: app.admin.id } },
    ])
    const audit = await readAudit(app, 'client_note_added', person.id)
    expect(audit).toHaveLength(2)
    expect(JSON.stringify(audit)).not.toContain('Texas')
  })

  test('is kept once for one Idempotency-Key, and refused when it says nothing or too much', async () => {
    const person = await app.newClient()
    const headers = { 'idempotency-key': randomUUID() }
    for (let time = 0; time < 2; time += 1)
      expect((await asAdmin('POST', `${person.id}/notes`, { body: { text: 'Once' }, headers })).status).toBe(
        201,
      )
    expect(await notesOf(person)).toHaveLength(1)
    for (const text of ['', '  ', 'x'.repeat(2001), 7, undefined])
      expect((await asAdmin('POST', `${person.id}/notes`, { body: { text } })).json.errors).toMatchObject([
        { path: 'text' },
      ])
  })

  test('cannot be changed, and goes with the erasure of the account', async () => {
    const person = await app.newClient()
    await asAdmin('POST', `${person.id}/notes`, { body: { text: 'Ask for Rosa' } })
    const changing = sql`update client_notes set text = 'x' where client_user_id = ${person.id}`
    await expect(changing.execute(app.context.db)).rejects.toThrow('stays as it is')
    const erased = await app.call('DELETE', `/auth/v1/admin/users/${person.id}`, {
      token: app.admin.token,
      body: {},
    })
    expect(erased.status).toBe(200)
    const left = await sql`select from client_notes where client_user_id = ${person.id}`.execute(
      app.context.db,
    )
    expect(left.rows).toEqual([])
  })
})

describe('the pause of all sending', () => {
  test('needs a reason that the client reads, is audited, and ends with a reason of its own', async () => {
    const person = await app.newClient()
    await addWebhook(person, 'Main CRM')
    const healthOf = async () =>
      endpointHealthListSchema.parse(
        (await app.call('GET', '/api/v1/webhook-configs/health', { token: person.token })).json,
      ).data[0]
    for (const body of [{}, { reason: ' ' }, { reason: 'x'.repeat(201) }, { reason: 7 }])
      expect((await asAdmin('POST', `${person.id}/pause-sending`, { body })).json.errors).toMatchObject([
        { path: 'reason' },
      ])
    const body = { reason: 'Your CRM asked us to wait', note: 'Called about it' }
    for (let time = 0; time < 2; time += 1) {
      const { status, json } = await asAdmin('POST', `${person.id}/pause-sending`, { body })
      expect([status, adminClientDetailSchema.parse(json).sending_pause?.reason]).toEqual([200, body.reason])
    }
    expect(await healthOf()).toMatchObject({
      sending_pause_reason: body.reason,
      standing: 'unused',
      disabled_reason: null,
    })
    const added = await addWebhook(person, 'Added meanwhile')
    expect((await healthOf())?.sending_pause_reason, added).toBe(body.reason)
    const own = await app.call('GET', '/api/v1/me/audit', { token: person.token })
    expect(own.text).toContain('sending_paused')
    expect(own.text).not.toContain('Called about it')

    expect((await asAdmin('POST', `${person.id}/resume-sending`, { body: {} })).json.errors).toMatchObject([
      { path: 'note' },
    ])
    for (let time = 0; time < 2; time += 1) {
      const { json } = await asAdmin('POST', `${person.id}/resume-sending`, { body: { note: 'It is back' } })
      expect(adminClientDetailSchema.parse(json).sending_pause).toBeNull()
    }
    expect((await healthOf())?.sending_pause_reason).toBeNull()
    expect(await readAudit(app, 'sending_paused', person.id)).toHaveLength(1)
    expect(await readAudit(app, 'sending_resumed', person.id)).toMatchObject([
      { details: { note: 'It is back' } },
    ])
  })

  test('refuses to resend meanwhile, and says why', async () => {
    const person = await app.newClient()
    const id = await addWebhook(person, 'Main CRM')
    await asAdmin('POST', `${person.id}/pause-sending`, { body: { reason: 'Invoice open' } })
    const { status, json } = await app.call('POST', `/api/v1/webhook-configs/${id}/resend-failed`, {
      token: person.token,
      body: { since: '2026-01-01T00:00:00Z' },
    })
    expect([status, json.detail]).toEqual([409, 'Sending is paused by Leadwire: Invoice open'])
  })

  test('is refused for an erased account, an unknown id, and an administrator who may not', async () => {
    const person = await app.newClient()
    await sql`update auth.users set deleted_at = now() where id = ${person.id}`.execute(app.context.db)
    const reason = { reason: 'Gone' }
    expect((await asAdmin('POST', `${person.id}/pause-sending`, { body: reason })).status).toBe(409)
    expect((await asAdmin('POST', `${randomUUID()}/pause-sending`, { body: reason })).status).toBe(404)
  })
})

describe('resending for a client', () => {
  async function givenFailed(count: number): Promise<{ person: Person; webhooks: string[] }> {
    const person = await app.newClient()
    const { context } = app
    const webhooks: string[] = []
    for (let webhook = 0; webhook < 2; webhook += 1)
      webhooks.push(
        (await givenConfig(context, person.id, { endpoint_url: `https://crm.example.com/${webhook}` })).id,
      )
    await insertDue(context.db, person.id, count)
    await sql`
      update webhook_deliveries set state = 'failed', attempt = 8, next_attempt_at = null, failure_class = 'timeout',
        finished_at = now()
      where client_user_id = ${person.id}`.execute(context.db)
    return { person, webhooks }
  }
  const resend = async (person: Person, body: object, headers = {}) => {
    const { status, json } = await asAdmin('POST', `${person.id}/resend-failed`, { body, headers })
    return { status, json, result: redriveResultSchema.safeParse(json).data }
  }

  test('counts first, then sends 1,100 failed deliveries once each, in pieces, with a reason in the audit', async () => {
    const { person } = await givenFailed(550)
    const before = await resend(person, { dry_run: true })
    const count = before.result?.count ?? 0
    expect(count).toBe(1100)
    expect((await resend(person, {})).json.errors).toMatchObject([{ path: 'note' }])

    const headers = { 'idempotency-key': randomUUID() }
    for (let time = 0; time < 2; time += 1)
      expect((await resend(person, { note: 'The CRM is back' }, headers)).result?.count).toBe(count)
    expect((await resend(person, { dry_run: true })).result?.count).toBe(0)
    const { rows } = await sql<{ made: number; originals: number }>`
      select count(*)::int as made, count(distinct resend_of)::int as originals from webhook_deliveries
      where client_user_id = ${person.id} and resend_of is not null`.execute(app.context.db)
    expect(rows).toEqual([{ made: count, originals: count }])
    expect(await readAudit(app, 'dead_letters_redriven', person.id)).toMatchObject([
      { details: { count, note: 'The CRM is back' } },
    ])
  })

  test('is refused while sending to the client is paused', async () => {
    const { person } = await givenFailed(1)
    await asAdmin('POST', `${person.id}/pause-sending`, { body: { reason: 'Invoice open' } })
    for (const body of [{ dry_run: true }, { note: 'The CRM is back' }]) {
      const { status, json } = await resend(person, body)
      expect([status, json.detail]).toEqual([409, 'Sending to this client is paused. Resume it first.'])
    }
    expect(await readAudit(app, 'dead_letters_redriven', person.id)).toEqual([])
  })

  test('is limited to one webhook, and to the client’s own', async () => {
    const { person, webhooks } = await givenFailed(10)
    const other = await givenFailed(1)
    const [webhook] = webhooks

    expect((await resend(person, { webhook: other.webhooks[0], dry_run: true })).status).toBe(404)
    expect((await resend(person, { webhook: 'main', dry_run: true })).status).toBe(422)
    expect((await resend(person, { webhook, note: 'One CRM is back' })).result?.count).toBe(10)
    expect((await resend(person, { dry_run: true })).result?.count).toBe(10)
    expect((await resend(other.person, { dry_run: true })).result?.count).toBe(2)
  })
})
