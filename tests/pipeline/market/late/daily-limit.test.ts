// The limit of a day for late credits, over several days: the time is passed in.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  hurryWaiting,
  lockLateCredits,
  takeWaiting,
  timeOfCredits,
  waitForLimit,
} from '#core/data/market/late/late-credits.ts'
import { findNeeds } from '#core/data/operations/needs.ts'
import { verifyBalances, verifyLateCredits } from '#core/data/operations/verify-rows.ts'
import { creditLateLeads, judgeLateLeads } from '#core/use-cases/market/credit-late-leads.ts'
import { findContradictions } from '#scripts/lab/market/find-contradictions.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { givenLate, givenLateBuyer, switchLateCredits } from './late-leads.ts'

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
  await switchLateCredits(pipeline.db, true)
})
afterAll(() => pipeline.close())
beforeEach(async () => {
  await sql`update late_leads set credit = 'none', wait_until = null where credit = 'waiting'`.execute(
    pipeline.db,
  )
})

const HOUR_MS = 3_600_000
const NOON = new Date('2028-06-01T16:00:00Z')
const later = (days: number, hours = 0): Date => new Date(NOON.getTime() + (days * 24 + hours) * HOUR_MS)
const setLimit = async (dollars: number) => {
  await sql`
    insert into marketplace_settings (key, value, changed_by, reason) values ('late_credit_daily_dollars', ${String(dollars)}, ${randomUUID()}, 'Test')
    on conflict (key) do update set value = excluded.value`.execute(pipeline.db)
}
async function creditAt(at: Date): Promise<void> {
  while (await judgeLateLeads(pipeline.db, 10)) continue
  while (await creditLateLeads(pipeline.db, at)) continue
}
/** Late leads at these prices, the oldest first, each of its own client. */
async function givenLates(prices: readonly string[], ago = 900_000): Promise<string[]> {
  const leads = []
  for (const [index, price] of prices.entries()) {
    const buyer = await givenLateBuyer(pipeline, '1000.00', price)
    leads.push((await givenLate(pipeline, buyer, { ago: ago - index * 1000 })).lead)
  }
  return leads
}
const creditsOf = async (leads: readonly string[]) => {
  const rows = await pipeline.db
    .selectFrom('late_leads')
    .select(['lead_id', 'credit'])
    .where('lead_id', 'in', leads)
    .execute()
  return leads.map((lead) => rows.find((row) => row.lead_id === lead)?.credit)
}
const [CREDITED, WAITING] = ['credited', 'waiting']

// The first tests, because credits of later days count for earlier ones.
test.each([
  ['an hour shorter', '2027-03-14T05:30:00Z', '2027-03-15T04:00:00Z'],
  ['an hour longer', '2027-11-07T04:30:00Z', '2027-11-08T05:00:00Z'],
])('on the day that is %s, credits wait until New York’s next midnight', async (_what, at, midnight) => {
  await setLimit(25)
  const leads = await givenLates(['25.00', '25.00'])
  await creditAt(new Date(at))
  expect(await creditsOf(leads)).toEqual([CREDITED, WAITING])
  const row = await pipeline.db
    .selectFrom('late_leads')
    .select('wait_until')
    .where('lead_id', '=', leads[1] ?? '')
    .executeTakeFirst()
  expect(row?.wait_until?.toISOString()).toBe(new Date(midnight).toISOString())
})

test('what a day’s limit leaves over is credited on the following days, the oldest first, each once', async () => {
  await setLimit(60)
  const leads = await givenLates(['25.00', '25.00', '25.00', '10.00'])
  // Two workers look at once.
  await Promise.all([creditAt(NOON), creditAt(NOON)])
  await creditAt(NOON)
  // The fourth would fit in, and must not overtake the third.
  expect(await creditsOf(leads)).toEqual([CREDITED, CREDITED, WAITING, WAITING])
  const more = await givenLates(['10.00'], 800_000)
  await creditAt(later(0, 1))
  expect(await creditsOf(more)).toEqual([WAITING])
  expect(await findNeeds(pipeline.db, 'late_credit')).toMatchObject({
    count: 3,
    items: [{ amount: '25.00' }, { amount: '10.00' }, { amount: '10.00' }],
  })
  // Before the day ends nothing changes, however often it is looked at.
  await creditAt(later(0, 11))
  expect(await creditsOf([...leads, ...more])).toEqual([CREDITED, CREDITED, WAITING, WAITING, WAITING])
  await creditAt(later(1))
  expect(await creditsOf([...leads, ...more])).toEqual(Array(5).fill(CREDITED))
  expect(await findNeeds(pipeline.db, 'late_credit')).toMatchObject({ count: 0 })
  expect(await verifyLateCredits(pipeline.db)).toMatchObject({ wrong: 0 })
  expect(await verifyBalances(pipeline.db)).toMatchObject({ wrong: 0 })
  expect(await findContradictions(pipeline.db)).toEqual([])
})

test('a credit above a whole day’s limit holds up no other, is shown to administrators, and is made once the limit is raised', async () => {
  await setLimit(60)
  const [large = '', ...others] = await givenLates(['80.00', '25.00', '25.00', '25.00'])
  for (const day of [10, 11, 12]) await creditAt(later(day))
  expect(await creditsOf([large, ...others])).toEqual([WAITING, CREDITED, CREDITED, CREDITED])
  expect(await findNeeds(pipeline.db, 'late_credit')).toMatchObject({
    count: 1,
    items: [{ amount: '80.00' }],
  })
  await setLimit(100)
  await pipeline.db.transaction().execute(hurryWaiting)
  await creditAt(later(13))
  expect(await creditsOf([large])).toEqual([CREDITED])
  const entries = await pipeline.db
    .selectFrom('balance_ledger')
    .select('amount')
    .where('entry_type', '=', 'late_credit')
    .where('amount', '=', '80.00')
    .execute()
  expect(entries).toHaveLength(1)
})

test('a limit that is raised while credits are judged by the earlier one is not missed', async () => {
  const { db } = pipeline
  await setLimit(10)
  const [lead = ''] = await givenLates(['25.00'])
  while (await judgeLateLeads(db, 10)) continue
  const raising = await db.transaction().execute(async (trx) => {
    expect(await lockLateCredits(trx)).toBe(true)
    const hurried = db.transaction().execute(hurryWaiting)
    const isWaiting = async () =>
      (await sql`select from pg_locks where locktype = 'advisory' and not granted`.execute(db)).rows.length >
      0
    await Promise.race([hurried, waitUntil(isWaiting, { what: 'The change of the limit' })])
    const waiting = await takeWaiting(trx, 10, timeOfCredits(undefined))
    await waitForLimit(trx, waiting, later(21))
    return { hurried }
  })
  await raising.hurried
  await setLimit(100)
  await creditAt(later(20))
  expect(await creditsOf([lead])).toEqual([CREDITED])
})
