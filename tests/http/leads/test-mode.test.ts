import { expect, test } from 'vitest'
import { readAudit } from '../market/read-audit.ts'
import { newLead } from '../support/start-app.ts'
import { startWithSource } from './receive/start-with-source.ts'

const { app, post } = await startWithSource()
const { db } = app.context

const switchMode = (id: string, body: unknown) =>
  app.call('PATCH', `/api/v1/admin/sources/${id}`, { token: app.admin.token, body })
const stored = (id: string) =>
  db
    .selectFrom('leads')
    .select(['is_test', 'status', 'assigned_to', 'price_charged'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const told = async (id: string) =>
  (await db.selectFrom('events').select('type').where('lead_id', '=', id).orderBy('type').execute()).map(
    ({ type }) => type,
  )

test('in test mode a source’s leads are marked as tests and offered to nobody; earlier and later leads are not', async () => {
  const { id, key } = await app.newSource({ auto_assign: true })
  const before = (await post(newLead(), {}, key)).json.lead_id
  expect((await switchMode(id, { test_mode: true })).json).toMatchObject({ id, test_mode: true })

  const single = newLead({ is_test: false })
  const { status, json } = await post(single, {}, key)
  expect({ status, json }).toEqual({
    status: 201,
    json: { result: 'accepted', lead_id: json.lead_id, is_test: true },
  })
  const batch = await app.call('POST', '/api/v1/leads/batch', { token: key, body: [newLead(), newLead()] })
  expect(batch.json.results).toMatchObject([{ is_test: true }, { is_test: true }])
  for (const { lead_id } of [json, ...batch.json.results]) {
    expect(await stored(lead_id)).toMatchObject({ is_test: true, status: 'new', assigned_to: null })
    expect(await told(lead_id)).toEqual(['lead.created'])
  }

  await switchMode(id, { test_mode: false })
  const after = await post(newLead(), {}, key)
  expect(after.json).toEqual({ result: 'accepted', lead_id: after.json.lead_id })
  for (const one of [before, after.json.lead_id]) {
    expect(await stored(one)).toMatchObject({ is_test: false })
    expect(await told(one)).toEqual(['lead.created', 'lead.offered'])
  }
  const again = await post(single, {}, key)
  expect(again.json).toEqual({ result: 'duplicate', lead_id: json.lead_id, is_test: true })
  expect((await stored(json.lead_id)).is_test).toBe(true)
})

test('in test mode a client’s own source gives its tests only to that client, free of charge and marked as tests', async () => {
  const client = await app.newClient()
  const { id, key } = await app.newSource({ owner: client })
  await switchMode(id, { test_mode: true })
  const { json } = await post(newLead(), {}, key)

  expect(await stored(json.lead_id)).toMatchObject({
    is_test: true,
    status: 'assigned',
    assigned_to: client.id,
    price_charged: '0.00',
  })
  const list = await app.call('GET', '/api/v1/leads', { token: client.token })
  expect(list.json.data).toMatchObject([{ id: json.lead_id, is_test: true }])
})

test('a source may begin in test mode, and administrators’ changes to sources are in the audit log once', async () => {
  const created = await app.call('POST', '/api/v1/admin/sources', {
    token: app.admin.token,
    body: { name: 'New vendor', test_mode: true },
  })
  const { id } = created.json
  expect(created.json).toMatchObject({ test_mode: true })
  await switchMode(id, { test_mode: true })
  await switchMode(id, { test_mode: false })
  await switchMode(id, { test_mode: false })
  for (let times = 0; times < 2; times += 1)
    await app.call('DELETE', `/api/v1/admin/sources/${id}`, { token: app.admin.token })

  const rows = await Promise.all(
    ['source_created', 'source_changed', 'source_revoked'].map((action) => readAudit(app, action)),
  )
  const mine = rows.flat().filter(({ details }) => details['source_id'] === id)
  expect(mine).toMatchObject([
    { action: 'source_created', details: { test_mode: true } },
    { action: 'source_changed', details: { before: { test_mode: true }, after: { test_mode: false } } },
    { action: 'source_revoked' },
  ])
})

test.each([[{}], [{ test_mode: 'yes' }], [{ test_mode: true, owner_user_id: null }]])(
  'the change %j is refused, and so is a change of a missing source',
  async (body) => {
    const { id } = await app.newSource()

    expect((await switchMode(id, body)).status).toBe(422)
    expect((await switchMode('01a1fcd9-0000-7000-8000-000000000000', { test_mode: true })).status).toBe(404)
  },
)
