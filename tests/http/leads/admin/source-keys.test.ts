import { expect, test } from 'vitest'
import { revokeSourceKey } from '#core/data/leads/sources/source-keys.ts'
import { readAudit } from '../../market/read-audit.ts'
import { newLead } from '../../support/start-app.ts'
import { startWithSource } from '../receive/start-with-source.ts'

const { app, post, count } = await startWithSource()
const { db } = app.context
const token = app.admin.token

const PATH = '/api/v1/admin/sources'
const addKey = (source: string, headers = {}) =>
  app.call('POST', `${PATH}/${source}/keys`, { token, headers })
const revokeKey = (id: string) => app.call('DELETE', `/api/v1/admin/source-keys/${id}`, { token })
const revokeAll = (source: string) => app.call('DELETE', `${PATH}/${source}`, { token })
const read = async (id: string) => {
  const { json } = await app.call('GET', PATH, { token })
  return json.data.find((source) => source.id === id)
}
const firstKey = async (source: string) => {
  const { id } = await db
    .selectFrom('source_keys')
    .select('id')
    .where('source_id', '=', source)
    .orderBy('created_at')
    .executeTakeFirstOrThrow()
  return id
}

test('a source accepts leads under each of its keys, and under the others when one is revoked', async () => {
  const source = await app.newSource()
  const added = await addKey(source.id)
  expect(added.status).toBe(201)
  expect(added.json.api_key).toMatch(/^lw_src_[A-Za-z0-9_-]{43}$/)
  const send = async () => [
    (await post(newLead(), {}, source.key)).status,
    (await post(newLead(), {}, added.json.api_key)).status,
  ]
  expect(await send()).toEqual([201, 201])

  expect((await revokeKey(await firstKey(source.id))).status).toBe(204)
  expect(await send()).toEqual([401, 201])
  expect((await revokeKey(added.json.id)).status).toBe(204)
  expect(await send()).toEqual([401, 401])
  expect((await revokeKey(added.json.id)).status).toBe(204)
})

test.each([
  ['external_id', {}, { external_id: 'their-7' }],
  ['Idempotency-Key', { 'idempotency-key': 'their-8' }, {}],
])(
  'an %s belongs to the source: with it, a lead under a new key is a duplicate',
  async (_what, headers, fields) => {
    const source = await app.newSource()
    const lead = newLead(fields)
    const first = await post(lead, headers, source.key)
    const { json } = await addKey(source.id)
    await revokeKey(await firstKey(source.id))
    const before = await count('leads')
    const again = await post(lead, headers, json.api_key)

    expect(again).toMatchObject({ status: 200, json: { result: 'duplicate', lead_id: first.json.lead_id } })
    expect(await count('leads')).toBe(before)
  },
)

test.each([
  ['a new lead', (_before: Record<string, unknown>) => newLead()],
  ['the repeat of a lead that is there', (before: Record<string, unknown>) => before],
  ['a lead with faults', () => ({ name: 'No one' })],
])('%s is refused under one key that another server has just revoked', async (_what, make) => {
  const source = await app.newSource()
  const added = await addKey(source.id)
  const lead = newLead()
  expect((await post(lead, {}, added.json.api_key)).status).toBe(201)
  await revokeSourceKey(db, { id: added.json.id, source_id: source.id })

  const together = await Promise.all([
    post(make(lead), {}, added.json.api_key),
    post(newLead(), {}, source.key),
    app.call('POST', '/api/v1/leads/batch', { token: added.json.api_key, body: [make(lead)] }),
  ])
  expect(together.map(({ status }) => status)).toEqual([401, 201, 401])
})

test('after all keys were revoked, an added key opens the source, and no other', async () => {
  const source = await app.newSource()
  await revokeAll(source.id)
  expect(await read(source.id)).toMatchObject({ revoked_at: expect.any(String) as unknown })
  const { json } = await addKey(source.id)

  expect((await post(newLead(), {}, json.api_key)).status).toBe(201)
  expect((await post(newLead(), {}, source.key)).status).toBe(401)
  expect(await read(source.id)).toMatchObject({
    revoked_at: null,
    keys: [
      { id: json.id, revoked_at: null },
      { id: await firstKey(source.id), revoked_at: expect.any(String) as unknown },
    ],
  })
})

test('a source shows the beginning of its oldest valid key', async () => {
  const source = await app.newSource()
  const { json } = await addKey(source.id)
  expect(await read(source.id)).toMatchObject({ api_key_prefix: source.key.slice(0, 13) })
  await revokeKey(await firstKey(source.id))
  expect(await read(source.id)).toMatchObject({ api_key_prefix: json.api_key?.slice(0, 13) })
  await revokeKey(json.id)
  expect(await read(source.id)).toMatchObject({ api_key_prefix: source.key.slice(0, 13) })
})

test('a key is added once after a lost answer, and the repeated request returns it', async () => {
  const source = await app.newSource()
  const headers = { 'idempotency-key': 'lost' }
  const [first, second] = [await addKey(source.id, headers), await addKey(source.id, headers)]

  expect(second.json).toEqual(first.json)
  expect(await read(source.id)).toMatchObject({ keys: [{ id: first.json.id }, {}] })
  expect((await addKey((await app.newSource()).id, headers)).json.code).toBe('idempotency_key_reused')
})

test('five keys may be valid at a time, even if many are added at once', async () => {
  const source = await app.newSource()
  const answers = await Promise.all(Array.from({ length: 6 }, () => addKey(source.id)))

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(4)
  await revokeKey(await firstKey(source.id))
  expect((await addKey(source.id)).status).toBe(201)
})

test('adding and revoking a key is in the audit log once, without the key', async () => {
  const source = await app.newSource()
  const { json } = await addKey(source.id)
  await revokeKey(json.id)
  await revokeKey(json.id)
  const rows = await Promise.all(
    ['source_key_added', 'source_key_revoked'].map((action) => readAudit(app, action)),
  )
  const mine = rows.flat().filter(({ details }) => details['source_id'] === source.id)

  expect(mine.map(({ action, details }) => [action, details])).toEqual([
    ['source_key_added', { source_id: source.id, key_id: json.id }],
    ['source_key_revoked', { source_id: source.id, key_id: json.id }],
  ])
})

test('only administrators can use keys, and a missing key is not found', async () => {
  const client = await app.newClient()
  const source = await app.newSource()
  const nobody = '01a1fcd9-0000-7000-8000-000000000000'

  expect((await addKey(nobody)).status).toBe(404)
  expect((await revokeKey(nobody)).status).toBe(404)
  for (const [method, path] of [
    ['POST', `${PATH}/${source.id}/keys`],
    ['DELETE', `/api/v1/admin/source-keys/${await firstKey(source.id)}`],
  ] as const)
    expect((await app.call(method, path, { token: client.token })).status).toBe(403)
})
