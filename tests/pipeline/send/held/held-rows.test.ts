import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { cancelAllDeliveries } from '#core/data/webhooks/deliveries/cancel-deliveries.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { countWaiting } from '#tests/support/given/lock-waits.ts'
import { SLOTS, startNeighbours, type Neighbours } from '#tests/support/given/neighbours.ts'

vi.setConfig({ testTimeout: 120_000 })
/** Less than the longest wait of a statement for a lock, which is 30 s. */
const SOON = { timeoutMs: 25_000 }
const UNDER_WAY = 4
const LEADS = 3 * SLOTS

let neighbours: Neighbours
beforeAll(async () => {
  neighbours = await startNeighbours()
})
afterAll(() => neighbours.close())

test('answers whose deliveries are locked for a long time delay no other client', async () => {
  const { pipeline, crm, givenKnown, sendLeads, arrived, answer } = neighbours
  const [erased, other] = [await givenKnown('erased', 1), await givenKnown('other', 1)]
  const answers = Array.from({ length: UNDER_WAY }, () => Promise.withResolvers<void>())
  for (const [index, { promise }] of answers.entries()) {
    answer('erased', { status: 200, after: promise })
    await sendLeads(erased, 1)
    await waitUntil(() => arrived('erased') === 2 + index, { what: 'a request under way' })
  }

  await pipeline.db.transaction().execute(async (trx) => {
    // Held as long as an account's erasure needs to cancel all waiting deliveries.
    await cancelAllDeliveries(trx, erased, erased)
    for (const { resolve } of answers) {
      const before = await countWaiting(pipeline.db)
      resolve()
      // Batches run one after the other, if they wait at all.
      await waitUntil(async () => (await countWaiting(pipeline.db)) > before, { timeoutMs: 2000 }).catch(
        () => undefined,
      )
    }
    await sendLeads(other, LEADS)
    await waitUntil(() => arrived('other') === 1 + LEADS, { ...SOON, what: 'the leads of the other' })
  })
  await waitUntil(async () => {
    const { rows } = await sql<{ logs: number }>`
      select count(*)::int as logs from webhook_delivery_logs`.execute(pipeline.db)
    return rows[0]?.logs === crm.requests.length
  })
  expect(arrived('erased')).toBe(1 + UNDER_WAY)
})
