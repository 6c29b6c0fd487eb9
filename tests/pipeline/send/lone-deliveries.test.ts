import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { claimDeliveries, type ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { findDueEndpoints } from '#core/data/webhooks/deliveries/find-due-endpoints.ts'
import { giveBackLeases } from '#core/data/webhooks/deliveries/give-back-leases.ts'
import { findDueAlone, noteCrash } from '#core/data/webhooks/deliveries/lone-deliveries.ts'
import { hasOverdueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { recordAttempts } from '#core/data/webhooks/deliveries/record-attempts.ts'
import { attemptRecord } from '#tests/support/given/attempt-record.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())
beforeEach(async () => {
  await sql`delete from webhook_deliveries`.execute(pipeline.db)
  await sql`delete from webhook_endpoint_health`.execute(pipeline.db)
})

/** Creates one delivery that has been due for a while, with this many lost leases. */
async function givenDue(lost = 0, secondsAgo = 60) {
  const { db, context } = pipeline
  const client = await givenClient(db)
  const { id: endpoint } = await givenConfig(context, client, { endpoint_url: 'https://crm.example.com/' })
  const lead = await givenLead(db, client)
  await sql`
    with told as (
      update events set enqueued_at = now(), planned_at = now() where lead_id = ${lead} returning id
    )
    insert into webhook_deliveries
      (event_id, event_type, webhook_config_id, client_user_id, lead_id, next_attempt_at, lost_leases)
    select id, 'lead.created', ${endpoint}::uuid, ${client}::uuid, ${lead}::uuid,
      now() - make_interval(secs => ${secondsAgo}), ${lost}::int from told`.execute(db)
  return { client, endpoint }
}

async function claim(endpoint: string, alone = false): Promise<ClaimedDelivery | undefined> {
  const request = { webhook_config_id: endpoint, most: 1, most_low_priority: 1, low_priority_first: false }
  const [claimed] = await claimDeliveries(pipeline.db, [request], 30, { alone })
  return claimed?.deliveries[0]
}

/** Its worker has died, and its lease has ended. */
const loseLeases = () =>
  sql`update webhook_deliveries set lease_until = now() - interval '1 second' where lease_token is not null`.execute(
    pipeline.db,
  )

async function readLost(endpoint: string): Promise<number | undefined> {
  const { rows } = await sql<{ lost: number }>`
    select lost_leases as lost from webhook_deliveries where webhook_config_id = ${endpoint}`.execute(
    pipeline.db,
  )
  return rows[0]?.lost
}

const dueTogether = async () =>
  (await findDueEndpoints(pipeline.db, null)).due.map((due) => due.webhook_config_id)

test('a delivery that has lost two leases is claimed only by senders that send it alone', async () => {
  const { client, endpoint } = await givenDue()
  for (const lost of [0, 1]) {
    expect(await dueTogether()).toEqual([endpoint])
    expect(await findDueAlone(pipeline.db, [])).toBeUndefined()
    expect(await claim(endpoint, true)).toBeUndefined()
    expect(await claim(endpoint)).toMatchObject({ attempt: 1 })
    expect(await readLost(endpoint)).toBe(lost)
    await loseLeases()
  }

  expect(await dueTogether()).toEqual([])
  expect(await hasOverdueDelivery(pipeline.db, 30)).toBe(false)
  expect(await claim(endpoint)).toBeUndefined()
  expect(await findDueAlone(pipeline.db, [])).toEqual({ webhook_config_id: endpoint, client_user_id: client })
  expect(await claim(endpoint, true)).toMatchObject({ attempt: 1 })
})

test('workers that die while they send a delivery alone do not count against the delivery', async () => {
  const { endpoint } = await givenDue(2)
  for (let deaths = 0; deaths < 5; deaths += 1) {
    expect(await claim(endpoint, true)).toBeDefined()
    await loseLeases()
  }
  expect(await readLost(endpoint)).toBe(2)
})

test('a delivery is failed under its lease when it has ended a second process', async () => {
  const { endpoint } = await givenDue(2)
  const first = await claim(endpoint, true)
  expect(await noteCrash(pipeline.db, first ?? expect.fail())).toBe('free')
  // It pauses before the next try.
  expect(await claim(endpoint, true)).toBeUndefined()
  await sql`update webhook_deliveries set lease_until = null`.execute(pipeline.db)

  const second = await claim(endpoint, true)
  expect(await noteCrash(pipeline.db, first ?? expect.fail())).toBe('lost')
  expect(await noteCrash(pipeline.db, second ?? expect.fail())).toBe('set_aside')
  expect(await claim(endpoint, true)).toBeUndefined()
})

test('for an hour after such an end its webhook is sent alone, and each delivery is counted separately', async () => {
  const { endpoint } = await givenDue(2)
  await noteCrash(pipeline.db, (await claim(endpoint, true)) ?? expect.fail())
  await sql`update webhook_deliveries set lost_leases = 0, lease_until = null`.execute(pipeline.db)

  expect(await dueTogether()).toEqual([])
  expect(await hasOverdueDelivery(pipeline.db, 30)).toBe(false)
  expect(await findDueAlone(pipeline.db, [])).toMatchObject({ webhook_config_id: endpoint })
  expect(await claim(endpoint)).toBeUndefined()
  const alone = (await claim(endpoint, true)) ?? expect.fail()
  expect(await noteCrash(pipeline.db, alone)).toBe('free')
  expect(await readLost(endpoint)).toBe(3)

  await sql`update webhook_deliveries set lost_leases = 0, lease_until = null`.execute(pipeline.db)
  await sql`update webhook_endpoint_health set alone_until = now() - interval '1 second'`.execute(pipeline.db)
  expect(await findDueAlone(pipeline.db, [])).toBeUndefined()
  expect(await claim(endpoint)).toBeDefined()
})

test('any recorded attempt clears the count of lost leases, even from a sender that has lost its lease', async () => {
  const { endpoint } = await givenDue(2)
  const late = await claim(endpoint, true)
  await loseLeases()
  const next = await claim(endpoint, true)
  const failed = { state: 'pending', retry_in_seconds: 0, response_status: 500 } as const
  const record = (delivery: ClaimedDelivery | undefined) =>
    delivery === undefined
      ? expect.fail()
      : recordAttempts(pipeline.db, [attemptRecord(delivery, delivery.lease_token, failed)])

  expect(await record(late)).toMatchObject([{ lost: 'to_another_sender' }])
  expect(await readLost(endpoint)).toBe(0)
  await sql`update webhook_deliveries set lost_leases = 3`.execute(pipeline.db)
  expect(await record(next)).toMatchObject([{ lost: null }])
  expect(await readLost(endpoint)).toBe(0)
  expect(await claim(endpoint)).toMatchObject({ attempt: 2 })
})

test('a lease that is given back does not count as lost', async () => {
  const { endpoint } = await givenDue()
  for (let times = 0; times < 3; times += 1) {
    const delivery = (await claim(endpoint)) ?? expect.fail()
    await giveBackLeases(pipeline.db, [{ ...delivery, counts: false, until: null }], 5)
    await sql`update webhook_deliveries set lease_until = null`.execute(pipeline.db)
  }
  expect(await readLost(endpoint)).toBe(0)
})

test('a client with a delivery in flight comes after a client with none, however long its next delivery has waited', async () => {
  const [patient, other] = [await givenDue(2, 600), await givenDue(2, 10)]

  expect(await findDueAlone(pipeline.db, [])).toMatchObject({ client_user_id: patient.client })
  expect(await findDueAlone(pipeline.db, [patient.client])).toMatchObject({ client_user_id: other.client })
  expect(await findDueAlone(pipeline.db, [randomUUID()])).toMatchObject({ client_user_id: patient.client })
  expect(await findDueAlone(pipeline.db, [patient.client, other.client])).toMatchObject({
    client_user_id: patient.client,
  })
})
