import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLead, startApp, type Person, type TestApp } from '../../support/start-app.ts'

let app: TestApp
let client: Person
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
})
afterAll(() => app.close())

const PATH = '/api/v1/admin/sources'
const create = (body: unknown, token = app.admin.token) => app.call('POST', PATH, { token, body })

test('a source gets a key that is shown once and stored as a hash', async () => {
  const { status, json } = await create({ name: 'Landing page' })

  expect(status).toBe(201)
  expect(json.api_key).toMatch(/^lw_src_[A-Za-z0-9_-]{43}$/)
  const listed = await app.call('GET', PATH, { token: app.admin.token })
  expect(listed.json.data[0]).toMatchObject({
    id: json.id,
    name: 'Landing page',
    auto_assign: false,
    owner_user_id: null,
  })
  expect(listed.text).not.toContain(json.api_key)
  const rows = await app.context.db.selectFrom('sources').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(json.api_key)
})

test('a source with a client assigns its leads, unless told otherwise', async () => {
  expect((await create({ name: 'A', owner_user_id: client.id })).json.auto_assign).toBe(true)
  expect((await create({ name: 'B', owner_user_id: client.id, auto_assign: false })).json.auto_assign).toBe(
    false,
  )
})

test.each([
  ['no name', {}, 'name'],
  ['an owner that is no id', { name: 'A', owner_user_id: 'me' }, 'owner_user_id'],
  [
    'an owner that does not exist',
    { name: 'A', owner_user_id: '01a1fcd9-0000-7000-8000-000000000000' },
    'owner_user_id',
  ],
  ['a text for a switch', { name: 'A', auto_assign: 'yes' }, 'auto_assign'],
  ['half of a character in its name', { name: 'A \ud83d' }, 'name'],
])('a source with %s is refused', async (_what, body, path) => {
  const { status, json } = await create(body)

  expect({ status, path: json.errors[0]?.path }).toEqual({ status: 422, path })
})

test('a revoked key stops working at once, and revoking again changes nothing', async () => {
  const { json } = await create({ name: 'Old page' })
  const send = () => app.call('POST', '/api/v1/leads', { token: json.api_key, body: newLead() })
  expect((await send()).status).toBe(201)

  const revoke = () => app.call('DELETE', `${PATH}/${json.id}`, { token: app.admin.token })
  expect((await revoke()).status).toBe(204)
  expect((await send()).status).toBe(401)
  expect((await revoke()).status).toBe(204)
  expect(
    (await app.call('DELETE', `${PATH}/01a1fcd9-0000-7000-8000-000000000000`, { token: app.admin.token }))
      .status,
  ).toBe(404)
})

test('a source is created once after a lost answer, and the repeated request returns the same key', async () => {
  const { db } = app.context
  const headers = { 'idempotency-key': 'lost-answer' }
  const make = (name: string) => app.call('POST', PATH, { token: app.admin.token, headers, body: { name } })
  const [first, second] = [await make('Once'), await make('Once')]
  expect(second.json).toEqual(first.json)
  const { status } = await app.call('POST', '/api/v1/leads', { token: second.json.api_key, body: newLead() })
  expect(status).toBe(201)
  const made = await db.selectFrom('sources').select('id').where('name', '=', 'Once').execute()
  expect(made).toHaveLength(1)
  expect((await make('Twice')).json.code).toBe('idempotency_key_reused')
  const begin = () =>
    app.call('POST', '/api/v1/admin/imports', {
      token: app.admin.token,
      headers,
      body: { source_id: first.json.id, file_name: 'leads.csv', size: 10 },
    })
  expect((await begin()).json.id).toBe((await begin()).json.id)
})
