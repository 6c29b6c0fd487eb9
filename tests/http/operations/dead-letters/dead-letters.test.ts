import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  deadLetterSchema,
  deadLetterSummarySchema,
  redriveResultSchema,
  type DeadLetter,
  type RedriveResult,
} from '#core/contract/operations/dead-letter.ts'
import { pageSchema } from '#core/contract/page.ts'
import { startApp, type Person, type TestApp } from '../../support/start-app.ts'
import { givenConfig, givenDeadLetter } from './give-dead-letter.ts'

const PATH = '/api/v1/admin/dead-letters'
const deadLettersSchema = pageSchema(deadLetterSchema)
let app: TestApp
let ada: Person
let ben: Person

beforeAll(async () => {
  app = await startApp()
  ada = await app.newClient()
  ben = await app.newClient()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.context.db.deleteFrom('webhook_deliveries').execute()
})

async function list(query = ''): Promise<{ data: DeadLetter[]; next_cursor: string | null }> {
  const { json } = await app.call('GET', PATH + query, { token: app.admin.token })
  return deadLettersSchema.parse(json)
}

async function redrive(body: unknown, headers = {}): Promise<RedriveResult> {
  const { json } = await app.call('POST', `${PATH}/redrive`, { token: app.admin.token, body, headers })
  return redriveResultSchema.parse(json)
}

describe('the list of dead letters', () => {
  test('shows the dead letters of every client, newest first, page by page', async () => {
    const older = await givenDeadLetter(app, ada, { secondsAgo: 300 })
    const newest = await givenDeadLetter(app, ben, { secondsAgo: 10 })
    const oldest = await givenDeadLetter(app, ada, { secondsAgo: 900 })

    const first = await list('?limit=2')
    const second = await list(`?limit=2&cursor=${first.next_cursor}`)

    expect(first.data.map(({ id }) => id)).toEqual([newest, older])
    expect(second.data.map(({ id }) => id)).toEqual([oldest])
    expect(second.next_cursor).toBeNull()
  })

  test('shows reason, time and place, without the hidden parts of a URL', async () => {
    await givenDeadLetter(app, ada, { reason: 'http_5xx' })

    const { data, ...rest } = await list()

    expect(rest.next_cursor).toBeNull()
    expect(data).toMatchObject([
      {
        attempts: 8,
        reason: 'http_5xx',
        endpoint_host: 'crm.example.com:8443',
        is_active: true,
        client: { user_id: ada.id, email: ada.email },
        event_type: 'lead.created',
      },
    ])
    expect(JSON.stringify(data)).not.toContain('very-secret')
  })

  test('can be filtered by reason and client', async () => {
    const slow = await givenDeadLetter(app, ada, { reason: 'timeout' })
    await givenDeadLetter(app, ada, { reason: 'dns' })
    const bens = await givenDeadLetter(app, ben, { reason: 'timeout' })

    const ids = async (query: string) => (await list(query)).data.map(({ id }) => id)
    expect(await ids(`?reason=timeout&client=${ada.id}`)).toEqual([slow])
    expect(await ids(`?client=${ben.id}`)).toEqual([bens])
    expect((await app.call('GET', `${PATH}?reason=bad`, { token: app.admin.token })).status).toBe(422)
  })

  test('leaves out resent deliveries, unless the resend was cancelled', async () => {
    const id = await givenDeadLetter(app, ada)
    await redrive({ ids: [id] })
    expect((await list()).data).toEqual([])

    await app.context.db
      .updateTable('webhook_deliveries')
      .set({ state: 'cancelled' })
      .where('resend_of', '=', id)
      .execute()

    expect((await list()).data).toMatchObject([{ id }])
  })

  test('is counted by reason and client, with the jobs that failed for good', async () => {
    await givenDeadLetter(app, ada, { reason: 'timeout' })
    await givenDeadLetter(app, ada, { reason: 'timeout' })
    await givenDeadLetter(app, ben, { reason: 'dns' })

    const { json } = await app.call('GET', `${PATH}/summary`, { token: app.admin.token })
    const summary = deadLetterSummarySchema.parse(json)

    expect(summary).toMatchObject({
      total: 3,
      reasons: [
        { reason: 'timeout', count: 2 },
        { reason: 'dns', count: 1 },
      ],
      clients: [
        { user_id: ada.id, count: 2 },
        { user_id: ben.id, count: 1 },
      ],
    })
    expect(summary.failed_jobs).toContainEqual({ queue: 'webhook-deliveries', count: 0 })
  })
})

describe('sending dead letters again', () => {
  test('creates one new delivery of the same event, and adds it to the lead’s timeline', async () => {
    const id = await givenDeadLetter(app, ada)
    const { db } = app.context

    expect(await redrive({ ids: [id] })).toEqual({ count: 1, switched_off: 0 })

    const made = await db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('resend_of', '=', id)
      .executeTakeFirstOrThrow()
    const original = await db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(made).toMatchObject({ state: 'pending', attempt: 0, event_id: original.event_id })
    expect(original).toMatchObject({ state: 'failed', attempt: 8 })
    const lead = await app.call('GET', `/api/v1/leads/${made.lead_id}`, { token: ada.token })
    expect(lead.json.timeline.find(({ type }) => type === 'delivery.redriven')).toMatchObject({
      data: { delivery_id: made.id, resend_of: id, by: app.admin.id },
    })
  })

  test('by filter counts first, sends only matching ones, and none twice', async () => {
    await givenDeadLetter(app, ada, { reason: 'timeout' })
    await givenDeadLetter(app, ada, { reason: 'dns' })
    await givenDeadLetter(app, ben, { reason: 'timeout' })
    const filter = { reason: 'timeout' }

    expect(await redrive({ filter, dry_run: true })).toEqual({ count: 2, switched_off: 0 })
    expect((await list()).data).toHaveLength(3)
    const both = await Promise.all([redrive({ filter }), redrive({ filter })])

    expect(both.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([0, 2])
    expect((await list()).data).toMatchObject([{ reason: 'dns' }])
  })

  test('happens once for one Idempotency-Key, even if the resend has failed', async () => {
    await givenDeadLetter(app, ada)
    const headers = { 'Idempotency-Key': 'redrive-1' }
    const first = await redrive({ filter: {} }, headers)
    await app.context.db
      .updateTable('webhook_deliveries')
      .set({ state: 'failed', finished_at: new Date(), next_attempt_at: null })
      .where('resend_of', 'is not', null)
      .execute()

    expect(first).toEqual({ count: 1, switched_off: 0 })
    expect(await redrive({ filter: {} }, headers)).toEqual(first)
    expect((await list()).data).toHaveLength(1)
    const other = await app.call('POST', `${PATH}/redrive`, {
      token: app.admin.token,
      body: { filter: { reason: 'dns' } },
      headers,
    })
    expect(other.json).toMatchObject({ code: 'idempotency_key_reused' })
  })

  test('skips deliveries of webhooks that are off, and counts them', async () => {
    const config = await givenConfig(app, ada)
    await givenDeadLetter(app, ada, { config })
    const other = await givenDeadLetter(app, ben)
    await app.call('PATCH', `/api/v1/webhook-configs/${config}`, {
      token: ada.token,
      body: { is_active: false },
    })

    expect(await redrive({ filter: {} })).toEqual({ count: 1, switched_off: 1 })
    expect((await list()).data).toMatchObject([{ is_active: false }])
    expect(other).not.toBe((await list()).data[0]?.id)
  })

  test('accepts either ids or a filter', async () => {
    for (const body of [{}, { ids: [], filter: {} }, { ids: [randomUUID()], filter: {} }]) {
      const { status } = await app.call('POST', `${PATH}/redrive`, { token: app.admin.token, body })
      expect(status).toBe(422)
    }
  })
})

test('the summary names unknown events, beside those that could not be planned', async () => {
  await sql`
    insert into events (type, subject_type, subject_id) values
      ('order.created', 'order', uuid_v7()), ('order.created', 'order', uuid_v7())`.execute(app.context.db)

  const { json } = await app.call('GET', `${PATH}/summary`, { token: app.admin.token })

  expect(json).toMatchObject({
    unclaimed_events: [{ type: 'order.created', count: 2 }],
    failed_events: [],
  })
})

test('failed events are counted, then planned again for a reason; a repeat finds none', async () => {
  const { rows } = await sql<{ id: string }>`
    insert into events (type, subject_type, subject_id, failures, failed_at, enqueued_at)
    values ('order.created', 'order', uuid_v7(), 5, now() - interval '1 hour', now()) returning id`.execute(
    app.context.db,
  )
  const retry = async (body: object) =>
    await app.call('POST', '/api/v1/admin/retry-failed', { token: app.admin.token, body })
  expect((await retry({ kind: 'events', dry_run: true })).json).toEqual({ count: 1 })
  expect((await retry({ kind: 'events' })).json.errors).toEqual([{ path: 'note', message: 'Say why' }])
  const later = { kind: 'events', note: 'Corrected', since: new Date().toISOString() }
  expect((await retry(later)).json).toEqual({ count: 0 })
  expect((await retry({ kind: 'events', note: 'Corrected' })).json).toEqual({ count: 1 })
  expect((await retry({ kind: 'events', note: 'Corrected' })).json).toEqual({ count: 0 })
  expect((await retry({ kind: 'mails', note: 'Corrected' })).json).toEqual({ count: 0 })
  const event = app.context.db.selectFrom('events').select(['failures', 'failed_at'])
  expect(await event.where('id', '=', rows[0]?.id ?? '').executeTakeFirst()).toEqual({
    failures: 0,
    failed_at: null,
  })
  const log = app.context.db.selectFrom('auth.audit_log').select(['actor_id', 'details'])
  expect(await log.where('action', '=', 'events_retried').execute()).toEqual([
    { actor_id: app.admin.id, details: { count: 1, note: 'Corrected' } },
  ])
})
