import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { listDeadLetters, redrivePiece } from '#core/data/operations/dead-letters.ts'
import { giveBackLeases } from '#core/data/webhooks/deliveries/give-back-leases.ts'
import { createAddressGuard } from '#core/endpoint/guard-address.ts'
import type { ResolveName } from '#core/endpoint/look-ups.ts'
import { createTransport } from '#core/endpoint/transport.ts'
import { BREAKER_RULE } from '#core/domain/webhooks/breaker.ts'
import { armFailpoints } from '#core/failpoints.ts'
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

let pipeline: TestPipeline
let receiver: Receiver
beforeAll(async () => {
  pipeline = await startPipeline()
  receiver = await startReceiver()
})
afterEach(() => {
  armFailpoints([])
})
afterAll(async () => {
  await receiver.close()
  await pipeline.close()
})

interface DeliveryRow {
  id: string
  state: string
  attempt: number
  failure_class: string | null
  own_failures: number
  lease_token: string | null
}

async function givenSubscriber(): Promise<{ client: string; config: string }> {
  const client = await givenClient(pipeline.db)
  const { id } = await givenConfig(pipeline.context, client, {
    endpoint_url: receiver.url,
    trigger_on_lead_created: true,
  })
  return { client, config: id }
}

/** Breaks a configuration for every process: no key opens its secret. */
const poison = (config: string): Promise<unknown> =>
  sql`update client_webhook_configs set signing_secret = 'no secret of ours' where id = ${config}`.execute(
    pipeline.db,
  )

async function deliveriesTo(config: string): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select id, state, attempt, failure_class, own_failures, lease_token from webhook_deliveries
    where webhook_config_id = ${config} order by created_at`.execute(pipeline.db)
  return rows
}

/**
 * Creates a delivery that has failed by an internal error before, as a dead process or a flushed Redis leaves
 * it.
 */
async function givenDeliveryThatFailed(
  to: { client: string; config: string },
  times: number,
): Promise<string> {
  const lead = await givenLead(pipeline.db, to.client)
  const { rows } = await sql<{ id: string }>`
    with told as (
      update events set enqueued_at = now(), planned_at = now() where lead_id = ${lead} returning id
    )
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, own_failures)
    select id, 'lead.created', ${to.config}::uuid, ${to.client}::uuid, ${lead}::uuid, ${times}::int from told
    returning id`.execute(pipeline.db)
  return rows[0]?.id ?? ''
}

const enqueue = (id: string, to: { client: string; config: string }): Promise<void> =>
  pipeline.context.deliveries.publish([
    { delivery_id: id, webhook_config_id: to.config, client_user_id: to.client, attempt: 1, turn: 0 },
  ])

test('a delivery that cannot be prepared becomes a dead letter with its reason, and other deliveries are sent', async () => {
  const { context, db } = pipeline
  const { client, config: bad } = await givenSubscriber()
  const good = await givenConfig(context, client, {
    endpoint_url: receiver.url,
    trigger_on_lead_created: true,
  })
  await poison(bad)
  const before = receiver.requests.length
  const lead = await givenLead(db, client)
  await publishEventsOfLead(context, lead)
  await drain(context)

  expect(await deliveriesTo(good.id)).toMatchObject([{ state: 'delivered', attempt: 1 }])
  expect(await deliveriesTo(bad)).toMatchObject([
    { state: 'failed', attempt: 1, failure_class: 'internal_error', own_failures: 0, lease_token: null },
  ])
  expect(receiver.requests.length - before).toBe(1)
  const { rows: logs } = await sql`
    select delivery_status, attempt_number, response_status, error_class, error_message, next_attempt_at
    from webhook_delivery_logs where webhook_config_id = ${bad}`.execute(db)
  expect(logs).toEqual([
    {
      delivery_status: 'failed',
      attempt_number: 1,
      response_status: null,
      error_class: 'internal_error',
      error_message: expect.stringMatching(/^Nothing was sent/) as string,
      next_attempt_at: null,
    },
  ])
  const { rows: told } = await sql`
    select data->>'reason' as reason from events where lead_id = ${lead} and type = 'delivery.failed'`.execute(
    db,
  )
  expect(told).toEqual([{ reason: 'internal_error' }])
  const letters = await listDeadLetters(db, { reason: 'internal_error' }, { limit: 10, after: undefined })
  expect(letters).toMatchObject([{ webhook_config_id: bad, reason: 'internal_error', attempts: 1 }])
  expect(letters[0]?.message).toMatch(/our failure, not your endpoint/)
  // The endpoint was never asked, so its health does not change.
  const { rows: health } = await sql`
    select from webhook_endpoint_health where webhook_config_id = ${bad} and failures_in_row > 0`.execute(db)
  expect(health).toEqual([])
})

test('after the repair an administrator resends the dead letter, and it arrives', async () => {
  const { context, db } = pipeline
  const administrator = await givenClient(db, 'admin')
  const to = await givenSubscriber()
  await poison(to.config)
  await enqueue(await givenDeliveryThatFailed(to, 4), to)
  await drain(context)
  await sql`
    update client_webhook_configs set signing_secret = ${context.secrets.seal('client_webhook_configs.signing_secret', 'whsec_c2VjcmV0LW9mLWEtdGVzdC0xMjM0NQ==')}
    where id = ${to.config}`.execute(db)

  const filter = { reason: 'internal_error', client: to.client } as const
  const { due } = await db
    .transaction()
    .execute((trx) => redrivePiece(trx, { filter }, { id: randomUUID(), administrator, most: 100 }))
  await context.deliveries.publish(due)
  await drain(context)

  expect((await deliveriesTo(to.config)).map(({ state }) => state)).toEqual(['failed', 'delivered'])
})

test('failures before a crash or a flush count: the fifth is the last, and a repeated wake-up changes nothing', async () => {
  const { context, db } = pipeline
  const to = await givenSubscriber()
  await poison(to.config)
  const id = await givenDeliveryThatFailed(to, 4)
  await enqueue(id, to)
  await waitUntil(async () => (await deliveriesTo(to.config))[0]?.state === 'failed', { what: 'The end' })

  await enqueue(id, to)
  const [queue] = (await context.watchedQueues.get()).filter(({ name }) => name === 'webhook-deliveries')
  await waitUntil(
    async () => (await queue?.getJobCounts('waiting', 'active', 'delayed'))?.['waiting'] === 0,
    {
      what: 'The queue being empty',
    },
  )
  const { rows } = await sql`select from webhook_delivery_logs where delivery_id = ${id}`.execute(db)
  expect(rows).toHaveLength(1)
})

test('a failure that the delivery did not cause gives the lease back at once, and is not counted', async () => {
  const to = await givenSubscriber()
  const id = await givenDeliveryThatFailed(to, 4)
  armFailpoints([{ name: 'before-send', act: { kind: 'error' }, pass: 1 }])
  const startedAt = performance.now()
  await enqueue(id, to)
  await waitUntil(async () => (await deliveriesTo(to.config))[0]?.state === 'delivered', {
    what: 'The delivery',
  })

  // The lease alone would have lasted 25 s.
  expect(performance.now() - startedAt).toBeLessThan(12_000)
  expect(await deliveriesTo(to.config)).toMatchObject([{ attempt: 1, own_failures: 0 }])
})

test('a lease that another worker holds is not given back, and its failure is not counted', async () => {
  const to = await givenSubscriber()
  const id = await givenDeliveryThatFailed(to, 1)
  const [mine, theirs] = ['0199a000-0000-7000-8000-000000000001', '0199a000-0000-7000-8000-000000000002']
  await sql`
    update webhook_deliveries set lease_token = ${theirs}, lease_until = now() + interval '1 hour'
    where id = ${id}`.execute(pipeline.db)

  const asked = { delivery_id: id, lease_token: mine, counts: true, until: null }
  expect(await giveBackLeases(pipeline.db, [asked], 5)).toEqual(['lost'])
  expect(await deliveriesTo(to.config)).toMatchObject([{ own_failures: 1, lease_token: theirs }])
  expect(await giveBackLeases(pipeline.db, [{ ...asked, lease_token: theirs }], 5)).toEqual(['free'])
  expect(await deliveriesTo(to.config)).toMatchObject([{ own_failures: 2, lease_token: null }])
})

test('a worker that can open no connection uses up no attempt, and blames no endpoint', async () => {
  const { context, db } = pipeline
  let refusals = 0
  const resolve: ResolveName = (_name, _options, callback) => {
    refusals += 1
    // This many refusals in a row would open the breaker if they were the endpoint's.
    if (refusals > BREAKER_RULE.opensAfter) callback(null, [{ address: '127.0.0.1', family: 4 }])
    else callback(Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' }), [])
  }
  const transport = createTransport(createAddressGuard(['127.0.0.0/8'], resolve), {
    timeoutMs: 5000,
    connectionsPerOrigin: 4,
  })
  const usual = context.transport
  Object.assign(context, { transport })
  const client = await givenClient(db)
  const url = new URL(receiver.url)
  url.hostname = 'crm.example.com'
  const { id: config } = await givenConfig(context, client, {
    endpoint_url: url.href,
    trigger_on_lead_created: true,
  })
  const leads = []
  for (let count = 0; count < BREAKER_RULE.opensAfter; count += 1) leads.push(await givenLead(db, client))
  for (const lead of leads) await publishEventsOfLead(context, lead)
  await drain(context)
  Object.assign(context, { transport: usual })
  await transport.close()

  expect(refusals).toBeGreaterThan(BREAKER_RULE.opensAfter)
  expect(await deliveriesTo(config)).toEqual(
    leads.map(() => expect.objectContaining({ state: 'delivered', attempt: 1, own_failures: 0 }) as unknown),
  )
  expect(receiver.requests.filter(({ headers }) => headers['host'] === url.host)).toHaveLength(leads.length)
  const { rows: logs } = await sql`
    select distinct delivery_status, error_class from webhook_delivery_logs where webhook_config_id = ${config}`.execute(
    db,
  )
  expect(logs).toEqual([{ delivery_status: 'delivered', error_class: null }])
})
