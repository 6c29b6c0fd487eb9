import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TOO_OLD_MS } from '#core/data/webhooks/deliveries/plan-plain.ts'
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

/**
 * From now on notes how old each statement is that plans a delivery: one that a busy machine holds up claims nothing, on
 * purpose.
 * @param sleep seconds that it then needs to store the row
 */
async function noteAges(sleep = 0): Promise<void> {
  const { db } = neighbours.pipeline
  await sql`create table ages (delivery_id uuid, is_too_old boolean)`.execute(db)
  await sql`
    create function note_age() returns trigger language plpgsql as $$ begin
      insert into ages values (new.id, clock_timestamp() - now() >= make_interval(secs => ${sql.lit(TOO_OLD_MS / 1000)}));
      perform pg_sleep(${sql.lit(sleep)});
      return new;
    end $$`.execute(db)
  await sql`create trigger note_age before insert on webhook_deliveries for each row execute function note_age()`.execute(
    db,
  )
}

test('a worker that stops sends the deliveries that it claimed while planning', async () => {
  const { pipeline, givenKnown, sendLeads, arrived, waitForNoJobs } = neighbours
  const { db } = pipeline
  const client = await givenKnown('last', 1)
  await waitForNoJobs()
  // The statement has claimed for its slot by then, and is slow to store the row.
  await noteAges(1)
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
  const { rows } = await sql<{ is_too_old: boolean }>`select is_too_old from ages`.execute(db)
  const isSent = { rings: 0, arrived: 2 }
  expect({ rings: await countRings(), arrived: arrived('last') }).toEqual(
    rows[0]?.is_too_old === true ? { rings: 1, arrived: 1 } : isSent,
  )
})

test('a client’s second lead is claimed by the statement that plans it', async () => {
  const { pipeline, givenKnown, answer, sendLeads, arrived, waitForNoJobs } = neighbours
  await noteAges()
  let clients = 0
  const planInTime = async () => {
    const name = `known-${(clients += 1)}`
    const client = await givenKnown(name, 1)
    // The worker knows what the next lead will need once the plan of the first has ended.
    await waitForNoJobs()
    answer(name, 'silent')
    await sendLeads(client, 1)
    await waitUntil(() => arrived(name) === 2, { what: 'the second lead' })
    const { rows } = await sql<{ is_one: boolean; is_too_old: boolean }>`
      select lease_until - created_at = make_interval(secs => ${measureLease(60_000)}) as is_one, is_too_old
      from webhook_deliveries d join ages on ages.delivery_id = d.id
      where client_user_id = ${client} and state = 'pending'`.execute(pipeline.db)
    return rows.every((row) => !row.is_too_old) && rows
  }
  expect(await waitUntil(planInTime, { what: 'a statement that is not held up' })).toEqual([
    { is_one: true, is_too_old: false },
  ])
})

test('a slow or unknown endpoint gets no slot before its delivery is planned', async () => {
  const { pipeline, givenKnown, givenWebhooks, sendLeads, answer, arrived } = neighbours
  const isClaimedLater = async (client: string) => {
    const { rows } = await sql<{ is_later: boolean }>`
      select lease_until - created_at > make_interval(secs => ${measureLease(60_000)}) as is_later
      from webhook_deliveries where client_user_id = ${client} and state = 'pending' order by id`.execute(
      pipeline.db,
    )
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
  expect((await isClaimedLater(slow)).at(-1)).toBe(true)
})
