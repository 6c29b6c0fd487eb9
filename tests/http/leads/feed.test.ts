import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { feedDaySchema, feedSchema, type FeedEntry } from '#core/contract/leads/feed.ts'
import { PLACEHOLDERS } from '#core/domain/webhooks/template/placeholders.ts'
import { readPages } from '#scripts/site/read-pages.ts'
import { readSamples } from '#tests/support/samples/read-samples.ts'
import { isThere } from '#tests/support/samples/runtimes.ts'
import { givePricedLead } from '../market/give-priced-lead.ts'
import { giveLead } from './give-lead.ts'
import { startForTwo } from './start-for-two.ts'

const { app, client, other, get } = await startForTwo()
const { db } = app.context
const today = () => new Date().toISOString().slice(0, 10)
const read = async (query = '', who = client) =>
  feedSchema.parse((await get(`/api/v1/feed${query}`, who)).json)
const readDay = async (day: string, who = client) =>
  feedDaySchema.parse((await get(`/api/v1/feed/days/${day}`, who)).json)

/** The canonical form of docs/contract.md §5. */
const chain = (before: string, { number, kind, lead_id, at }: FeedEntry) =>
  createHash('sha256').update(`${before} ${number} ${kind} ${lead_id} ${at}`).digest('hex')

test('an empty feed has no entries, and a day without any', async () => {
  const nobody = await app.newClient()
  expect(await read('', nobody)).toEqual({ data: [], last_number: 0 })
  const hash = '0'.repeat(64)
  expect(await readDay(today(), nobody)).toEqual({
    day: today(),
    is_final: false,
    counts: { assigned: 0, returned: 0, revoked: 0, erased: 0 },
    first_number: null,
    last_number: 0,
    previous_hash: hash,
    hash,
  })
})

test('lists entries by number, with the lead as a webhook gets it, and no test lead', async () => {
  const leads = [
    await giveLead(app, client),
    await giveLead(app, client, { is_test: true }),
    await givePricedLead(app, client),
  ]
  const { data, last_number } = await read()

  expect(data.map(({ number, kind, lead_id }) => [number, kind, lead_id])).toEqual([
    [1, 'assigned', leads[0]],
    [2, 'assigned', leads[2]],
  ])
  expect(last_number).toBe(2)
  const known = PLACEHOLDERS.flatMap(({ name, group }) => (group === 'Delivery' ? [] : name))
  expect(Object.keys(data[1]?.lead ?? {})).toEqual(expect.arrayContaining(known))
  expect(data[1]?.lead).toMatchObject({ lead_id: leads[2], client_id: client.id, price: 25 })
  expect((await read('?after=1&limit=1')).data).toEqual(data.slice(1))
  expect((await read('?after=2')).data).toEqual([])
})

test('an entry of a returned or erased lead stays, without the person', async () => {
  const [back, gone] = [await givePricedLead(app, client), await giveLead(app, client)]
  const { last_number: before } = await read()
  const asked = await app.call('POST', `/api/v1/leads/${back}/return`, {
    token: client.token,
    body: { reason: 'disconnected_number' },
  })
  await app.call('POST', `/api/v1/admin/returns/${asked.json.id}/approve`, {
    token: app.admin.token,
    body: {},
  })
  await app.call('POST', `/api/v1/admin/leads/${gone}/erase`, {
    token: app.admin.token,
    body: { reason: 'The person asked' },
  })

  const { data } = await read(`?after=${before - 2}`)
  expect(data.map(({ kind, lead_id, reason, lead }) => [kind, lead_id, reason, lead])).toEqual([
    ['assigned', back, null, null],
    ['assigned', gone, null, null],
    ['returned', back, 'disconnected_number', null],
    ['erased', gone, null, null],
  ])
})

test('a client rebuilds its leads from the feed, in order and with an equal hash', async () => {
  const { last_number } = await read()
  const crm = new Set<string>()
  let hash = '0'.repeat(64)
  for (let after = 0; after < last_number;) {
    const { data } = await read(`?after=${after}&limit=2`)
    for (const entry of data) {
      expect(entry.number).toBe(after + 1)
      hash = chain(hash, entry)
      expect(entry.hash).toBe(hash)
      if (entry.kind === 'assigned') crm.add(entry.lead_id)
      if (entry.kind === 'returned' || entry.kind === 'erased') crm.delete(entry.lead_id)
      after = entry.number
    }
  }
  const held = await sql<{ id: string }>`
    select id from leads where assigned_to = ${client.id} and status = 'assigned' and not is_test`.execute(db)
  expect([...crm].toSorted()).toEqual(held.rows.map(({ id }) => id).toSorted())
  const day = await readDay(today())
  expect(day).toMatchObject({
    first_number: 1,
    last_number,
    hash,
    counts: { returned: 1, erased: 1, revoked: 0 },
  })
})

test('a past day is final, and its numbers, counts and hashes join those beside it', async () => {
  const person = await app.newClient()
  for (let count = 0; count < 5; count += 1) await giveLead(app, person)
  // Two of them the day before.
  await sql`
    update client_feed set at = '2026-01-02T23:59:59.999Z' where client_user_id = ${person.id} and number <= 2`.execute(
    db,
  )
  await sql`
    update client_feed set at = '2026-01-04T00:00:00.000Z' where client_user_id = ${person.id} and number > 2`.execute(
    db,
  )
  const [second, third, fourth] = [
    await readDay('2026-01-02', person),
    await readDay('2026-01-03', person),
    await readDay('2026-01-04', person),
  ]
  expect(second).toMatchObject({ is_final: true, first_number: 1, last_number: 2, counts: { assigned: 2 } })
  expect(third).toMatchObject({ first_number: null, last_number: 2, counts: { assigned: 0 } })
  expect(fourth).toMatchObject({ first_number: 3, last_number: 5, counts: { assigned: 3 } })
  expect([third.previous_hash, third.hash, fourth.previous_hash]).toEqual([
    second.hash,
    second.hash,
    second.hash,
  ])
  expect((await readDay(today(), person)).is_final).toBe(false)
})

test('shows nothing of another client, and refuses a day that no calendar has', async () => {
  expect((await read('', other)).data).toEqual([])
  expect(await readDay(today(), other)).toMatchObject({ last_number: 0 })
  for (const day of ['2026-02-30', 'today', '2026-1-1'])
    expect((await get(`/api/v1/feed/days/${day}`)).status).toBe(404)
  expect((await get('/api/v1/feed?after=-1')).status).toBe(422)
  expect((await get('/api/v1/feed?limit=501')).status).toBe(422)
  expect((await app.call('GET', '/api/v1/feed')).status).toBe(401)
})

const page = readPages('documentation').find(({ path }) => path === '/documentation/feed')
const checkers = readSamples(page ?? { path: '', markdown: '' }).filter(
  ({ values }) => values['file'] !== undefined,
)

/** Runs a checker of the documentation page as its reader does. */
async function check({ language, text }: (typeof checkers)[number], url: string) {
  const [command = '', ...flags] =
    language === 'js' ? [process.execPath, '--input-type=module', '-'] : ['python3', '-']
  const child = spawn(command, flags, {
    env: { ...process.env, LEADWIRE_URL: url, ACCESS_TOKEN: client.token },
  })
  const [out, error] = [
    child.stdout.setEncoding('utf8').toArray(),
    child.stderr.setEncoding('utf8').toArray(),
  ]
  child.stdin.end(text)
  const [status] = (await once(child, 'close')) as [number]
  return { status, said: ((await out) as string[]).join(''), error: ((await error) as string[]).join('') }
}

describe.each(checkers)('the checker in $language of the documentation', (checker) => {
  test.skipIf(checker.language !== 'js' && !isThere('python3'))(
    'has every entry and an equal hash, and finds a removed and a changed entry',
    async () => {
      const { last_number, data } = await read('?limit=500')
      const held = data.filter(({ lead }) => lead !== null).length
      const hash = data.at(-1)?.hash ?? ''
      expect(await check(checker, app.url)).toMatchObject({
        status: 0,
        said: `You have all ${last_number} entries and hold ${held} leads. ${hash}\n`,
      })
      for (const spoil of [
        (entries: FeedEntry[]) => entries.filter(({ number }) => number !== 2),
        (entries: FeedEntry[]) =>
          entries.map((entry) => ({ ...entry, ...(entry.number === 2 && { kind: 'revoked' }) })),
      ]) {
        const liar = createServer((_request, response) => {
          response.end(JSON.stringify({ data: spoil(data), last_number }))
        }).listen(0, '127.0.0.1')
        await once(liar, 'listening')
        const { port } = liar.address() as AddressInfo
        const { status, error } = await check(checker, `http://127.0.0.1:${port}`)
        liar.close()
        expect([status === 0, error]).toEqual([
          false,
          expect.stringContaining('Entry 2 is missing or was changed'),
        ])
      }
    },
  )
})
