import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertSource } from '#core/data/leads/sources/sources.ts'
import { stopSource } from '#core/data/leads/sources/stop-source.ts'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { findContradictions } from '#scripts/lab/market/find-contradictions.ts'
import { givenBuyer, givenOffers, givenOrder, topUp } from '#tests/support/given/market.ts'
import { startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline()
})
afterAll(() => pipeline.close())

async function readLeads(ids: readonly string[]): Promise<unknown[]> {
  const { rows } = await sql<{ status: string }>`
    select status from leads where id = any(${[...ids]}::uuid[]) order by created_at`.execute(pipeline.db)
  return rows.map(({ status }) => status)
}

/** Offers leads that nobody wants. */
async function giveUnsold(
  count: number,
  lead: { state?: string; source_id?: string } = {},
): Promise<string[]> {
  const { context, db } = pipeline
  const ids = await givenOffers(
    db,
    Array.from({ length: count }, () => lead),
  )
  await context.events.publish(await findEventsToEnqueueOfLeads(db, ids), { mark: 'now' })
  await waitForStatus(
    ids,
    ids.map(() => 'unassigned'),
  )
  return ids
}

/** Waits for the statuses; on a timeout it reports the current ones. */
async function waitForStatus(ids: readonly string[], wanted: readonly string[]): Promise<void> {
  await expect.poll(() => readLeads(ids), { timeout: 30_000, interval: 25 }).toEqual(wanted)
}

test('unsold leads are sold when a client orders them, adds funds, is approved or resumes, newest first', async () => {
  const { db } = pipeline
  const leads = await giveUnsold(6)
  const waitForSold = (count: number) =>
    waitForStatus(
      leads,
      leads.map((_, index) => (index < leads.length - count ? 'unassigned' : 'assigned')),
    )
  const client = await givenBuyer(db, '25.00')
  await givenOrder(db, client)
  await waitForSold(1)

  await topUp(db, client, '50.00')
  await waitForSold(3)

  const other = await givenBuyer(db, '25.00')
  await sql`update client_accounts set status = 'onboarding' where user_id = ${other}`.execute(db)
  await givenOrder(db, other)
  await sql`update client_accounts set status = 'active' where user_id = ${other}`.execute(db)
  await waitForSold(4)

  const paused = await givenOrder(db, other, { paused_by: 'client' })
  await topUp(db, other, '50.00')
  await sql`update orders set deleted_at = now() where client_user_id = ${other} and id <> ${paused}`.execute(
    db,
  )
  await sql`update orders set paused_by = null where id = ${paused}`.execute(db)
  await waitForSold(6)
  expect(await findContradictions(db)).toEqual([])
  await sql`update orders set deleted_at = now()`.execute(db)
})

test('a lead expires after its hold, even without a stored end, and is not sold any more', async () => {
  const { db } = pipeline
  const [held = '', left = ''] = await giveUnsold(2, { state: 'AK' })
  await sql`update leads set expires_at = now() where id = ${held}`.execute(db)
  await sql`
    update leads set expires_at = null, created_at = created_at - interval '25 hours' where id = ${left}`.execute(
    db,
  )
  await waitForStatus([left, held], ['expired', 'expired'])
  const { rows } = await sql<{ told: string[] }>`
    select array_agg(data ->> 'reason' order by created_at, id) as told from events
    where lead_id = ${held} and type = 'lead.unassigned'`.execute(db)
  expect(rows[0]?.told).toEqual(['no_matching_order', 'expired'])
  await givenOrder(db, await givenBuyer(db), { states: ['AK'] })
  const [lead = ''] = await givenOffers(db, [{ state: 'AK' }])
  await pipeline.context.events.publish(await findEventsToEnqueueOfLeads(db, [lead]), { mark: 'now' })
  await waitForStatus([lead], ['assigned'])
  expect(await readLeads([left, held])).toEqual(['expired', 'expired'])
})

test('leads of a type are offered again when an order’s schedule opens, and at least every five minutes', async () => {
  const { db } = pipeline
  const readNext = async (): Promise<number> => {
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from offer_again_at - now())::float8 as seconds from lead_types where code = 'final_expense'`.execute(
      db,
    )
    return rows[0]?.seconds ?? 0
  }
  await givenOrder(db, await givenBuyer(db), { schedule: JSON.stringify({}) })
  await waitUntil(async () => (await readNext()) > 200, { what: 'Five minutes', timeoutMs: 30_000 })

  // Open for one minute, two minutes from now, on the weekday of that time.
  const { rows } = await sql<{ day: string; from: string; to: string }>`
    select lower(to_char(soon, 'FMDy')) as day, to_char(soon, 'HH24:MI') as "from", to_char(soon + interval '1 minute', 'HH24:MI') as "to"
    from (select (now() at time zone 'UTC') + interval '2 minutes' as soon) then_`.execute(db)
  const [{ day, from, to } = { day: '', from: '', to: '' }] = rows
  await givenOrder(db, await givenBuyer(db), { schedule: JSON.stringify({ [day]: [[from, to]] }) })
  await waitUntil(
    async () => {
      const next = await readNext()
      return next > 0 && next <= 120
    },
    { what: 'The opening', timeoutMs: 30_000 },
  )
})

test('unsold leads are withdrawn within a moment when their source is stopped', async () => {
  const { db } = pipeline
  const { id: source } = await insertSource(db, {
    name: 'Example source',
    owner_user_id: null,
    auto_assign: true,
    api_key_hash: randomBytes(32),
    api_key_prefix: 'example',
    created_by: null,
  })
  const others = await giveUnsold(1, { state: 'ND' })
  const leads = await giveUnsold(3, { state: 'ND', source_id: source })
  await db.transaction().execute((trx) => stopSource(trx, source, 'Sent forged leads'))
  await waitForStatus(
    leads,
    leads.map(() => 'rejected'),
  )

  await givenOrder(db, await givenBuyer(db), { states: ['ND'] })
  await waitForStatus(others, ['assigned'])
  expect(await readLeads(leads)).toEqual(leads.map(() => 'rejected'))
})
