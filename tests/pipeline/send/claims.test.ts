import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { claimDeliveries } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { findDueEndpoints } from '#core/data/webhooks/deliveries/find-due-endpoints.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'

let pipeline: TestPipeline
let client: string
let lead: string
let endpoint: string

beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())
beforeEach(async () => {
  const { db } = pipeline
  await sql`delete from webhook_deliveries`.execute(db)
  client = await givenClient(db)
  lead = await givenLead(db, client)
  endpoint = await givenEndpoint()
})

async function givenEndpoint(): Promise<string> {
  const { id } = await givenConfig(pipeline.context, client, { endpoint_url: 'https://crm.example.com/' })
  return id
}

/** Inserts deliveries that became due some seconds ago, one after another. */
async function givenDue(
  count: number,
  fields: { attempt?: number; turn?: number; secondsAgo?: number; to?: string } = {},
): Promise<string[]> {
  const { attempt = 0, turn = 0, secondsAgo = 60, to = endpoint } = fields
  const { rows } = await sql<{ id: string }>`
    with told as (
      insert into events (type, lead_id, client_user_id, enqueued_at, planned_at)
      select 'lead.assigned', ${lead}, ${client}, now(), now() from generate_series(1, ${count}::int) returning id
    )
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, attempt, turn, next_attempt_at)
    select id, 'lead.assigned', ${to}::uuid, ${client}::uuid, ${lead}::uuid, ${attempt}::int, ${turn}::int,
      now() - make_interval(secs => ${secondsAgo} - 0.001 * row_number() over ())
    from told returning id, next_attempt_at`.execute(pipeline.db)
  return rows.map(({ id }) => id)
}

const ask = (fields: Partial<Parameters<typeof claimDeliveries>[1][number]> = {}) => ({
  webhook_config_id: endpoint,
  most: 10,
  most_low_priority: 10,
  low_priority_first: false,
  ...fields,
})
const claim = async (...asked: ReturnType<typeof ask>[]) =>
  (await claimDeliveries(pipeline.db, asked, 30)).map(({ deliveries, found }) => ({
    ids: deliveries.map(({ delivery_id: id }) => id).toSorted(),
    found,
  }))
const oldest = (ids: readonly string[], count: number) => ids.slice(0, count).toSorted()
const dueEndpoints = async () =>
  (await findDueEndpoints(pipeline.db, null)).due.map((due) => due.webhook_config_id)

test('a claim takes the deliveries that became due first, up to the requested number, and no other claim gets them', async () => {
  const ids = await givenDue(12)
  expect(await claim(ask())).toEqual([{ ids: oldest(ids, 10), found: 10 }])
  expect(await claim(ask())).toEqual([{ ids: ids.slice(10).toSorted(), found: 2 }])
  expect(await claim(ask())).toEqual([{ ids: [], found: 0 }])
})

test('first attempts come before retries and bursts, unless low priority is preferred or there are too few first attempts', async () => {
  const firsts = await givenDue(4, { secondsAgo: 10 })
  const retries = await givenDue(4, { attempt: 1 })
  const bursts = await givenDue(4, { turn: 2, secondsAgo: 30 })
  expect(await claim(ask({ most: 3 }))).toEqual([{ ids: oldest(firsts, 3), found: 3 }])
  expect(await claim(ask({ most: 2, low_priority_first: true }))).toEqual([
    { ids: oldest(retries, 2), found: 2 },
  ])
  expect(await claim(ask({ most: 4 }))).toEqual([
    { ids: [...firsts.slice(3), ...retries.slice(2), ...bursts.slice(0, 1)].toSorted(), found: 4 },
  ])
})

test('a claim takes no more low-priority deliveries than allowed, wherever they are in the order', async () => {
  await givenDue(6, { attempt: 1 })
  expect(await claim(ask({ most_low_priority: 2 }))).toMatchObject([{ found: 2 }])
  expect(await claim(ask({ most_low_priority: 1, low_priority_first: true }))).toMatchObject([{ found: 1 }])
  expect(await claim(ask({ most_low_priority: 0 }))).toMatchObject([{ found: 0 }])
})

test('a claim answers each endpoint separately, in the order of the requests', async () => {
  const other = await givenEndpoint()
  const [mine, theirs] = [await givenDue(3), await givenDue(2, { to: other })]
  expect(await claim(ask({ webhook_config_id: other }), ask({ most: 2 }))).toEqual([
    { ids: theirs.toSorted(), found: 2 },
    { ids: oldest(mine, 2), found: 2 },
  ])
})

test('a claim holds deliveries that may not be sent, and counts them as found', async () => {
  await givenDue(3)
  await sql`
    insert into webhook_endpoint_health (webhook_config_id, breaker, opened_at) values (${endpoint}, 'open', now())
    on conflict (webhook_config_id) do update set breaker = 'open', opened_at = now()`.execute(pipeline.db)
  expect(await claim(ask({ most: 2 }))).toEqual([{ ids: [], found: 2 }])
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*)::int as count from webhook_deliveries group by state order by state`.execute(
    pipeline.db,
  )
  expect(rows).toEqual([
    { state: 'held', count: 2 },
    { state: 'pending', count: 1 },
  ])
})

test('simultaneous claims neither wait for each other nor get the same deliveries', async () => {
  await givenDue(40)
  const claimed = await Promise.all(Array.from({ length: 8 }, () => claim(ask({ most: 5 }))))
  const ids = claimed.flat().flatMap((one) => one.ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect((await claim(ask({ most: 40 })))[0]?.ids.length).toBe(40 - ids.length)
})

test('a poll finds each endpoint with a due delivery that nobody has leased, and no other endpoint', async () => {
  const [later, leased, retried] = [await givenEndpoint(), await givenEndpoint(), await givenEndpoint()]
  await givenDue(3)
  await givenDue(2, { to: later, secondsAgo: -60 })
  await givenDue(1, { to: leased })
  await givenDue(1, { to: retried, attempt: 2 })
  await claim(ask({ webhook_config_id: leased }))
  expect((await dueEndpoints()).toSorted()).toEqual([endpoint, retried].toSorted())

  await sql`update webhook_deliveries set lease_until = now() - interval '1 second'
    where webhook_config_id = ${leased}`.execute(pipeline.db)
  expect((await dueEndpoints()).toSorted()).toEqual([endpoint, retried, leased].toSorted())
})

test('claims and polls use the index of waiting deliveries, however many deliveries of others wait', async () => {
  await givenDue(2000, { secondsAgo: 3600 })
  const other = await givenEndpoint()
  await givenDue(1, { to: other })
  await sql`analyze webhook_deliveries`.execute(pipeline.db)
  const read = async () => {
    // An idle backend reports its reads at most once a second.
    await sql`select pg_stat_force_next_flush()`.execute(pipeline.db)
    const { rows } = await sql<{ tuples: string }>`
      select sum(idx_tup_fetch + seq_tup_read) as tuples from pg_stat_user_tables where relname = 'webhook_deliveries'`.execute(
      pipeline.db,
    )
    return Number(rows[0]?.tuples)
  }
  const before = await read()
  expect(await claim(ask({ webhook_config_id: other }))).toMatchObject([{ found: 1 }])
  expect(await dueEndpoints()).toEqual([endpoint])
  expect((await read()) - before).toBeLessThan(100)
})
