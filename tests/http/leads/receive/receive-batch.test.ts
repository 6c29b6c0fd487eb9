import { once } from 'node:events'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { receiveBatch } from '#server/leads/receive-batch.ts'
import { waitUntil } from '#tests/support/condition.ts'
import {
  newLead,
  startApp,
  type AnswerBody,
  type Person,
  type TestApp,
  type TestSource,
} from '../../support/start-app.ts'

let app: TestApp
let client: Person
let source: TestSource
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
  source = await app.newSource({ owner: client })
})
afterAll(() => app.close())

const post = (body: unknown, headers: Record<string, string> = {}) =>
  app.call('POST', '/api/v1/leads/batch', { token: source.key, body, headers })
const results = (json: AnswerBody) => json.results.map(({ result }) => result)

test('a bad lead fails alone in its batch, and the order is kept', async () => {
  const [a, b] = [newLead(), newLead()]
  const { status, json } = await post([a, { name: 'No one' }, b, a, 7])

  expect(status).toBe(200)
  expect(results(json)).toEqual(['accepted', 'rejected', 'accepted', 'duplicate', 'rejected'])
  expect(json.results[3]?.lead_id).toBe(json.results[0]?.lead_id)
  expect(json.results[1]?.errors.map(({ path }) => path)).toEqual(['lead_type', 'phone'])
})

test('lines of JSON are accepted as a batch', async () => {
  const body = `${JSON.stringify(newLead())}\n\n${JSON.stringify(newLead())}\n`
  const { json } = await post(body, { 'content-type': 'application/x-ndjson' })

  expect(results(json)).toEqual(['accepted', 'accepted'])
})

test('an unreadable line is refused by its number and fails alone, compressed or not', async () => {
  const deep = `{"custom": ${'['.repeat(70)}${']'.repeat(70)}}`
  const lines = [JSON.stringify(newLead()), '{"name":', '', JSON.stringify(newLead()), 'Jos\u00e9', deep, '7']
  // 'José' in another encoding.
  const body = Buffer.from(lines.join('\r\n'), 'latin1')
  const type = { 'content-type': 'application/x-ndjson' }
  const { status, json } = await post(body, type)

  expect(status).toBe(200)
  expect(results(json)).toEqual(['accepted', 'rejected', 'accepted', 'rejected', 'rejected', 'rejected'])
  expect(json.results.flatMap(({ errors }) => errors ?? [])).toEqual([
    { path: '', message: 'Line 2 is not valid JSON' },
    { path: '', message: 'Line 5 is not UTF-8 text' },
    { path: '', message: 'Line 6 is nested deeper than 64 levels' },
    { path: '', message: 'A lead must be an object of fields' },
  ])
  const again = await post(gzipSync(body), { ...type, 'content-encoding': 'gzip' })
  expect(results(again.json)).toEqual([
    'duplicate',
    'rejected',
    'duplicate',
    'rejected',
    'rejected',
    'rejected',
  ])
})

test('a thousand leads are accepted and assigned, and a thousand and one are refused', async () => {
  const leads = Array.from({ length: 1000 }, () => newLead())
  const { json } = await post(leads)

  expect(results(json).every((result) => result === 'accepted')).toBe(true)
  const assigned = await app.context.db
    .selectFrom('events')
    .select((row) => row.fn.countAll().as('n'))
    .where('type', '=', 'lead.assigned')
    .where(
      'lead_id',
      'in',
      json.results.map(({ lead_id }) => lead_id),
    )
    .executeTakeFirstOrThrow()
  expect(Number(assigned.n)).toBe(1000)
  expect((await post([...leads, newLead()])).status).toBe(422)
})

test('batches with the same leads in opposite order do not block each other', async () => {
  const leads = Array.from({ length: 200 }, () => newLead())
  const answers = await Promise.all([
    post(leads),
    post(leads.toReversed()),
    post(leads),
    post(leads.toReversed()),
  ])

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const accepted = answers.flatMap(({ json }) => results(json)).filter((result) => result === 'accepted')
  expect(accepted).toHaveLength(200)
})

test('a batch that is repeated under its Idempotency-Key contains only duplicates', async () => {
  const leads = [newLead({ external_id: undefined }), newLead({ external_id: undefined })]
  const headers = { 'Idempotency-Key': 'batch-1' }

  expect(results((await post(leads, headers)).json)).toEqual(['accepted', 'accepted'])
  expect(results((await post(leads, headers)).json)).toEqual(['duplicate', 'duplicate'])
})

/**
 * Keeps the leads that `begin` sends from being stored until `meanwhile` is done. `meanwhile` gets the
 * process id of the waiting connection.
 */
async function whileLeadsAreLocked<Begun>(
  begin: () => Begun,
  meanwhile: (pid: number) => Promise<unknown>,
): Promise<{ begun: Begun }> {
  return await app.context.db.transaction().execute(async (trx) => {
    await sql`lock table leads in exclusive mode`.execute(trx)
    const begun = begin()
    const pid = await waitUntil(
      async () =>
        (
          await sql<{ pid: number }>`
            select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
              and query like '%with posted as%'`.execute(app.context.db)
        ).rows[0]?.pid,
    )
    await meanwhile(pid)
    return { begun }
  })
}

async function countLeads(leads: readonly { external_id: string }[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from leads where external_id = any(${leads.map((lead) => lead.external_id)}::text[])
  `.execute(app.context.db)
  return rows[0]?.count ?? 0
}

const manyLeads = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...newLead(), external_id: `${name}-${index}` }))

test('a batch continues after a database connection breaks', async () => {
  const leads = manyLeads('broken', 60)
  const { begun: answer } = await whileLeadsAreLocked(
    () => post(leads),
    (pid) => sql`select pg_terminate_backend(${pid})`.execute(app.context.db),
  )
  const { status, json } = await answer

  expect(status).toBe(200)
  expect(results(json).every((result) => result === 'accepted')).toBe(true)
  expect(await countLeads(leads)).toBe(60)
})

test('leads that were committed before their connection broke are accepted once, even without an id', async () => {
  const countAll = async () =>
    (await sql<{ count: number }>`select count(*)::int as count from leads`.execute(app.context.db)).rows[0]
      ?.count ?? 0
  const before = await countAll()
  let tries = 0
  const announce = (): void => {
    tries += 1
    if (tries === 1) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  }
  const receipts = await receiveBatch(
    { ...app.context, announce: { ...app.context.announce, events: announce, eventsOf: announce } },
    { source_id: source.id },
    [newLead({ external_id: undefined }), newLead()].map((item) => ({ item, idempotencyKey: undefined })),
    () => false,
  )

  expect(tries).toBe(2)
  expect(await countAll()).toBe(before + 2)
  expect(receipts.map(({ result }) => result)).toEqual(['accepted', 'accepted'])
})

test('leads of a client that has hung up are not stored', async () => {
  const leads = manyLeads('hung-up', 60)
  const headers = { authorization: `Bearer ${source.key}`, 'content-type': 'application/json' }
  // Uses its own connection.
  const caller = request(`${app.url}/api/v1/leads/batch`, { method: 'POST', headers, agent: false })
  const answer = once(caller, 'response').catch(() => 'hung up')
  await whileLeadsAreLocked(
    () => void caller.end(JSON.stringify(leads)),
    async () => {
      const port = caller.socket?.localPort ?? 0
      expect(app.isConnected(port)).toBe(true)
      caller.destroy()
      await waitUntil(() => !app.isConnected(port), { what: 'The server hearing of it' })
    },
  )
  // Two turns in the queue of batches: the other batch's next chunk would be between them.
  await post([newLead()])
  await post([newLead()])

  expect(await answer).toBe('hung up')
  expect(await countLeads(leads)).toBe(25)
})

test('a body that is not a list, or above 5 MiB, is refused', async () => {
  expect((await post({ leads: [] })).status).toBe(422)
  expect((await post(JSON.stringify([{ name: 'x'.repeat(5_300_000) }]))).status).toBe(413)
})

test('an access token is refused as a source key', async () => {
  const { status, json } = await app.call('POST', '/api/v1/leads/batch', { token: client.token, body: [] })

  expect({ status, code: json.code }).toEqual({ status: 401, code: 'invalid_api_key' })
})
