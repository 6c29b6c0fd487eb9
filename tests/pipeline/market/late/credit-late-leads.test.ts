// Late lead, money back (docs/product.md §10): what counts, what does not, and never twice.
import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { changeLeadType } from '#core/data/market/lead-types.ts'
import { countMarket } from '#core/data/operations/overview/market-hours.ts'
import { verifyBalances, verifyLateCredits } from '#core/data/operations/verify-rows.ts'
import { creditLateLeads, judgeLateLeads } from '#core/use-cases/market/credit-late-leads.ts'
import { takeLeadBack } from '#core/use-cases/market/take-lead-back.ts'
import { lockLead } from '#core/data/market/settle-return.ts'
import { findContradictions } from '#scripts/lab/market/find-contradictions.ts'
import { givenConfig, startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { createWatchClock } from '#worker/housekeeping/watch/watch-clock.ts'
import {
  givenAttempt,
  givenLate,
  givenLateBuyer,
  readCost,
  switchLateCredits,
  type Way,
} from './late-leads.ts'

let pipeline: TestPipeline
let buyer: Awaited<ReturnType<typeof givenLateBuyer>>
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())
beforeEach(async () => {
  await switchLateCredits(pipeline.db, true)
  await sql`delete from marketplace_settings where key = 'late_credit_daily_dollars'`.execute(pipeline.db)
  await sql`truncate clock_jumps`.execute(pipeline.db)
  buyer = await givenLateBuyer(pipeline)
})

const ENDPOINT_LIMIT = 10
async function creditAll(): Promise<void> {
  while (await judgeLateLeads(pipeline.db, ENDPOINT_LIMIT)) continue
  while (await creditLateLeads(pipeline.db)) continue
}
const find = async (lead: string) =>
  await pipeline.db.selectFrom('late_leads').selectAll().where('lead_id', '=', lead).executeTakeFirst()
const balanceOf = async (client: string) =>
  (
    await pipeline.db
      .selectFrom('profiles')
      .select('balance')
      .where('user_id', '=', client)
      .executeTakeFirst()
  )?.balance
const setLimit = async (dollars: number) => {
  await sql`
    insert into marketplace_settings (key, value, changed_by, reason) values ('late_credit_daily_dollars', ${String(dollars)}, ${randomUUID()}, 'Test')
    on conflict (key) do update set value = excluded.value`.execute(pipeline.db)
}
const takeBack = async (lead: string, assignment: string, client: string) =>
  await pipeline.db.transaction().execute(async (trx) => {
    await lockLead(trx, lead)
    return await takeLeadBack(
      trx,
      { lead_id: lead, assignment_id: assignment, client_user_id: client },
      { reason: 'recalled', by: null, state: 'returned' },
    )
  })

test('a lead that came late because of us is credited once, with its stations', async () => {
  const { lead, assignment } = await givenLate(pipeline, buyer, { sold: 6000, planned: 6100, begun: 6500 })
  await creditAll()
  expect(await find(lead)).toMatchObject({
    credit: 'credited',
    price: '25.00',
    ours_ms: '6500',
    parts: [
      { part: 'sale', ms: 6000, is_ours: true },
      { part: 'planning', ms: 100, is_ours: true },
      { part: 'sending', ms: 400, is_ours: true },
    ],
  })
  expect(await balanceOf(buyer.client)).toBe('1000.00')

  // The same note once more, and the same row set back by hand: the database refuses a second entry.
  await sql`update late_leads set credit = 'waiting', credited_at = null, wait_until = now() where lead_id = ${lead}`.execute(
    pipeline.db,
  )
  await expect(creditAll()).rejects.toMatchObject({ constraint: 'balance_ledger_late_once' })
  await sql`update late_leads set credit = 'credited', credited_at = now(), wait_until = null where assignment_id = ${assignment}`.execute(
    pipeline.db,
  )
  expect(await balanceOf(buyer.client)).toBe('1000.00')
  expect(await findContradictions(pipeline.db)).toEqual([])
})

const NOT_OURS: [why: string, way: Way][] = [
  ['within five seconds', { sold: 2000, begun: 4900 }],
  ['no order would take it', { refused: 1000, sold: 60_000, begun: 61_000 }],
  [
    'it was put off: sending hours, a pause, an open breaker',
    { sold: 1000, planned: 1000, due: 60_000, begun: 61_000 },
  ],
]
test.each(NOT_OURS)('nothing is credited if %s', async (_why, way) => {
  const { lead } = await givenLate(pipeline, buyer, way)
  await creditAll()
  expect(await find(lead)).toBeUndefined()
  expect(await balanceOf(buyer.client)).toBe('975.00')
})

test('while the client’s own requests take all slots, the time is left out', async () => {
  const { lead } = await givenLate(pipeline, buyer, { sold: 100, planned: 100, begun: 9000 })
  const { lead: other } = await givenLate(pipeline, buyer, { ago: 900_000, sold: 100, begun: 9000 })
  const at = new Date(Date.now() - 600_000)
  for (let n = 0; n < ENDPOINT_LIMIT; n += 1)
    await givenAttempt(pipeline.db, {
      client: buyer.client,
      webhook: buyer.webhook,
      lead: randomUUIDv7(),
      delivery: randomUUIDv7(),
      event: randomUUIDv7(),
      at,
      ms: 8000,
    })
  await creditAll()
  expect(await find(lead)).toBeUndefined()
  expect(await find(other)).toMatchObject({ credit: 'credited' })
})

test('a lead that waits behind slow requests to its own endpoint, or behind any once that showed strain, is not late', async () => {
  const { db } = pipeline
  const ahead = {
    client: buyer.client,
    lead: randomUUIDv7(),
    delivery: randomUUIDv7(),
    event: randomUUIDv7(),
  }
  const at = new Date(Date.now() - 600_000)
  const behind = async (webhook: string, ms: number) => {
    await givenAttempt(db, { ...ahead, webhook, at, ms })
    const { lead } = await givenLate(pipeline, buyer, { sold: 100, begun: 9000 })
    await creditAll()
    return (await find(lead))?.credit
  }
  // It only answers slowly, as a client could let it on purpose.
  expect(await behind(buyer.webhook, 8000)).toBeUndefined()
  await sql`delete from webhook_delivery_logs where webhook_config_id = ${buyer.webhook}`.execute(db)
  // Another endpoint of the client did not keep it back.
  const { id: other } = await givenConfig(pipeline.context, buyer.client, {
    endpoint_url: 'https://slow.example.com/',
  })
  expect(await behind(other, 8000)).toBe('credited')

  await sql`delete from webhook_delivery_logs where webhook_config_id = ${buyer.webhook}`.execute(db)
  for (let n = 0; n < 4; n += 1)
    await givenAttempt(db, {
      ...ahead,
      webhook: buyer.webhook,
      at: new Date(at.getTime() + 1900 * (n + 1)),
      ms: 1900,
    })
  expect(await behind(other, 100)).toBe('credited')
  await sql`update webhook_delivery_logs set response_status = 503 where webhook_config_id = ${buyer.webhook}`.execute(
    db,
  )
  expect(await behind(other, 100)).toBeUndefined()
})

test('leads that were sold before credits were switched on get none', async () => {
  const { db } = pipeline
  const before = await givenLate(pipeline, buyer)
  await switchLateCredits(db, false)
  await db.transaction().execute((trx) => changeLeadType(trx, 'final_expense', { late_credit: true }))
  await creditAll()
  expect(await find(before.lead)).toMatchObject({ credit: 'none', reason: 'off' })
  // A change of something else does not begin the promise anew.
  await sql`update lead_types set late_credit_since = now() - interval '1 hour'`.execute(db)
  await db.transaction().execute((trx) => changeLeadType(trx, 'final_expense', { late_credit: true }))
  const after = await givenLate(pipeline, buyer)
  await creditAll()
  expect(await find(after.lead)).toMatchObject({ credit: 'credited' })
  await sql`update lead_types set late_credit_since = null`.execute(db)
})

test('a lead without a price, and one of a type without the promise, are only noted', async () => {
  const free = await givenLateBuyer(pipeline)
  const { lead: first, assignment } = await givenLate(pipeline, free)
  await sql`update lead_assignments set price = 0 where id = ${assignment}`.execute(pipeline.db)
  await creditAll()
  await switchLateCredits(pipeline.db, false)
  const { lead: second } = await givenLate(pipeline, buyer)
  await creditAll()
  expect([await find(first), await find(second)]).toMatchObject([
    { credit: 'none', reason: 'no_price' },
    { credit: 'none', reason: 'off' },
  ])
  expect(await balanceOf(buyer.client)).toBe('975.00')
  await sql`update lead_assignments set price = 25 where id = ${assignment}`.execute(pipeline.db)
})

test('a return after a credit pays back nothing more, a return before it leaves nothing to credit, and the sums agree', async () => {
  const before = await givenLate(pipeline, buyer)
  expect(await takeBack(before.lead, before.assignment, buyer.client)).toEqual({ credited: '25.00' })
  const after = await givenLate(pipeline, buyer)
  await creditAll()
  expect(await balanceOf(buyer.client)).toBe('1000.00')
  expect(await find(before.lead)).toMatchObject({ credit: 'none', reason: 'returned' })
  expect(await takeBack(after.lead, after.assignment, buyer.client)).toEqual({ credited: '0.00' })
  expect(await balanceOf(buyer.client)).toBe('1000.00')

  // Returned while it waits for its credit.
  await setLimit(0)
  const between = await givenLate(pipeline, buyer)
  await creditAll()
  expect(await takeBack(between.lead, between.assignment, buyer.client)).toEqual({ credited: '25.00' })
  await setLimit(500)
  await sql`update late_leads set wait_until = now() where credit = 'waiting'`.execute(pipeline.db)
  await creditAll()
  expect(await find(between.lead)).toMatchObject({ credit: 'none', reason: 'returned' })
  expect(await balanceOf(buyer.client)).toBe('1000.00')
  expect(await readCost(pipeline.db, buyer.client)).toEqual({ figures: '0.00', ledger: '0.00' })
  await givenLate(pipeline, buyer)
  expect(await readCost(pipeline.db, buyer.client)).toEqual({ figures: '25.00', ledger: '25.00' })
  await creditAll()
  expect(await readCost(pipeline.db, buyer.client)).toEqual({ figures: '0.00', ledger: '0.00' })
  expect(await findContradictions(pipeline.db)).toEqual([])
  expect(await verifyLateCredits(pipeline.db)).toMatchObject({ wrong: 0 })
  expect(await verifyBalances(pipeline.db)).toMatchObject({ wrong: 0 })
})

test('the overview counts a late credit once, also when its lead is returned later', async () => {
  const { db } = pipeline
  const span = { begins: new Date(Date.now() - 3_600_000), ends: new Date(Date.now() + 3_600_000) }
  const count = async () =>
    (await countMarket(db, span)).reduce((sum, { credits }) => sum + Number(credits), 0)
  const before = await count()
  const { lead, assignment } = await givenLate(pipeline, buyer)
  await creditAll()
  expect(await count()).toBe(before + 25)
  await takeBack(lead, assignment, buyer.client)
  expect(await count()).toBe(before + 25)
})

test('credits and returns of the same leads at once pay each lead back exactly once', async () => {
  const leads = []
  for (let n = 0; n < 20; n += 1) leads.push(await givenLate(pipeline, buyer))
  await Promise.all([
    ...leads.map(({ lead, assignment }) => takeBack(lead, assignment, buyer.client)),
    ...Array.from({ length: 4 }, () => creditAll()),
  ])
  await creditAll()
  expect(await balanceOf(buyer.client)).toBe('1000.00')
  expect(await findContradictions(pipeline.db)).toEqual([])
})

test('a clock that jumped credits nothing: forward, back, or by years', async () => {
  const { db, context } = pipeline
  const forward = await givenLate(pipeline, buyer)
  // A worker saw the database's clock pass an hour while its own passed ten seconds.
  let own = 0
  const clock = createWatchClock({ ...context, db }, () => own)
  await clock()
  own += 10_000
  await clock()
  const { rows: none } = await sql`select id from clock_jumps`.execute(db)
  expect(none).toHaveLength(1)
  await sql`update clock_jumps set began_at = now() - interval '599 seconds', ended_at = now() - interval '1 second'`.execute(
    db,
  )
  await creditAll()
  expect(await find(forward.lead)).toMatchObject({ credit: 'unclear', reason: 'clock_jumped' })

  await sql`truncate clock_jumps`.execute(db)
  const back = await givenLate(pipeline, buyer, { sold: 20_000, planned: 10_000, begun: 30_000 })
  const absurd = await givenLate(pipeline, buyer, { ago: 3_600_000, sold: 25 * 3_600_000 })
  await creditAll()
  // The clock went back by hours between the sale and the attempt.
  const hidden = await givenLate(pipeline, buyer, { sold: 1000, planned: 1000, begun: -3 * 3_600_000 })
  await creditAll()
  expect([await find(back.lead), await find(absurd.lead), await find(hidden.lead)]).toMatchObject([
    { credit: 'unclear', reason: 'times_out_of_order' },
    { credit: 'unclear', reason: 'too_long' },
    { credit: 'unclear', reason: 'times_out_of_order' },
  ])
  expect(await balanceOf(buyer.client)).toBe('900.00')
})
