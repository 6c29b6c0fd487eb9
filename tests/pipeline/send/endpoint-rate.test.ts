import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { claimDeliveries } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { findDueEndpoints } from '#core/data/webhooks/deliveries/find-due-endpoints.ts'
import { readLeadTrace } from '#core/data/leads/lead-trace.ts'
import { listWaitingLines } from '#core/data/operations/waits.ts'
import { RATE_LIMIT } from '#core/data/webhooks/deliveries/rate-limits.ts'
import { listDeliveryLogs } from '#core/data/webhooks/logs/delivery-logs.ts'
import { hasOverdueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { readPipelineLag } from '#core/data/operations/pipeline-lag.ts'
import { tallyUnfinished } from '#core/data/operations/queue-counts.ts'
import { findStuckWork } from '#core/data/operations/stuck-work.ts'
import { verifyDue } from '#core/data/operations/verify-rows.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { insertDue, startNeighbours, type Neighbours } from '#tests/support/given/neighbours.ts'

vi.setConfig({ testTimeout: 120_000 })

let neighbours: Neighbours
beforeEach(async () => {
  neighbours = await startNeighbours()
})
afterEach(() => neighbours.close())

const endpointOf = async (client: string): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    select id from client_webhook_configs where client_user_id = ${client}`.execute(neighbours.pipeline.db)
  return rows[0]?.id ?? ''
}
const limit = async (endpoint: string, perMinute: number | null): Promise<unknown> =>
  await sql`update client_webhook_configs set requests_per_minute = ${perMinute} where id = ${endpoint}`.execute(
    neighbours.pipeline.db,
  )

test('two workers together keep to the requests a minute of an endpoint, and its leads delay nobody else', async () => {
  const { pipeline, givenKnown } = neighbours
  const perMinute = 600
  const [limited, free] = [await givenKnown('limited', 1), await givenKnown('free', 1)]
  const endpoint = await endpointOf(limited)
  await limit(endpoint, perMinute)
  await neighbours.startAnother()
  const times: number[] = []
  const others: number[] = []
  neighbours.crm.answerWith(({ path }) => {
    if (!path.startsWith('/limited')) others.push(performance.now())
    // Some first attempts fail, so that retries count too.
    else return { status: times.push(performance.now()) % 10 === 0 ? 500 : 200 }
    return { status: 200 }
  })

  const [leads, retries] = [90, 10]
  const startedAt = performance.now()
  await insertDue(pipeline.db, limited, leads)
  await neighbours.sendLeads(free, 5)
  await waitUntil(() => others.length === 5, { what: 'the leads of the other client' })
  const [line] = await listWaitingLines(pipeline.db, { client: limited, limit: 1 })
  expect(line).toMatchObject({ webhook_config_id: endpoint, next_token_at: expect.any(Date) as Date })
  const tried = sql`select from webhook_deliveries where client_user_id = ${limited} and attempt = 0`
  await waitUntil(async () => (await tried.execute(pipeline.db)).rows.length === 0, {
    timeoutMs: 60_000,
    what: 'every lead being tried',
  })
  await sql`update webhook_deliveries set next_attempt_at = now() where client_user_id = ${limited} and state = 'pending'`.execute(
    pipeline.db,
  )
  await waitUntil(() => times.length >= leads + retries - 1, { timeoutMs: 60_000, what: 'the retries' })

  const burst = perMinute / RATE_LIMIT.burstPart
  const eachMs = (RATE_LIMIT.windowSeconds * 1000) / (perMinute - burst + 1)
  expect(performance.now() - startedAt).toBeGreaterThan((times.length - burst - 1) * eachMs)
  for (const [first, from] of times.entries())
    for (const [last, until] of times.entries())
      // A request may be half a second longer on its way than the next ones.
      if (last > first)
        expect(last - first + 1).toBeLessThanOrEqual(burst + 1 + (until - from + 500) / eachMs)
})

test('claims at once share the tokens of an endpoint, and a poll leaves it out until there is one', async () => {
  const { pipeline, givenWebhooks } = neighbours
  await pipeline.stopWorker()
  const { db } = pipeline
  const [limited, free] = [await givenWebhooks('limited', 1), await givenWebhooks('free', 1)]
  const [endpoint, other] = [await endpointOf(limited), await endpointOf(free)]
  await limit(endpoint, 60)
  await insertDue(db, limited, 30)
  await insertDue(db, free, 30)
  const ask = (id: string) => ({
    webhook_config_id: id,
    most: 10,
    most_low_priority: 10,
    low_priority_first: false,
  })
  const claim = async () =>
    (await claimDeliveries(db, [ask(endpoint), ask(other)], 30)).map(({ found }) => found)
  const polled = async () => (await findDueEndpoints(db, null)).due.map((due) => due.webhook_config_id)

  expect(new Set(await polled())).toEqual(new Set([endpoint, other]))
  const claims = await Promise.all([claim(), claim(), claim()])
  expect(claims.map(([, found]) => found)).toEqual([10, 10, 10])
  expect(claims.map(([found = 0]) => found).reduce((sum, found) => sum + found)).toBe(6)
  expect(await polled()).toEqual([])
  const [line] = await listWaitingLines(db, { client: limited, limit: 1 })
  expect(line?.next_token_at?.getTime()).toBeGreaterThan(Date.now() - 1000)

  const pass = async (seconds: number) =>
    await sql`update webhook_rate_limits set full_at = full_at - make_interval(secs => ${seconds})`.execute(
      db,
    )
  await pass(2.3)
  expect(await polled()).toEqual([endpoint])
  expect(await claim()).toEqual([2, 0])
  await pass(600)
  expect(await claim()).toEqual([6, 0])
  await limit(endpoint, 1)
  await pass(61)
  expect(await claim()).toEqual([1, 0])
  expect(await claim()).toEqual([0, 0])
  await limit(endpoint, null)
  expect(await claim()).toEqual([10, 0])
  expect((await sql`select from webhook_rate_limits`.execute(db)).rows).toEqual([])
})

test('a lead for an endpoint with a limit is claimed with a token, not with its plan', async () => {
  const { pipeline, givenKnown, sendLeads, arrived } = neighbours
  const client = await givenKnown('limited', 1)
  await limit(await endpointOf(client), 1)
  await sendLeads(client, 3)
  await waitUntil(() => arrived('limited') === 2, { what: 'the lead with the token' })
  const count = sql<{ count: number }>`
    select count(*)::int as count from webhook_deliveries where client_user_id = ${client} and state = 'pending'`
  await waitUntil(async () => (await count.execute(pipeline.db)).rows[0]?.count === 2, {
    what: 'the others waiting',
  })
  expect(arrived('limited')).toBe(2)
})

test('the log and the trace of a lead say that it waits for the limit of its webhook', async () => {
  const { pipeline, givenWebhooks } = neighbours
  await pipeline.stopWorker()
  const { db } = pipeline
  const [limited, free] = [await givenWebhooks('limited', 1), await givenWebhooks('free', 1)]
  await limit(await endpointOf(limited), 60)
  for (const client of [limited, free]) await insertDue(db, client, 8)
  const told = async (client: string) =>
    (await listDeliveryLogs(db, { client }, { limit: 20, after: undefined })).map((row) => row.waits_for_rate)
  expect(await told(limited)).toEqual(Array.from({ length: 8 }, () => null))
  const ask = { most: 10, most_low_priority: 10, low_priority_first: false }
  await claimDeliveries(db, [{ webhook_config_id: await endpointOf(limited), ...ask }], 30)
  // Six have the tokens and are being sent; two wait.
  expect((await told(limited)).filter((found) => found === 60)).toHaveLength(2)
  expect((await told(limited)).filter((found) => found === null)).toHaveLength(6)
  expect(await told(free)).toEqual(Array.from({ length: 8 }, () => null))
  const { rows } = await sql<{ lead_id: string }>`
    select lead_id from webhook_deliveries where client_user_id = ${limited} and lease_until is null`.execute(
    db,
  )
  const { deliveries } = await readLeadTrace(db, rows[0]?.lead_id ?? '')
  expect(deliveries.map((one) => one.rate_limit)).toEqual([60])
})

test('what waits for the limit of its endpoint is not overdue, however long; what nobody claims is', async () => {
  const { pipeline, givenWebhooks } = neighbours
  await pipeline.stopWorker()
  const { db } = pipeline
  const client = await givenWebhooks('limited', 1)
  const endpoint = await endpointOf(client)
  await limit(endpoint, 1)
  await insertDue(db, client, 3)
  await sql`update webhook_deliveries set next_attempt_at = now() - interval '10 minutes'`.execute(db)
  const overdue = async () => ({
    worker: await hasOverdueDelivery(db, 30),
    metric: (await readPipelineLag(db, [])).oldestDueSeconds > 60,
    queues: (await tallyUnfinished(db)).some((line) => line.oldest_due !== null),
    verified: (await verifyDue(db, 60)).wrong > 0,
    stuck: (await findStuckWork(db, { types: [], seconds: 60 })).length > 0,
  })
  const all = (is: boolean) => ({ worker: is, metric: is, queues: is, verified: is, stuck: is })
  const pass = async () =>
    await sql`update webhook_rate_limits set full_at = now() - interval '5 seconds'`.execute(db)
  // Nobody has claimed anything, so the limit is no reason.
  await pass()
  expect(await overdue()).toEqual(all(true))

  const ask = { most: 10, most_low_priority: 10, low_priority_first: false }
  await claimDeliveries(db, [{ webhook_config_id: endpoint, ...ask }], 30)
  expect(await overdue()).toEqual(all(false))

  await pass()
  expect(await overdue()).toEqual(all(true))
})
