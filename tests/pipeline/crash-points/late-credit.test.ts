// A lead that comes late by a real outage, and a worker that is killed while it credits it: one credit.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import { uuidAt } from '#core/domain/uuid-at.ts'
import { findContradictions } from '#scripts/lab/market/find-contradictions.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenBuyer, givenOrder } from '#tests/support/given/market.ts'
import { givenConfig } from '#tests/support/given/pipeline.ts'
import { WITHIN } from '#tests/support/processes/carried.ts'
import { setUpCrashPoint } from '#tests/support/processes/crash-point.ts'

// Many processes run at once, and the machine may be slow.
vi.setConfig({ testTimeout: 240_000 })

test('a worker is killed while it credits a late lead; another credits it once', async (context) => {
  const point = await setUpCrashPoint(context)
  const { context: worker, db } = point.pipeline
  await db.updateTable('lead_types').set({ late_credit: true }).execute()
  const client = await givenBuyer(db)
  await givenOrder(db, client, { states: ['AK'] })
  await givenConfig(worker, client, { endpoint_url: `${point.crm.url}/late`, trigger_on_lead_assigned: true })
  // It came a minute ago, while no worker ran.
  const received = new Date(Date.now() - 60_000)
  const lead = uuidAt(received, randomUUIDv7())
  await db
    .insertInto('leads')
    .values({ id: lead, lead_type: 'final_expense', state: 'AK', created_at: received })
    .execute()
  await db
    .insertInto('events')
    .values({ type: 'lead.offered', lead_id: lead, created_at: received, data: '{}' })
    .execute()
  const doomed = await point.worker({ FAILPOINTS: 'before-late-credit=exit' })
  await worker.events.publish(await findEventsToEnqueueOfLeads(db, [lead]), { mark: 'now' })
  await point.crm.waitFor(({ path }) => path === '/late')
  await waitUntil(
    async () => {
      // Notes wait for a while, until a jump of the clock would be known; here they are due at once.
      const { numUpdatedRows } = await db
        .updateTable('late_starts')
        .set({ check_at: new Date(0) })
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    { what: 'The note', timeoutMs: WITHIN.aLock },
  )
  await doomed.ended()
  const readCredits = async () =>
    await db
      .selectFrom('balance_ledger')
      .select(['client_user_id', 'amount'])
      .where('entry_type', '=', 'late_credit')
      .execute()
  expect(await readCredits()).toEqual([])

  await Promise.all([point.worker(), point.worker()])
  await waitUntil(async () => (await readCredits()).length > 0, {
    what: 'The credit',
    timeoutMs: WITHIN.aLock,
  })
  await waitUntil(
    async () => (await sql`select from late_leads where credit = 'waiting'`.execute(db)).rows.length === 0,
    { what: 'The end', timeoutMs: WITHIN.aLock },
  )
  expect(await readCredits()).toEqual([{ client_user_id: client, amount: '25.00' }])
  const kept = await db.selectFrom('late_leads').selectAll().executeTakeFirstOrThrow()
  expect(Number(kept.ours_ms)).toBeGreaterThanOrEqual(60_000)
  expect(await findContradictions(db)).toEqual([])
})
