import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TAKEN_BACK } from '#core/contract/market/lead-return.ts'
import { postEntries } from '#core/data/market/ledger.ts'
import { putUpForSale, readMovable } from '#core/data/market/sale/moved-leads.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { reassignLead } from '#core/use-cases/market/reassign-lead.ts'
import { takeLeadBack } from '#core/use-cases/market/take-lead-back.ts'
import { hashContact } from '#core/secrets/suppression-hash.ts'
import { findFeedFaults } from '#scripts/lab/market/find-feed-faults.ts'
import { findContradictions } from '#scripts/lab/market/find-contradictions.ts'
import { freshState, givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'

let pipeline: TestPipeline
const by = randomUUID()
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(async () => {
  expect(await findFeedFaults(pipeline.db)).toEqual([])
  await pipeline.close()
})

/** Sells a lead to a first client; a second one has an order for it too, which is not tried first. */
async function givenSold(second: Parameters<typeof givenOrder>[2] = {}, balance = '1000.00') {
  const { db, context } = pipeline
  const state = freshState()
  const [holder, buyer] = [await givenBuyer(db), await givenBuyer(db, balance)]
  await givenOrder(db, holder, { states: [state], priority: 1 })
  const order = await givenOrder(db, buyer, { states: [state], priority: 9, price: '40.00', ...second })
  const email = `${randomUUID()}@example.com`
  const [lead = ''] = await givenOffers(db, [{ state, email }])
  expect(await assignLeads(context.market, [lead])).toMatchObject([{ client_user_id: holder }])
  return { lead, email, state, holder, buyer, order }
}

const move = async (lead: string, order: string) =>
  await reassignLead(pipeline.context.market, { lead_id: lead, order_id: order, by }, async () => {})
const balanceOf = async (client: string) =>
  (
    await pipeline.db
      .selectFrom('profiles')
      .select('balance')
      .where('user_id', '=', client)
      .executeTakeFirst()
  )?.balance
const holderOf = async (lead: string) =>
  (await pipeline.db.selectFrom('leads').select('assigned_to').where('id', '=', lead).executeTakeFirst())
    ?.assigned_to

test('a reassigned lead is credited to its client, paid by the other, and both are told', async () => {
  const { lead, holder, buyer, order } = await givenSold()
  const moved = await move(lead, order)

  expect(moved).toMatchObject({ price: '40.00', before: { client_user_id: holder, credited: '25.00' } })
  expect([await balanceOf(holder), await balanceOf(buyer)]).toEqual(['1000.00', '960.00'])
  const { rows } = await sql`
    select (select jsonb_agg(jsonb_build_array(a.client_user_id, a.state) order by a.id) from lead_assignments a where a.lead_id = ${lead}) as had,
      (select array_agg(template order by template) from mails where data ->> 'lead_id' = ${lead}) as told,
      (select array_agg(type order by id) from events where lead_id = ${lead} and type in ('lead.returned', 'lead.assigned')) as events`.execute(
    pipeline.db,
  )
  expect(rows).toEqual([
    {
      had: [
        [holder, 'revoked'],
        [buyer, 'active'],
      ],
      told: ['lead_given', 'lead_taken_back'],
      events: ['lead.assigned', 'lead.returned', 'lead.assigned'],
    },
  ])
  expect(await findContradictions(pipeline.db)).toEqual([])
})

test('of two concurrent reassignments of a lead to one order, one moves the money and the other is refused', async () => {
  const { lead, holder, buyer, order } = await givenSold()
  const done = await Promise.allSettled([move(lead, order), move(lead, order)])

  expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(done.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } })
  expect([await balanceOf(holder), await balanceOf(buyer)]).toEqual(['1000.00', '960.00'])
  expect(await findContradictions(pipeline.db)).toEqual([])
})

test('a refused reassignment leaves no money in the cache of orders: the next lead is judged by the real balance', async () => {
  const { db, context } = pipeline
  const { lead, state, holder, order } = await givenSold({}, '10.00')
  await postEntries(db, [
    { client_user_id: holder, entry_type: 'manual_debit', amount: '-970.00', note: 'Test' },
  ])
  await expect(move(lead, order)).rejects.toMatchObject({ code: 'conflict' })
  const [next = ''] = await givenOffers(db, [{ state }])

  expect(await assignLeads(context.market, [next])).toEqual([])
  expect(await balanceOf(holder)).toBe('5.00')
})

test('concurrent reassignments to two orders leave one holder, and every other client has its money back', async () => {
  const { lead, state, holder, buyer, order } = await givenSold()
  const third = await givenBuyer(pipeline.db)
  const other = await givenOrder(pipeline.db, third, { states: [state], priority: 9 })
  const done = await Promise.allSettled([move(lead, order), move(lead, other)])

  expect(done.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
  const has = await holderOf(lead)
  for (const client of [holder, buyer, third])
    if (client !== has) expect(await balanceOf(client)).toBe('1000.00')
  expect(await findContradictions(pipeline.db)).toEqual([])
})

test('an order that may not have the lead leaves lead and money as they were, and the refusal says why', async () => {
  const { db, context } = pipeline
  const cases: { why: string; given: () => Promise<{ lead: string; holder: string; order: string }> }[] = [
    { why: 'balance', given: () => givenSold({}, '10.00') },
    { why: 'state', given: () => givenSold({ states: ['CA'] }) },
    { why: 'another type', given: () => givenSold({ lead_type: 'medicare' }) },
    { why: 'paused', given: () => givenSold({ paused_by: 'client' }) },
    {
      why: 'suppression list',
      given: async () => {
        const sold = await givenSold()
        const [hash = Buffer.of()] = hashContact(context.market.suppressionKeys, 'email', sold.email)
        await db
          .insertInto('suppressions')
          .values({ kind: 'email', hash, reason: 'opted_out', note: null, created_by: null })
          .execute()
        return sold
      },
    },
    {
      why: 'The same person was sold',
      given: async () => {
        const sold = await givenSold()
        // The other sale is older than the resale window's start of this lead's own, but within the duplicates'.
        const [earlier = ''] = await givenOffers(db, [{ state: sold.state, email: sold.email }])
        await sql`
          update leads set status = 'assigned', assigned_to = ${sold.buyer}, assigned_at = now(), order_id = ${sold.order}, price_charged = 0
          where id = ${earlier}`.execute(db)
        await sql`delete from events where lead_id = ${earlier}`.execute(db)
        return sold
      },
    },
  ]
  await db
    .insertInto('lead_types')
    .values({ code: 'medicare', label: 'Medicare', price: '25.00', floor_price: '10.00' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  for (const { why, given } of cases) {
    const { lead, holder, order } = await given()
    await expect(move(lead, order), why).rejects.toThrow(why)
    expect(await holderOf(lead), why).toBe(holder)
    expect(await balanceOf(holder), why).toBe('975.00')
  }
})

test('a client that has or had a lead does not get it again, by no order of its own', async () => {
  const { db, context } = pipeline
  const { lead, holder, order, state } = await givenSold()
  const again = await givenOrder(db, holder, { states: [state], priority: 1 })
  await expect(move(lead, again)).rejects.toMatchObject({ code: 'conflict' })
  expect([await holderOf(lead), await balanceOf(holder)]).toEqual([holder, '975.00'])

  await move(lead, order)
  await expect(move(lead, again)).rejects.toMatchObject({ code: 'conflict' })
  expect(await balanceOf(holder)).toBe('1000.00')
  await db.transaction().execute(async (trx) => {
    const held = (await readMovable(trx, lead))?.holder
    if (!held) throw new Error('Nobody holds the lead')
    await takeLeadBack(trx, { lead_id: lead, ...held }, { reason: TAKEN_BACK, by, state: 'returned' })
    await putUpForSale(trx, lead, 1)
  })
  expect(await assignLeads(context.market, [lead])).toEqual([])
  expect((await findContradictions(db)).filter(({ what }) => what === 'twice')).toEqual([])
})
