import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assignLeads } from '#core/market/assign-leads.ts'
import {
  findContradictions,
  givenBuyer,
  givenOffers,
  givenOrder,
  topUp,
} from '#tests/support/given/market.ts'
import { startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'

const CLIENTS = 40
const CALLERS = 32
const LEADS = 1600
const CAP = 12

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline({ DATABASE_POOL_SIZE: '40' }, { worker: false })
  const types = ['medicare', 'auto'].map((code) => ({ code, label: code, price: '25', floor_price: '10' }))
  await pipeline.db.insertInto('lead_types').values(types).execute()
})
afterAll(() => pipeline.close())

/** Takes leads from the front, so many at a time, until there are none. */
async function call(leads: string[], together: number): Promise<void> {
  for (let ids = leads.splice(0, together); ids.length > 0; ids = leads.splice(0, together))
    await assignLeads(pipeline.context.market, ids)
}

/** Does what clients and administrators do, again and again, until it is told to stop. */
async function disturb(signal: AbortSignal, clients: string[], orders: string[]): Promise<void> {
  const { db } = pipeline
  for (let round = 0; !signal.aborted; round += 1) {
    const [client = '', order = ''] = [clients[round % CLIENTS], orders[(round * 7) % orders.length]]
    await topUp(db, client, '50.00')
    await sql`
      update orders set paused_by = case when paused_by is null then 'client' end, version = version + 1, updated_at = now()
      where id = ${order}`.execute(db)
    const next = orders[(round * 11) % orders.length]
    await sql`
      update orders set daily_cap = ${5 + (round % 9)}, version = version + 1,
        schedule = case when schedule is null then '{"mon": []}'::jsonb end where id = ${next}`.execute(db)
    await sql`update profiles set status = case status when 'active' then 'suspended' else 'active' end
      where user_id = ${clients[(round * 3) % CLIENTS]}`.execute(db)
    await sleep(2)
  }
}

test('many callers, by many leads and by single ones, with everything changing beside them, sell nothing twice and nobody too much', async () => {
  const { db } = pipeline
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => givenBuyer(db, '150.00')))
  const orders = await Promise.all(
    clients.flatMap((client, index) => [
      givenOrder(db, client, { total_cap: CAP, lead_type: 'final_expense' }),
      ...(index % 2 === 0 ? [givenOrder(db, client, { lead_type: 'medicare', states: ['CA'] })] : []),
    ]),
  )
  // Of four leads two are one person's, in different batches.
  const offers = Array.from({ length: LEADS }, (_none, index) => ({
    phone: `+1202${String(5_550_000 + (index % 4 === 3 ? (index * 7) % LEADS : index))}`,
    lead_type: index % 5 === 4 ? 'medicare' : 'final_expense',
  }))
  const leads = await givenOffers(db, offers)
  const singly = leads.splice(0, LEADS / 4)
  const stopping = new AbortController()
  const disturbing = disturb(stopping.signal, clients, orders)
  const callers = Array.from({ length: CALLERS }, (_none, index) =>
    index % 2 === 0 ? call(singly, 1) : call(leads, 20),
  )
  await Promise.all(callers)
  stopping.abort()
  await disturbing
  expect(await findContradictions(db)).toEqual([])
  const { rows } = await sql<{ open: number; sold: number; duplicate: number }>`
    select count(*) filter (where status = 'new')::int as open, count(*) filter (where status = 'assigned')::int as sold,
      count(*) filter (where status = 'duplicate')::int as duplicate
    from leads`.execute(db)
  expect(rows[0]?.open).toBe(0)
  expect(rows[0]?.sold).toBeGreaterThan(100)
  expect(rows[0]?.duplicate).toBeGreaterThan(10)
})

test('clients get their part by weight, whoever decides', async () => {
  const { db } = pipeline
  await sql`update orders set deleted_at = now()`.execute(db)
  const weights = [2, 3, 1]
  const orders = await Promise.all(
    weights.map(async (weight) =>
      givenOrder(db, await givenBuyer(db, '20000.00'), { weight, lead_type: 'auto' }),
    ),
  )
  const leads = await givenOffers(
    db,
    Array.from({ length: 600 }, () => ({ lead_type: 'auto' })),
  )
  await Promise.all([call(leads, 50), call(leads, 1), call(leads, 7), call(leads, 1)])
  const { rows } = await sql<{ total: number }>`
    select total_leads as total from order_tallies where order_id = any(${orders}::uuid[])
    order by array_position(${orders}::uuid[], order_id)`.execute(db)
  const parts = rows.map(({ total }) => total / 600)
  for (const [index, part] of parts.entries())
    expect(Math.abs(part - (weights[index] ?? 0) / 6)).toBeLessThan(0.01)
  expect(await findContradictions(db)).toEqual([])
})
