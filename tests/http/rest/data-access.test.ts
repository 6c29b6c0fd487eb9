import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPages } from '#scripts/site/read-pages.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenLogRow } from '#tests/support/given/log-rows.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'
import { LIBRARIES, openRest, type Library, type RestClient } from './open-rest.ts'

let app: TestApp
let owner: Person
let stranger: Person
beforeAll(async () => {
  app = await startApp()
  owner = await app.newApprovedClient()
  stranger = await app.newApprovedClient()
})
afterAll(() => app.close())

/** One call of docs/product.md §7 "Data access", as a program would write it. */
interface Given {
  client: RestClient
  owner: Person
  webhook: string
  lead: string
}
interface Answered {
  data: unknown
  error: { code: string; message: string } | null
  status: number
  count: number | null
}
const CONFIG = {
  webhook_name: 'CRM',
  endpoint_url: 'https://crm.example.com/hook',
  request_method: 'POST',
  payload_type: 'JSON',
  is_active: true,
  trigger_on_lead_created: false,
  trigger_on_lead_assigned: true,
  custom_headers: { 'X-Team': 'north', Authorization: 'Bearer secret-value' },
  payload_template: { lead_id: '{{id}}', name: '{{name}}' },
}
const LEAD = {
  name: 'Rosa Test',
  first_name: 'Rosa',
  last_name: 'Test',
  email: 'rosa@example.com',
  phone: '+12025550143',
  state: 'CA',
  city: 'Fresno',
  lead_type: 'final_expense',
  source: 'manual_assignment_test',
  status: 'new',
  deal_size: 0,
}

const CALLS: Readonly<Record<string, (given: Given) => PromiseLike<Answered>>> = {
  'read configurations': ({ client, owner: { id } }) =>
    client
      .from('client_webhook_configs')
      .select('*')
      .eq('client_user_id', id)
      .order('created_at', { ascending: false }),
  'insert a configuration': ({ client, owner: { id } }) =>
    client.from('client_webhook_configs').insert([{ ...CONFIG, client_user_id: id, created_by: id }]),
  'update a configuration': ({ client, webhook, owner: { id } }) =>
    client
      .from('client_webhook_configs')
      .update({
        ...CONFIG,
        webhook_name: 'Renamed',
        client_user_id: id,
        created_by: id,
        updated_at: new Date().toISOString(),
      })
      .eq('id', webhook),
  'toggle a configuration': ({ client, webhook }) =>
    client
      .from('client_webhook_configs')
      .update({ is_active: false, updated_at: new Date().toISOString() })
      .eq('id', webhook),
  'read delivery logs': ({ client, webhook }) =>
    client
      .from('webhook_delivery_logs')
      .select('*, leads(name, email, phone)')
      .eq('webhook_config_id', webhook)
      .order('created_at', { ascending: false })
      .limit(50),
  'insert a test lead': ({ client, owner: { id } }) =>
    client
      .from('leads')
      .insert({ ...LEAD, user_id: id })
      .select()
      .single(),
  'call the procedure': ({ client, lead }) =>
    client.rpc('assign_lead_to_buyer_concurrent', {
      lead_id_param: lead,
      lead_type_param: 'final_expense',
      lead_state_param: 'CA',
      lead_phone_param: '+12025550143',
      lead_email_param: 'rosa@example.com',
    }),
  'update a lead (fallback)': ({ client, lead, owner: { id } }) =>
    client.from('leads').update({ assigned_to: id, status: 'assigned' }).eq('id', lead),
  'search leads': ({ client }) =>
    client
      .from('leads')
      .select('id, name, email, phone, status')
      .or('name.ilike.%rosa%,email.ilike.%rosa%,phone.ilike.%rosa%')
      .limit(5),
  'read the balance': ({ client }) =>
    client.from('client_balances').select('client_user_id,balance,updated_at').single(),
  'delete a configuration': ({ client, webhook }) =>
    client.from('client_webhook_configs').delete().eq('id', webhook),
}

/** Answers of everybody, by call; `rows` is how many came back. */
type Row = { call: string; status: number; code: string | null; rows: number | null }

async function callAll(library: Library, who: Person | undefined): Promise<Row[]> {
  const own = await openRest(app, library, owner)
  const made = await own
    .from('client_webhook_configs')
    .insert({ ...CONFIG, client_user_id: owner.id, created_by: owner.id })
    .select('id')
    .single()
  const webhook = (made.data as { id: string } | null)?.id ?? ''
  const testLead = await own.from('leads').insert(LEAD).select('id').single()
  const lead = (testLead.data as { id: string } | null)?.id ?? ''
  await givenLogRow(app.context.db, new Date(), {
    webhook_config_id: webhook,
    client_user_id: owner.id,
    lead_id: lead,
  })
  const given = { client: await openRest(app, library, who), owner, webhook, lead }
  const rows: Row[] = []
  for (const [call, ask] of Object.entries(CALLS)) {
    const { data, error, status } = await ask(given)
    const found = Array.isArray(data) ? data.length : data === null ? null : 1
    rows.push({ call, status, code: error?.code ?? null, rows: found })
  }
  return rows
}

const WHO = ['owner', 'stranger', 'anonymous'] as const
type Told = readonly [status: number, code: string | null, rows: number | 'some' | null]

/** The answers of each call to its owner, to a client with other rows, and to nobody. */
const EXPECTED: Readonly<Record<string, { owner: Told; stranger: Told; anonymous: Told }>> = {
  'read configurations': told([200, null, 'some'], [200, null, 0]),
  'insert a configuration': told([201, null, null], [403, '42501', null]),
  'update a configuration': told([204, null, null], [204, null, null]),
  'toggle a configuration': told([204, null, null], [204, null, null]),
  'read delivery logs': told([200, null, 1], [200, null, 0]),
  'insert a test lead': told([201, null, 1], [403, '42501', null]),
  'call the procedure': told([200, null, 1], [200, null, 1]),
  'update a lead (fallback)': told([204, null, null], [403, '42501', null]),
  'search leads': told([200, null, 'some'], [200, null, 0]),
  'read the balance': told([200, null, 1], [200, null, 1]),
  'delete a configuration': told([204, null, null], [204, null, null]),
}

function told(owner: Told, stranger: Told): { owner: Told; stranger: Told; anonymous: Told } {
  return { owner, stranger, anonymous: [401, '42501', null] }
}

describe.each(Object.keys(LIBRARIES) as Library[])('supabase-js %s', (library) => {
  test.each(WHO)('gets the answers of the table as %s', async (who) => {
    const rows = await callAll(library, { owner, stranger, anonymous: undefined }[who])
    const expected = Object.entries(EXPECTED).map(([call, answers]) => [call, ...answers[who]])
    const found = rows.map((row, index) => {
      const isSome = expected[index]?.[3] === 'some' && (row.rows ?? 0) > 0
      return [row.call, row.status, row.code, isSome ? 'some' : row.rows]
    })
    expect(found).toEqual(expected)
  })

  test('leaves rows of others untouched by a stranger', async () => {
    const own = await openRest(app, library, owner)
    const insert = { ...CONFIG, webhook_name: 'Untouched', client_user_id: owner.id, created_by: owner.id }
    const made = await own.from('client_webhook_configs').insert(insert).select().single()
    const { id } = made.data as { id: string }
    const other = await openRest(app, library, stranger)
    const table = other.from('client_webhook_configs')
    expect((await table.update({ webhook_name: 'Taken' }).eq('id', id).select()).data).toEqual([])
    expect((await table.update({ webhook_name: 'Taken' }).neq('webhook_name', '').select('id')).data).toEqual(
      [],
    )
    expect((await table.delete().eq('id', id).select()).data).toEqual([])
    expect((await own.from('client_webhook_configs').select('*').eq('id', id).single()).data).toEqual(
      made.data,
    )
  })
})

test('the documentation says the same of each call', () => {
  const page = readPages('documentation').find(({ path }) => path.endsWith('/use-the-client-library'))
  const [, table = ''] = page?.markdown.split('| call | owner |') ?? []
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.includes('---'))
  const cells = rows.map((row) => row.split(' | ').slice(1))
  const expected = Object.values(EXPECTED)
  expect(cells.slice(0, expected.length).map((row) => row.map(readCell))).toEqual(
    expected.map((answers) =>
      WHO.map((who) => {
        const [status, code, found] = answers[who]
        return { status, code: code ?? undefined, isEmpty: found === 0 }
      }),
    ),
  )
})

/** "403 `42501`", "200, no rows" */
function readCell(cell: string): { status: number; code: string | undefined; isEmpty: boolean } {
  const [, status, code] = /^(\d+)(?: `(\w+)`)?/.exec(cell) ?? []
  return { status: Number(status), code, isEmpty: cell.includes('no rows') }
}

test('a configuration is shown as /api/v1 shows it: credentials masked, the template as it was written', async () => {
  const client = await openRest(app, '2.119', owner)
  const { data } = await client
    .from('client_webhook_configs')
    .insert({ ...CONFIG, client_user_id: owner.id })
    .select()
    .single()
  const row = data as Record<string, unknown> & { id: string; created_at: string; updated_at: string }
  const { json } = await app.call('GET', `/api/v1/webhook-configs/${row.id}`, { token: owner.token })
  const { created_at, updated_at, ...rest } = row
  expect(json).toMatchObject(rest)
  expect(JSON.stringify(row)).not.toContain('secret-value')
  expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/)
  expect(Date.parse(updated_at)).not.toBeNaN()

  const text = `{"client_user_id":"${owner.id}","webhook_name":"Exact","endpoint_url":"https://crm.example.com/","payload_template":{"b":1.50,"a":"{{id}}","n":12345678901234567890}}`
  const raw = await app.call('POST', '/rest/v1/client_webhook_configs?select=payload_template', {
    token: owner.token,
    body: text,
    headers: { prefer: 'return=representation' },
  })
  expect(raw.text).toBe('[{"payload_template":{"b":1.50,"a":"{{id}}","n":12345678901234567890}}]')
})

test('a change of several rows goes on when somebody else deletes one of them meanwhile', async () => {
  const { db } = app.context
  const client = await openRest(app, '2.119', owner)
  const table = client.from('client_webhook_configs')
  const ids: string[] = []
  for (const webhook_name of ['First', 'Second'])
    ids.push(
      (
        (
          await table
            .insert({ ...CONFIG, webhook_name })
            .select('id')
            .single()
        ).data as { id: string }
      ).id,
    )
  const [first = '', second = ''] = ids
  for (const change of ['update', 'delete'] as const) {
    const { answer } = await db.transaction().execute(async (trx) => {
      // The newest comes first: it is held until the change waits for it.
      const doomed = change === 'update' ? second : first
      await sql`select from client_webhook_configs where id = ${doomed} for update`.execute(trx)
      const asked = change === 'update' ? table.update({ webhook_name: 'Third' }) : table.delete()
      const answer = Promise.resolve(asked.in('id', ids).select('id'))
      await waitUntil(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          db,
        )
        return rows.length > 0
      })
      await sql`delete from client_webhook_configs where id = ${doomed}`.execute(trx)
      return { answer }
    })
    const data = change === 'update' ? [{ id: first }] : []
    expect(await answer).toMatchObject({ status: 200, error: null, data })
  }
})
