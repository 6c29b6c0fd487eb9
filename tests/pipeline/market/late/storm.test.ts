// After an outage of an hour: two thousand late leads are credited in batches, exactly, and sales go on meanwhile.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { verifyBalances, verifyLateCredits } from '#core/data/operations/verify-rows.ts'
import { creditLateLeads, judgeLateLeads } from '#core/use-cases/market/credit-late-leads.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { findContradictions } from '#scripts/lab/market/find-contradictions.ts'
import { givenOffers } from '#tests/support/given/market.ts'
import { startPipeline } from '#tests/support/given/pipeline.ts'
import { givenLateBuyer, givenStorm, switchLateCredits } from './late-leads.ts'

vi.setConfig({ testTimeout: 120_000 })
const LEADS = 2_000
const CLIENTS = 20

test('two thousand late leads of twenty clients are credited once each, while leads are sold', async ({
  onTestFinished,
}) => {
  const pipeline = await startPipeline({}, { worker: false })
  onTestFinished(() => pipeline.close())
  const { db, context } = pipeline
  await switchLateCredits(db, true)
  await sql`insert into marketplace_settings (key, value, changed_by, reason)
    values ('late_credit_daily_dollars', '999999', ${crypto.randomUUID()}, 'Test')`.execute(db)
  const buyers = []
  for (let n = 0; n < CLIENTS; n += 1) buyers.push(await givenLateBuyer(pipeline, '20000.00'))
  for (const buyer of buyers) await givenStorm(pipeline, buyer, LEADS / CLIENTS)

  const [{ state } = { state: '' }] = buyers
  const done = new AbortController()
  async function creditAll(): Promise<void> {
    for (;;) {
      await judgeLateLeads(db, 10)
      await creditLateLeads(db)
      const { rows } = await sql<{ left: number }>`
        select (select count(*) from late_starts)::int + (select count(*) from late_leads where credit = 'waiting')::int as left`.execute(
        db,
      )
      if (rows[0]?.left === 0) return
    }
  }
  async function sellMeanwhile(): Promise<number> {
    let sold = 0
    while (!done.signal.aborted) {
      const leads = await givenOffers(db, [{ state }])
      await assignLeads(context.market, leads)
      sold += 1
      await sleep(50)
    }
    return sold
  }
  const selling = sellMeanwhile()
  // Two workers do it at once.
  await Promise.all([creditAll(), creditAll()])
  done.abort()
  const sold = await selling

  const { rows } = await sql`
    select count(*)::int as entries, count(distinct reference_id)::int as leads, sum(amount)::text as dollars
    from balance_ledger where entry_type = 'late_credit'`.execute(db)
  expect(rows).toEqual([{ entries: LEADS, leads: LEADS, dollars: `${LEADS * 25}.00` }])
  expect(sold).toBeGreaterThan(10)
  expect(await verifyLateCredits(db)).toMatchObject({ looked: LEADS, wrong: 0 })
  expect(await verifyBalances(db)).toMatchObject({ wrong: 0 })
  const contradictions = await findContradictions(db)
  expect(
    contradictions.filter(({ what }) => what !== 'tally' && what !== 'told' && what !== 'person'),
  ).toEqual([])
})
