import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LeadReceipt } from '#core/contract/leads/lead-ingest.ts'
import type { SourceCaller } from '#core/data/leads/sources/sources.ts'
import { receiveLead } from '#server/leads/receive-lead.ts'
import { newLead, startApp, type Person, type TestApp, type TestSource } from '../../support/start-app.ts'

let app: TestApp
let client: Person
let source: TestSource
let caller: SourceCaller
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
  source = await app.newSource({ owner: client })
  caller = { source_id: source.id }
})
afterAll(() => app.close())

/** Sends requests in one turn of the event loop, so that one statement stores their leads. */
function receiveTogether(
  leads: readonly Record<string, unknown>[],
  idempotencyKey?: string,
): Promise<PromiseSettledResult<LeadReceipt>[]> {
  return Promise.allSettled(leads.map((item) => receiveLead(app.context, caller, { item, idempotencyKey })))
}

function receiptsOf(settled: readonly PromiseSettledResult<LeadReceipt>[]): LeadReceipt[] {
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

const idOf = (receipt: LeadReceipt | undefined) =>
  receipt === undefined || receipt.result === 'rejected' ? '' : receipt.lead_id

async function typesOf(ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ types: string }>`
    select string_agg(type, ' ' order by type) as types from events where lead_id = any(${[...ids]}::uuid[]) group by lead_id
  `.execute(app.context.db)
  return rows.map(({ types }) => types)
}

const ASSIGNED = 'lead.assigned lead.created'

test('leads that arrive together are stored in one transaction, and each row is written once', async () => {
  const { db } = app.context
  await sql`
    create function refuse_change() returns trigger language plpgsql as
      $$ begin raise exception 'a second version of the row'; end $$`.execute(db)
  await sql`create trigger no_change before update on leads for each row execute function refuse_change()`.execute(
    db,
  )
  const receipts = receiptsOf(await receiveTogether(Array.from({ length: 20 }, () => newLead())))
  await sql`drop function refuse_change() cascade`.execute(db)

  const ids = receipts.map(idOf)
  const { rows } = await sql<{ transaction: string; status: string; assigned_to: string }>`
    select l.xmin::text as transaction, l.status, l.assigned_to from leads l
    join lead_assignments a on a.lead_id = l.id and a.assigned_at = l.assigned_at and a.price = l.price_charged
    where l.id = any(${ids}::uuid[])`.execute(db)
  expect(rows).toHaveLength(20)
  expect(new Set(rows.map((row) => row.transaction)).size).toBe(1)
  expect(rows.every((row) => row.status === 'assigned' && row.assigned_to === client.id)).toBe(true)
  expect(await typesOf(ids)).toEqual(Array.from({ length: 20 }, () => ASSIGNED))
})

test('of two equal leads that arrive together, one is stored and the other is its duplicate', async () => {
  const twin = newLead()
  const [other, first, second] = receiptsOf(await receiveTogether([newLead(), twin, { ...twin }]))

  expect([other?.result, first?.result, second?.result]).toEqual(['accepted', 'accepted', 'duplicate'])
  expect(idOf(second)).toBe(idOf(first))
  expect(await typesOf([idOf(first)])).toEqual([ASSIGNED])
})

test('of two leads with one Idempotency-Key, an equal one is a duplicate and a different one is refused', async () => {
  const lead = newLead({ external_id: undefined })
  const receipts = receiptsOf(
    await receiveTogether([lead, { ...lead }, newLead({ external_id: undefined, city: 'Oakland' })], 'k-1'),
  )

  expect(receipts.map(({ result }) => result)).toEqual(['accepted', 'duplicate', 'rejected'])
  expect(receipts[2]).toMatchObject({ errors: [{ path: 'Idempotency-Key' }] })
})

test('a lead that the database refuses fails alone', async () => {
  const { db } = app.context
  await sql`alter table leads add constraint no_nowhere check (city <> 'Nowhere')`.execute(db)
  const bad = newLead({ city: 'Nowhere' })
  const settled = await receiveTogether([newLead(), bad, newLead(), newLead()])
  const batch = await app.call('POST', '/api/v1/leads/batch', {
    token: source.key,
    body: [newLead(), { ...bad }, newLead()],
  })
  const single = await app.call('POST', '/api/v1/leads', { token: source.key, body: bad })
  await sql`alter table leads drop constraint no_nowhere`.execute(db)

  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  const ids = settled.flatMap((one) => (one.status === 'fulfilled' ? [idOf(one.value)] : []))
  expect(await typesOf(ids)).toEqual([ASSIGNED, ASSIGNED, ASSIGNED])
  expect(batch.status).toBe(200)
  expect(batch.json.results.map(({ result }) => result)).toEqual(['accepted', 'rejected', 'accepted'])
  expect(single.status).toBe(500)
})

test('a lead that waits for a lock delays no other', async () => {
  const held = newLead()
  const { others, waiting } = await app.context.db.transaction().execute(async (trx) => {
    await sql`insert into leads (lead_type, source_id, external_id) values ('auto', ${source.id}, ${held['external_id']})`.execute(
      trx,
    )
    const together = [newLead(), held, newLead()].map((item) =>
      receiveLead(app.context, caller, { item, idempotencyKey: undefined }),
    )
    const [before, kept, after] = together
    return { others: [await before, await after], waiting: { kept } }
  })

  expect(others.map((receipt) => receipt?.result)).toEqual(['accepted', 'accepted'])
  expect(await waiting.kept).toMatchObject({ result: 'duplicate' })
})
