// A lead that reached no webhook: its client is credited and loses it, and the next client buys it.
import { expect, test, vi } from 'vitest'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { findContradictions } from '#scripts/lab/market/find-contradictions.ts'
import { givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { givenConfig } from '#tests/support/given/pipeline.ts'
import { WITHIN } from '#tests/support/processes/carried.ts'
import { setUpCrashPoint, type CrashPoint } from '#tests/support/processes/crash-point.ts'

// Many processes run at once, and the machine may be slow.
vi.setConfig({ testTimeout: 240_000 })

async function expectTakenBackOnce(
  point: CrashPoint,
  failpoint: 'before-undelivered' | 'after-undelivered',
  creditsAtDeath: number,
): Promise<void> {
  const { context, db } = point.pipeline
  const givenBuyerAt = async (path: string, priority: number): Promise<string> => {
    const client = await givenBuyer(db)
    await givenOrder(db, client, { priority, when_undelivered: 'reoffer' })
    const endpoint_url = `${point.crm.url}${path}`
    await givenConfig(context, client, { endpoint_url, trigger_on_lead_assigned: true })
    return client
  }
  point.crm.answerWith(({ path }) => (path === '/refuses' ? 400 : 200))
  const first = await givenBuyerAt('/refuses', 1)
  const second = await givenBuyerAt('/takes', 2)
  const doomed = await point.worker({ FAILPOINTS: `${failpoint}=exit` })
  const [lead = ''] = await givenOffers(db, [{}])
  await context.events.publish(await findEventsToEnqueueOfLeads(db, [lead]), { mark: 'now' })
  await doomed.ended()
  const readCredits = () =>
    db
      .selectFrom('balance_ledger')
      .select(['client_user_id', 'amount'])
      .where('entry_type', '=', 'lead_return')
      .execute()
  expect(await readCredits()).toHaveLength(creditsAtDeath)
  // An interrupted check is repeated after 15 s; here it is due at once.
  await db.updateTable('undelivered_leads').set({ due_at: new Date() }).execute()

  await point.pipeline.startWorker()
  const readHolder = async () =>
    (await db.selectFrom('leads').select('assigned_to').where('id', '=', lead).executeTakeFirst())
      ?.assigned_to
  await waitUntil(async () => (await readHolder()) === second, {
    what: 'The second',
    timeoutMs: WITHIN.aLock,
  })
  expect(await readCredits()).toEqual([{ client_user_id: first, amount: '25.00' }])
  await point.crm.waitFor(({ path }) => path === '/takes')
  expect(await findContradictions(db)).toEqual([])
}

test.concurrent('a worker dies before it takes back an undelivered lead; its client is credited once, and the next client gets the lead', async (context) => {
  await expectTakenBackOnce(await setUpCrashPoint(context), 'before-undelivered', 0)
})

test.concurrent('a worker dies after it took back an undelivered lead; its client is credited once, and the next client gets the lead', async (context) => {
  await expectTakenBackOnce(await setUpCrashPoint(context), 'after-undelivered', 1)
})
