import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SHARE } from '#core/fairness/limits.ts'
import { DELIVERIES_QUEUE } from '#core/queue/queues.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { countWaiting } from '#tests/support/given/lock-waits.ts'
import { SLOTS, startNeighbours, type Neighbours } from '#tests/support/given/neighbours.ts'
import { measureLease } from '#worker/dispatch/measure-lease.ts'

vi.setConfig({ testTimeout: 120_000 })

let neighbours: Neighbours
beforeEach(async () => {
  neighbours = await startNeighbours()
})
afterEach(() => neighbours.close())

/** Counts the wake-ups on the queue so far: BullMQ counts its jobs. */
async function countRings(): Promise<number> {
  const { redis, config } = neighbours.pipeline.context
  return Number((await redis.get(`${queuePrefix(config.redis)}:${DELIVERIES_QUEUE}:id`)) ?? 0)
}

test('a worker sends no wake-up while it has a free slot, and wakes the others when all are taken', async () => {
  const { givenKnown, answer, sendLeads, arrived } = neighbours
  const names = Array.from({ length: SLOTS }, (_, index) => `busy-${index}`)
  const clients: string[] = []
  for (const name of names) clients.push(await givenKnown(name, 1))
  expect(await countRings()).toBe(0)

  for (const name of names) answer(name, 'silent')
  await Promise.all(clients.map((client) => sendLeads(client, 1)))
  await waitUntil(() => names.every((name) => arrived(name) === 2), { what: 'every slot being taken' })
  expect(await countRings()).toBe(0)
  await sendLeads(clients[0] ?? '', 1)
  await waitUntil(async () => (await countRings()) > 0, { what: 'a ring for the others' })
})

/** Stops the worker while it plans a lead of the client; returns the number of wake-ups that it sent. */
async function stopWhilePlanning(client: string): Promise<number> {
  const { pipeline, sendLeads } = neighbours
  expect(await countRings()).toBe(0)
  let stopped = Promise.resolve()
  await pipeline.db.transaction().execute(async (trx) => {
    // The planned rows refer to it.
    await sql`select from client_webhook_configs where client_user_id = ${client} for update`.execute(trx)
    await sendLeads(client, 1)
    await waitUntil(async () => (await countWaiting(pipeline.db)) > 0, { what: 'the lead being planned' })
    stopped = pipeline.stopWorker()
  })
  await stopped
  return await countRings()
}

test('a worker that stops wakes the others for deliveries that it is planning', async () => {
  expect(await stopWhilePlanning(await neighbours.givenWebhooks('new', 1))).toBe(1)
  expect(neighbours.arrived('new')).toBe(0)
})

test('a worker that stops sends the deliveries that it claimed while planning', async () => {
  const { pipeline, givenKnown, sendLeads, arrived } = neighbours
  const { db } = pipeline
  const client = await givenKnown('last', 1)
  // The statement has claimed for its slot by then, and is slow to store the row.
  await sql`
    create function be_slow() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return new; end $$`.execute(
    db,
  )
  await sql`create trigger be_slow before insert on webhook_deliveries for each row execute function be_slow()`.execute(
    db,
  )
  await sendLeads(client, 1)
  await waitUntil(
    async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`.execute(
        db,
      )
      return rows.length > 0
    },
    { what: 'the lead being planned' },
  )
  await pipeline.stopWorker()
  expect(await countRings()).toBe(0)
  expect(arrived('last')).toBe(2)
})

test('a client’s second lead is claimed by the statement that plans it', async () => {
  const { pipeline, givenKnown, answer, sendLeads, arrived } = neighbours
  const client = await givenKnown('known', 1)
  answer('known', 'silent')
  await sendLeads(client, 1)
  await waitUntil(() => arrived('known') === 2, { what: 'the second lead' })
  const { rows } = await sql<{ is_one: boolean }>`
    select lease_until - created_at = make_interval(secs => ${measureLease(60_000)}) as is_one
    from webhook_deliveries where client_user_id = ${client} and state = 'pending'`.execute(pipeline.db)
  expect(rows).toEqual([{ is_one: true }])
})

test('a slow or unknown endpoint gets no slot before its delivery is planned', async () => {
  const { pipeline, givenKnown, givenWebhooks, sendLeads, answer, arrived } = neighbours
  const isClaimedLater = async (client: string) => {
    const { rows } = await sql<{ is_later: boolean }>`
      select lease_until - created_at > make_interval(secs => ${measureLease(60_000)}) as is_later
      from webhook_deliveries where client_user_id = ${client} and state = 'pending'`.execute(pipeline.db)
    return rows.map((row) => row.is_later)
  }
  const fresh = await givenWebhooks('fresh', 1)
  answer('fresh', 'silent')
  await sendLeads(fresh, 1)
  await waitUntil(() => arrived('fresh') === 1, { what: 'the lead of a new endpoint' })
  expect(await isClaimedLater(fresh)).toEqual([true])

  const slow = await givenKnown('slow', 1)
  answer('slow', 'silent')
  await sendLeads(slow, 1)
  await waitUntil(() => arrived('slow') === 2, { what: 'the second lead' })
  // Longer than the time after which it counts as slow.
  await sleep(SHARE.slowMs + 500)
  await sendLeads(slow, 1)
  await waitUntil(() => arrived('slow') === 3, { what: 'the third lead' })
  expect((await isClaimedLater(slow)).filter((isLater) => isLater)).toHaveLength(1)
})
