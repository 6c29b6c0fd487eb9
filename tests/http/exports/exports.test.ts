import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import {
  exportSchema,
  exportSizeSchema,
  MOST_OPEN_EXPORTS,
  type Export,
} from '#core/contract/exports/export.ts'
import { pageSchema } from '#core/contract/page.ts'
import { removeExportsSince, removeOldExports } from '#core/data/exports/remove-exports.ts'
import { findFile } from '#core/data/files/stored-files.ts'
import { createMakeExports } from '#worker/housekeeping/exports/make-exports.ts'
import { topUp } from '#tests/support/given/market.ts'
import type { Person } from '../support/start-app.ts'
import { startForTwo } from '../leads/start-for-two.ts'

const PATH = '/api/v1/exports'
const LEADS = 1203
const OF_AGENT = 2

const { app, client: owner, other: agent, get } = await startForTwo()
const { context } = app
const { db } = context
let finance: Person
let stranger: Person

const ask = (body: object, who: Person | undefined = owner, headers: Record<string, string> = {}) =>
  app.call('POST', PATH, { token: who?.token, body, headers })
const remove = (id: string, who: Person) => app.call('DELETE', `${PATH}/${id}`, { token: who.token })
const make = () => createMakeExports(context)(new AbortController().signal)
const show = async (id: string, who = owner): Promise<Export> =>
  exportSchema.parse((await get(`${PATH}/${id}`, who)).json)
/** Asks for an export and has it made. */
async function made(body: object, who = owner): Promise<Export> {
  const asked = await ask(body, who)
  expect(asked.status).toBe(201)
  await make()
  return await show(asked.json.id, who)
}
const rowsOf = (csv: string) => csv.trimEnd().split('\r\n').slice(1)
const setRole = (who: Person, role: string) =>
  sql`insert into account_members (account_id, user_id, role) values (${owner.id}, ${who.id}, ${role})
    on conflict (user_id) do update set role = excluded.role`.execute(db)

beforeAll(async () => {
  finance = await app.newClient()
  stranger = await app.newClient()
  await setRole(agent, 'agent')
  await setRole(finance, 'finance')
  await sql`
    insert into leads (user_id, name, email, lead_type, city, state)
    select ${owner.id}::uuid, 'Avery "Av" Example', md5(n::text) || '@example.com', 'final_expense', 'Fresno, North', 'CA'
    from generate_series(1, ${LEADS}::int) n`.execute(db)
  await sql`
    update leads set member_user_id = ${agent.id}, state = 'TX' where id in (select id from leads limit ${OF_AGENT})`.execute(
    db,
  )
  for (const amount of ['10.00', '20.00']) await topUp(db, owner.id, amount)
})
beforeEach(async () => {
  await sql`delete from exports`.execute(db)
  await sql`delete from mails`.execute(db)
})

test('an export of leads is made in the background, and has the rows of the immediate one', async () => {
  const asked = await ask({ kind: 'leads', filters: { state: 'ca', search: 'avery' } })
  expect(asked).toMatchObject({ status: 201, json: { state: 'waiting', rows_done: 0, rows_all: null } })
  expect((await get(`${PATH}/${asked.json.id}/file`)).status).toBe(409)

  await make()
  const done = await show(asked.json.id)
  const rows = LEADS - OF_AGENT
  expect(done).toMatchObject({ state: 'done', rows_done: rows, rows_all: rows, failure: null })
  // The text of a search may be a name.
  expect(done.filters).toEqual({ state: 'CA', sort: '-received' })
  const file = await get(`${PATH}/${done.id}/file`)
  expect(file.headers.get('content-disposition')).toMatch(
    /^attachment; filename="leads-\d{4}-\d\d-\d\d\.csv"$/,
  )
  expect(file.text).toBe((await get('/api/v1/leads.csv?state=CA&search=avery')).text)
  expect(done.size).toBe(Buffer.byteLength(file.text) + Buffer.byteLength('\uFEFF'))
})

test('an export of the ledger is that of the immediate download', async () => {
  const { id, rows_done } = await made({ kind: 'ledger' }, finance)
  const { text } = await get(`${PATH}/${id}/file`, finance)
  expect([text, rows_done]).toEqual([(await get('/api/v1/ledger.csv')).text, 2])
})

test('an agent’s export contains the agent’s leads, and a role that changes ends the files that it may not read', async () => {
  const own = await made({ kind: 'leads' }, agent)
  expect(rowsOf((await get(`${PATH}/${own.id}/file`, agent)).text)).toHaveLength(OF_AGENT)

  await setRole(agent, 'manager')
  expect((await get(`${PATH}/${own.id}/file`, agent)).status).toBe(200)
  const all = await made({ kind: 'leads' }, agent)
  expect(rowsOf((await get(`${PATH}/${all.id}/file`, agent)).text)).toHaveLength(LEADS)
  const file = await fileOf(all.id)
  expect(await file()).toBeDefined()
  await setRole(agent, 'agent')
  expect((await get(PATH, agent)).json.data.map(({ id }) => id)).toEqual([own.id])
  expect(await file()).toBeUndefined()
  await setRole(agent, 'finance')
  expect((await get(PATH, agent)).json.data).toEqual([])
  await setRole(agent, 'agent')
})

test('each role asks for the rows that it may read, and nobody reads another person’s exports', async () => {
  expect((await ask({ kind: 'ledger' }, agent)).status).toBe(403)
  expect((await ask({ kind: 'leads' }, finance)).status).toBe(403)
  expect((await get(`${PATH}/size?kind=leads`, finance)).status).toBe(403)
  expect((await app.call('POST', PATH, { body: { kind: 'leads' } })).status).toBe(401)
  const { id } = await made({ kind: 'leads' })
  for (const who of [agent, finance, stranger, app.admin]) {
    expect((await get(`${PATH}/${id}`, who)).status).toBe(404)
    expect((await get(`${PATH}/${id}/file`, who)).status).toBe(404)
    expect((await remove(id, who)).status).toBe(404)
    expect((await get(PATH, who)).json.data).toEqual([])
  }
})

test('an export with an administrator’s rights ends with these, and one without them has no other rows', async () => {
  const administrator = await app.newClient()
  const setAdmin = (role: string) =>
    sql`update profiles set role = ${role}, admin_role = ${role === 'admin' ? 'owner' : null} where user_id = ${administrator.id}`.execute(
      db,
    )
  const asked = await ask({ kind: 'leads' }, administrator)
  await setAdmin('admin')
  await make()
  expect(await show(asked.json.id, administrator)).toMatchObject({ state: 'done', rows_done: 0 })

  const all = await made({ kind: 'leads', filters: { state: 'TX' } }, administrator)
  expect(all).toMatchObject({ rows_done: OF_AGENT })
  const file = await fileOf(all.id)
  // No account owns it, so the storage wire shows it to nobody.
  expect(await file()).toMatchObject({ account_id: null })
  expect((await get(`${PATH}/${all.id}/file`, administrator)).status).toBe(200)
  const late = await ask({ kind: 'leads' }, administrator)
  await setAdmin('client')
  expect(await file()).toBeUndefined()
  await make()
  for (const { id } of [all, late.json]) {
    expect((await get(`${PATH}/${id}`, administrator)).status).toBe(404)
    expect((await get(`${PATH}/${id}/file`, administrator)).status).toBe(404)
  }
  await setAdmin('admin')
  expect(await show(late.json.id, administrator)).toMatchObject({ state: 'failed', failure: 'access_lost' })
  expect((await get(`${PATH}/${all.id}`, administrator)).status).toBe(404)
  expect((await remove(asked.json.id, administrator)).status).toBe(204)
})

test('a repeat with the same key asks for one export, and the third open one is the last', async () => {
  const key = { 'idempotency-key': 'once' }
  const first = await ask({ kind: 'leads' }, owner, key)
  expect((await ask({ kind: 'leads' }, owner, key)).json.id).toBe(first.json.id)
  expect((await ask({ kind: 'ledger' }, owner, key)).status).toBe(422)
  const more = await Promise.all(Array.from({ length: MOST_OPEN_EXPORTS }, () => ask({ kind: 'leads' })))
  expect(more.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 429])
  expect((await ask({ kind: 'ledger' }, finance)).status).toBe(429)
  expect((await ask({ kind: 'leads' }, stranger)).status).toBe(201)
  const page = pageSchema(exportSchema).parse((await get(`${PATH}?limit=2`)).json)
  expect(page.data).toHaveLength(2)
  const rest = await get(`${PATH}?limit=2&cursor=${page.next_cursor ?? ''}`)
  expect(rest.json.data.map(({ id }) => id)).toEqual([first.json.id])
})

test('filters that no list has are refused', async () => {
  for (const body of [
    {},
    { kind: 'people' },
    { kind: 'leads', filters: { statu: 'new' } },
    { kind: 'leads', filters: { from: 'yesterday' } },
    { kind: 'ledger', filters: {} },
  ])
    expect((await ask(body)).status).toBe(422)
})

test('an export of a person who may not read its rows any more fails, and says why', async () => {
  const asked = await ask({ kind: 'leads' }, agent)
  await setRole(agent, 'finance')
  await make()
  const { rows } = await sql`select state, failure, size from exports where id = ${asked.json.id}`.execute(db)
  expect(rows).toEqual([{ state: 'failed', failure: 'access_lost', size: null }])
  expect((await get(`${PATH}/${asked.json.id}`, agent)).status).toBe(404)
  await setRole(agent, 'agent')
})

test('the size of a list is counted', async () => {
  const size = async (query: string, who = owner) =>
    exportSizeSchema.parse((await get(`${PATH}/size?${query}`, who)).json)
  expect(await size('kind=leads')).toEqual({ rows: LEADS, is_more: false })
  expect(await size('kind=leads&state=TX')).toEqual({ rows: OF_AGENT, is_more: false })
  expect(await size('kind=leads', agent)).toEqual({ rows: OF_AGENT, is_more: false })
  expect(await size('kind=ledger', finance)).toEqual({ rows: 2, is_more: false })
})

test('an export is audited when it is asked for, and a mail without personal data says that it is ready', async () => {
  const { id } = await made({ kind: 'leads', filters: { search: 'Avery' } })
  const { rows: audits } = await sql<{ details: object }>`
    select details from auth.audit_log where action = 'leads_exported' and details ->> 'export_id' = ${id}`.execute(
    db,
  )
  expect(audits).toEqual([{ details: { sort: '-received', is_searched: true, export_id: id } }])
  await made({ kind: 'ledger' }, finance)
  const mails = () =>
    sql`select recipient_user_id, template, data ->> 'rows' as rows from mails order by id`.execute(db)
  expect((await mails()).rows).toEqual([
    { recipient_user_id: owner.id, template: 'export_ready', rows: String(LEADS) },
    { recipient_user_id: finance.id, template: 'export_ready', rows: '2' },
  ])

  await sql`update client_accounts set notices = '{"exports": false}' where user_id = ${owner.id}`.execute(db)
  await made({ kind: 'ledger' }, finance)
  expect((await mails()).rows).toHaveLength(2)
})

const fileOf = async (id: string) => {
  const { rows } = await sql<{ file_name: string }>`select file_name from exports where id = ${id}`.execute(
    db,
  )
  const name = rows[0]?.file_name ?? ''
  return () => findFile(db, { bucket: 'exports', name })
}

test('a removed export leaves no file, nor one that was not made yet', async () => {
  const { id } = await made({ kind: 'leads' })
  const file = await fileOf(id)
  expect(await file()).toMatchObject({ account_id: owner.id, created_by: owner.id })
  expect((await remove(id, owner)).status).toBe(204)
  expect([await file(), (await get(`${PATH}/${id}`)).status]).toEqual([undefined, 404])

  const waiting = await ask({ kind: 'leads' })
  expect((await remove(waiting.json.id, owner)).status).toBe(204)
  await make()
  expect((await get(PATH)).json.data).toEqual([])
})

test('an export is removed with its file after a week, and when a lead that it may contain is erased', async () => {
  const old = await made({ kind: 'leads' })
  const file = await fileOf(old.id)
  expect(await removeOldExports(db, new Date(old.created_at))).toBe(0)
  expect(await removeOldExports(db, new Date(Date.now() + 60_000))).toBe(1)
  expect([await file(), (await get(`${PATH}/${old.id}`)).status]).toEqual([undefined, 404])

  const { id } = await made({ kind: 'leads' })
  const ledger = await made({ kind: 'ledger' })
  const admins = await made({ kind: 'leads' }, app.admin)
  const since = new Date(Date.now() - 60_000)
  expect(await removeExportsSince(db, { accounts: [], since: new Date(Date.now() + 60_000) })).toEqual([])
  expect(await removeExportsSince(db, { accounts: [owner.id], since })).toHaveLength(2)
  expect((await get(`${PATH}/${id}`)).status).toBe(404)
  expect((await get(`${PATH}/${admins.id}`, app.admin)).status).toBe(404)
  expect((await get(`${PATH}/${ledger.id}`)).status).toBe(200)
})
