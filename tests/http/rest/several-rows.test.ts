import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Db } from '#core/data/database.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'
import { openRest, type RestClient } from './open-rest.ts'

let app: TestApp
let owner: Person
let client: RestClient
beforeAll(async () => {
  app = await startApp({ WEBHOOK_MAX_PER_CLIENT: '5' })
})
afterAll(() => app.close())
beforeEach(async () => {
  owner = await app.newApprovedClient()
  client = await openRest(app, '2.119', owner)
})

const webhooks = () => client.from('client_webhook_configs')
const leads = () => client.from('leads')
const named = (webhook_name: string, fields: Record<string, unknown> = {}) => ({
  webhook_name,
  endpoint_url: 'https://crm.example.com/hook',
  ...fields,
})
const listNames = async () =>
  (await webhooks().select('webhook_name').order('webhook_name')).data?.map((row) => row['webhook_name'])
const idOf = (made: { data: unknown }) => (made.data as { id: string } | null)?.id ?? ''

describe('an insert of several rows', () => {
  test('stores all of them in their order, and keeps the text of each template', async () => {
    const { status, data, count } = await webhooks()
      .insert([named('B'), named('A'), named('C')], { count: 'exact' })
      .select('webhook_name')
    expect({ status, data, count }).toEqual({
      status: 201,
      data: [{ webhook_name: 'B' }, { webhook_name: 'A' }, { webhook_name: 'C' }],
      count: 3,
    })
    const one = (name: string, template: string) =>
      `{"webhook_name":"${name}","endpoint_url":"https://crm.example.com/","payload_template":${template}}`
    const raw = await app.call('POST', '/rest/v1/client_webhook_configs?select=payload_template', {
      token: owner.token,
      body: `[${one('D', '{"b":1.50,"a":"{{id}}"}')} , ${one('E', '{"n":12345678901234567890}')}]`,
      headers: { prefer: 'return=representation' },
    })
    expect(raw.text).toBe(
      '[{"payload_template":{"b":1.50,"a":"{{id}}"}},{"payload_template":{"n":12345678901234567890}}]',
    )
  })

  test.each([
    [
      'a row that cannot be used',
      [named('A'), named('B', { endpoint_url: 'ftp://x' })],
      'PT422',
      '1.endpoint',
    ],
    [
      'a row that is not valid',
      [named('A'), named('B', { request_method: 'GET' })],
      'PT422',
      '1.request_method',
    ],
    [
      'a row of another owner',
      [named('A'), named('B', { client_user_id: crypto.randomUUID() })],
      '42501',
      '',
    ],
    ['more than there is room for', ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => named(name)), 'PT422', ''],
    ['more than a write may have', Array.from({ length: 101 }, () => named('A')), '0A000', ''],
  ])('with %s stores none', async (_what, rows, code, details) => {
    const { data, error } = await webhooks().insert(rows).select()
    expect({ data, code: error?.code }).toEqual({ data: null, code })
    expect(error?.details ?? '').toContain(details)
    expect(await listNames()).toEqual([])
  })

  test('stores none if one object is asked for', async () => {
    const { error } = await webhooks()
      .insert([named('A'), named('B')])
      .select()
      .single()
    expect(error).toMatchObject({ code: 'PGRST116', details: 'The result contains 2 rows' })
    expect(await listNames()).toEqual([])
  })

  test('is refused if its rows have different keys and no list of columns', async () => {
    const ask = async (query: string) =>
      await app.call('POST', `/rest/v1/client_webhook_configs${query}`, {
        token: owner.token,
        body: [named('A'), named('B', { is_active: false })],
      })
    expect(JSON.parse((await ask('')).text)).toMatchObject({
      code: 'PGRST102',
      message: 'All object keys must match',
    })
    expect((await ask('?columns=webhook_name,endpoint_url,is_active')).status).toBe(201)
  })

  test('is stored once for an Idempotency-Key', async () => {
    const ask = async () =>
      await app.call('POST', '/rest/v1/client_webhook_configs?select=id,webhook_name', {
        token: owner.token,
        body: [named('A'), named('B')],
        headers: { prefer: 'return=representation', 'idempotency-key': 'two-rows' },
      })
    const first = await ask()
    expect((await ask()).text).toBe(first.text)
    expect(await listNames()).toEqual(['A', 'B'])
  })

  test('takes test leads as well, each with its events, or none of them', async () => {
    const { data } = await leads()
      .insert([{ name: 'Rosa' }, { name: 'Ines' }])
      .select('id, name, is_test')
    expect(data?.map(({ name, is_test }) => [name, is_test])).toEqual([
      ['Rosa', true],
      ['Ines', true],
    ])
    const ids = data?.map(({ id }) => String(id)) ?? []
    const events = await app.context.db
      .selectFrom('events')
      .select('lead_id')
      .where('lead_id', 'in', ids)
      .where('type', '=', 'lead.created')
      .orderBy('lead_id')
      .execute()
    expect(events.map(({ lead_id }) => lead_id)).toEqual(ids)
    const bad = await leads().insert([
      { name: 'Mara', email: 'mara@example.com' },
      { name: 'Nils', email: 'nils' },
    ])
    expect(bad.error).toMatchObject({ code: 'PT422' })
    expect(bad.error?.details).toContain('1.email')
    expect((await leads().select('id')).data).toHaveLength(2)
    expect((await leads().insert([{ name: 'Mara' }, { name: 'Nils' }])).status).toBe(201)
  })
})

describe('a write of several rows', () => {
  test('changes none if one of them is refused', async () => {
    const secret = { custom_headers: { Authorization: 'Bearer secret-value' } }
    await webhooks().insert([named('A', { custom_headers: {} }), named('B', secret)])
    // A stored credential does not follow to another host.
    const change = { endpoint_url: 'https://elsewhere.example.com/', webhook_name: 'Moved' }
    const { error } = await webhooks()
      .update({ ...change, custom_headers: { Authorization: 'Bearer ••••' } })
      .in('webhook_name', ['A', 'B'])
    expect(error?.code).toBe('PT422')
    expect(await listNames()).toEqual(['A', 'B'])

    const { data } = await leads()
      .insert([{ name: 'Rosa' }, { name: 'Ines' }])
      .select('id')
    const [first = '', second = ''] = data?.map(({ id }) => String(id)) ?? []
    await leads().update({ assigned_to: owner.id, status: 'assigned' }).eq('id', first)
    const noted = await leads().update({ notes: 'Called' }).in('id', [first, second])
    expect(noted.error).toMatchObject({ code: 'PT409' })
    expect((await leads().select('id').not('notes', 'is', null)).data).toEqual([])
  })

  test('changes and deletes all of them at the same moment', async () => {
    await webhooks().insert([named('A'), named('B'), named('C')])
    const changed = await webhooks()
      .update({ is_active: false })
      .neq('webhook_name', 'C')
      .select('is_active, updated_at')
    const times = new Set(changed.data?.map(({ updated_at }) => updated_at))
    expect({ rows: changed.data?.length, times: times.size }).toEqual({ rows: 2, times: 1 })
    const gone = await webhooks().delete().eq('is_active', false).select('webhook_name, is_active')
    expect(gone.data?.map((row) => row['webhook_name']).toSorted()).toEqual(['A', 'B'])
    expect(await listNames()).toEqual(['C'])
  })
})

describe('a row that changes while a write waits for it', () => {
  /** Runs a write while another transaction holds these rows, which then changes one of them. */
  async function meanwhile<Answer>(
    id: string,
    write: () => PromiseLike<Answer>,
    change: (trx: Db) => Promise<unknown>,
  ): Promise<Answer> {
    const { db } = app.context
    const { answer } = await db.transaction().execute(async (trx) => {
      await sql`select from client_webhook_configs where id = ${id} for update`.execute(trx)
      await sql`select from leads where id = ${id} for update`.execute(trx)
      const answer = Promise.resolve(write())
      await waitUntil(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          db,
        )
        return rows.length > 0
      })
      await change(trx)
      return { answer }
    })
    return await answer
  }

  test('is left alone if the filter does not find it any more', async () => {
    const made = await webhooks()
      .insert([named('A'), named('B')])
      .select('id, updated_at')
    const [row, other] = made.data ?? []
    const id = String(row?.['id'])
    const rename = (trx: Db) =>
      trx
        .updateTable('client_webhook_configs')
        .set({ webhook_name: 'Renamed', updated_at: new Date() })
        .where('id', '=', id)
        .execute()
    const changed = await meanwhile(
      id,
      () =>
        webhooks()
          .update({ webhook_name: 'Mine' })
          .in('id', [id, String(other?.['id'])])
          .eq('updated_at', String(row?.['updated_at']))
          .select('webhook_name'),
      rename,
    )
    expect(changed).toMatchObject({ status: 200, data: [{ webhook_name: 'Mine' }] })
    expect(await listNames()).toEqual(['Mine', 'Renamed'])
    const gone = await meanwhile(
      id,
      () => webhooks().delete().eq('webhook_name', 'Renamed').select().single(),
      (trx) =>
        trx
          .updateTable('client_webhook_configs')
          .set({ webhook_name: 'Kept' })
          .where('id', '=', id)
          .execute(),
    )
    expect(gone).toMatchObject({
      status: 406,
      error: { code: 'PGRST116', details: 'The result contains 0 rows' },
    })
    expect(await listNames()).toEqual(['Kept', 'Mine'])
  })

  test('is left alone if it is a lead', async () => {
    const id = idOf(await leads().insert({ name: 'Rosa', city: 'Fresno' }).select('id').single())
    const answer = await meanwhile(
      id,
      () =>
        leads()
          .update({ assigned_to: owner.id, status: 'assigned' })
          .eq('city', 'Fresno')
          .eq('status', 'new')
          .select(),
      (trx) => sql`update leads set city = 'Reno' where id = ${id}`.execute(trx),
    )
    expect(answer).toMatchObject({ status: 200, data: [] })
    expect((await leads().select('status').eq('id', id).single()).data).toEqual({ status: 'new' })
  })
})
