import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { releaseHeldOf } from '#core/data/webhooks/health/breakers.ts'
import { pauseSending, resumeSending } from '#core/data/webhooks/pause-sending.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { waitUntil } from '#tests/support/condition.ts'
import {
  drain,
  givenClient,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'

const LEADS = 40
let pipeline: TestPipeline
let crm: Receiver
let client: string
beforeAll(async () => {
  pipeline = await startPipeline({ WEBHOOK_RETRY_SCHEDULE: '1,1,1', WEBHOOK_RETRY_JITTER: '0' })
})
afterAll(() => pipeline.close())
beforeEach(async () => {
  crm = await startReceiver()
  client = await givenClient(pipeline.db)
  return () => crm.close()
})

const listen = (owner: string, path = '') =>
  givenConfig(pipeline.context, owner, { endpoint_url: crm.url + path, trigger_on_lead_created: true })
async function receive(owner: string, count: number): Promise<void> {
  for (let lead = 0; lead < count; lead += 1)
    await publishEventsOfLead(pipeline.context, await givenLead(pipeline.db, owner))
}
const pause = () => pipeline.db.transaction().execute((trx) => pauseSending(trx, client, 'Invoice open'))
async function resume(): Promise<void> {
  const released = await pipeline.db.transaction().execute(async (trx) => {
    const webhooks = await resumeSending(trx, client)
    return (await Promise.all(webhooks.map((id) => releaseHeldOf(trx, id)))).flat()
  })
  expect(released.length).toBeGreaterThan(0)
}
const statesOf = async (owner: string) => {
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*)::int as count from webhook_deliveries where client_user_id = ${owner}
    group by state order by state`.execute(pipeline.db)
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}
const sentTo = (path: string) => crm.requests.filter(({ path: asked }) => asked === path).length

test('the leads of a paused client wait as held and all arrive once after the end; other clients notice nothing', async () => {
  const other = await givenClient(pipeline.db)
  await listen(client, '/paused')
  await listen(other, '/other')
  await receive(client, 1)
  await waitUntil(() => sentTo('/paused') === 1, { what: 'the lead before the pause' })
  await drain(pipeline.context)
  await pause()
  await Promise.all([receive(client, LEADS), receive(other, LEADS)])
  await drain(pipeline.context)

  expect(await statesOf(client)).toEqual({ delivered: 1, held: LEADS })
  expect(await statesOf(other)).toEqual({ delivered: LEADS })
  expect(sentTo('/paused')).toBe(1)
  await resume()
  await waitUntil(async () => (await statesOf(client))['delivered'] === LEADS + 1, {
    timeoutMs: 30_000,
    what: 'every held lead',
  })
  expect(sentTo('/paused')).toBe(LEADS + 1)
  const { rows } = await sql<{ is_active: boolean; offered: number }>`
    select c.is_active, (select count(*)::int from webhook_deliveries d where d.offered_until is not null) as offered
    from client_webhook_configs c where c.client_user_id = ${client}`.execute(pipeline.db)
  expect(rows).toEqual([{ is_active: true, offered: 0 }])
})

test('a retry that comes due during the pause waits too, without using up an attempt', async () => {
  await listen(client)
  crm.answerWith(500)
  await receive(client, 1)
  await crm.waitForCount(1)
  await pause()
  await waitUntil(async () => (await statesOf(client))['held'] === 1, { what: 'the retry being held' })
  const attempts = crm.requests.length
  crm.answerWith(200)
  await resume()
  await waitUntil(async () => (await statesOf(client))['delivered'] === 1, { what: 'the retry' })
  expect(crm.requests).toHaveLength(attempts + 1)
})

test('a webhook that the client adds during the pause is paused as well', async () => {
  await pipeline.db
    .insertInto('client_accounts')
    .values({ user_id: client })
    .onConflict((on) => on.doNothing())
    .execute()
  await pause()
  const { id } = await listen(client)
  await receive(client, 1)
  await drain(pipeline.context)

  expect(await statesOf(client)).toEqual({ held: 1 })
  expect(crm.requests).toHaveLength(0)
  // Nothing that a client does meanwhile releases them either.
  expect(await releaseHeldOf(pipeline.db, id)).toEqual([])
  await resume()
  await crm.waitForCount(1)
})
