// Crashes between the offer of a lead and its sale.
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { findContradictions } from '#scripts/lab/market/find-contradictions.ts'
import { givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { WITHIN } from '#tests/support/processes/carried.ts'
import { setUpCrashPoint, type CrashPoint } from '#tests/support/processes/crash-point.ts'
import { givenConfig } from '#tests/support/given/pipeline.ts'

// Many processes run at once, and the machine may be slow.
vi.setConfig({ testTimeout: 240_000 })

const LEADS = 20

/** Offers leads whose events are in Redis, and creates a client who buys all of them. */
async function offerLeads({ pipeline: { context, db }, crm }: CrashPoint): Promise<void> {
  const client = await givenBuyer(db)
  await givenOrder(db, client)
  await givenConfig(context, client, { endpoint_url: crm.url, trigger_on_lead_assigned: true })
  const leads = await givenOffers(
    db,
    Array.from({ length: LEADS }, () => ({})),
  )
  const events = await findEventsToEnqueueOfLeads(db, leads)
  expect(await context.events.publish(events, { mark: 'now' })).toBe(true)
}

async function countSold({ pipeline: { db } }: CrashPoint): Promise<unknown> {
  const { rows } = await sql<{ sold: number }>`
    select count(*)::int as sold from balance_ledger where entry_type = 'lead_purchase'`.execute(db)
  return rows[0]?.sold
}

/** Checks that each lead is sold, charged and delivered once. */
async function expectEachSold(point: CrashPoint): Promise<void> {
  await waitUntil(() => point.crm.requests.length >= LEADS, { what: 'The leads', timeoutMs: WITHIN.aLock })
  const delivered = point.crm.requests.map(({ body }) => (JSON.parse(body) as { lead_id: string }).lead_id)
  expect([delivered.length, new Set(delivered).size]).toEqual([LEADS, LEADS])
  expect(await countSold(point)).toBe(LEADS)
  expect(await findContradictions(point.pipeline.db)).toEqual([])
}

test.concurrent('a worker dies after it decided and debited leads, before its commit; each lead is sold and delivered once', async (context) => {
  const point = await setUpCrashPoint(context)
  const doomed = await point.worker({ FAILPOINTS: 'before-assign=exit' })
  await offerLeads(point)
  await doomed.ended()
  expect(await countSold(point)).toBe(0)
  await point.pipeline.startWorker()
  await expectEachSold(point)
})

test.concurrent('a worker dies after it sold leads and before it planned them; each lead is sold and delivered once', async (context) => {
  const point = await setUpCrashPoint(context)
  const doomed = await point.worker({ FAILPOINTS: 'after-assign=exit' })
  await offerLeads(point)
  await doomed.ended()
  expect(await countSold(point)).toBeGreaterThan(0)
  await point.pipeline.startWorker()
  await expectEachSold(point)
})

test.concurrent('a worker dies after it planned sold leads and before it sent a wake-up; each lead is sold and delivered once', async (context) => {
  const point = await setUpCrashPoint(context)
  const doomed = await point.worker({ FAILPOINTS: 'after-plan=exit' })
  await offerLeads(point)
  await doomed.ended()
  expect(await countSold(point)).toBeGreaterThan(0)
  expect(point.crm.requests).toEqual([])
  await point.pipeline.startWorker()
  await expectEachSold(point)
})
