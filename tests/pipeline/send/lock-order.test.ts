import { sql, type Transaction } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { planDeliveries } from '#core/use-cases/planning/plan-deliveries.ts'
import { recordAttempts } from '#core/data/webhooks/deliveries/record-attempts.ts'
import { deleteWebhooks, deleteWebhooksOf } from '#core/data/webhooks/delete-webhooks.ts'
import { releaseHeldOf, startProbes } from '#core/data/webhooks/health/breakers.ts'
import { announceFailing } from '#core/data/webhooks/health/endpoint-notices.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { ENDPOINT_RULE } from '#core/domain/webhooks/endpoint-rule.ts'
import { eraseAccount } from '#server/accounts/people/data/erase-account.ts'
import { removeWebhookConfig } from '#server/webhooks/configs/remove-webhook-config.ts'
import { attemptRecord, givenLease } from '#tests/support/given/attempt-record.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { beginInTheWayOf, countWaiting } from '#tests/support/given/lock-waits.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { givenHealth } from '../housekeeping/notice-rows.ts'

let pipeline: TestPipeline
/**
 * A connection like the server's: a worker's use only indexes, but this one may scan a table in its physical
 * order.
 */
let server: ReturnType<typeof openDatabase>
let client: string
let config: string
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
  const { databaseUrl } = pipeline.environment
  server = openDatabase({ url: databaseUrl, poolSize: 2, name: 'leadwire-server' }, () => undefined)
})
afterAll(async () => {
  await server.close()
  await pipeline.close()
})
beforeEach(async () => {
  client = await givenClient(pipeline.db)
  config = await givenWebhook()
})

async function givenWebhook(): Promise<string> {
  const fields = { endpoint_url: 'https://crm.example.com', trigger_on_lead_created: true }
  return (await givenConfig(pipeline.context, client, fields)).id
}

/** Creates a new lead's event; returns its id. */
async function givenEvent(): Promise<string> {
  const lead = await givenLead(pipeline.db, client)
  const { id } = await pipeline.db
    .selectFrom('events')
    .select('id')
    .where('lead_id', '=', lead)
    .executeTakeFirstOrThrow()
  return id
}
const plan = async (event_id: string) => await planDeliveries(pipeline.db, [{ event_id, turn: 0 }])

/** Creates deliveries in flight, in the order of their ids. */
async function givenSending(count: number) {
  const sending: { delivery: ClaimedDelivery; token: string }[] = []
  for (let index = 0; index < count; index += 1) {
    const [due] = await plan(await givenEvent())
    sending.push(await givenLease(pipeline.db, due?.delivery_id ?? ''))
  }
  return sending.toSorted((one, other) => (one.delivery.delivery_id < other.delivery.delivery_id ? -1 : 1))
}
const lockDelivery = (id: string | undefined) => (trx: Transaction<Database>) =>
  trx
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('id', '=', id ?? '')
    .forUpdate()
    .execute()
const remove = () => server.db.transaction().execute((trx) => deleteWebhooks(trx, client, [config]))

test('recording a 410 and deleting its webhook take locks in the same order', async () => {
  const [first, second] = await givenSending(2)
  if (second === undefined) throw new Error('nothing is under way')
  const gone = attemptRecord(second.delivery, second.token, {
    state: 'failed',
    response_status: 410,
    disable_reason: '410: the endpoint says that it is gone.',
  })

  expect(
    await beginInTheWayOf(pipeline.db, lockDelivery(first?.delivery.delivery_id), [
      remove,
      () => recordAttempts(pipeline.db, [gone]),
    ]),
  ).toMatchObject([
    { status: 'fulfilled', value: [config] },
    { status: 'fulfilled', value: [{ lost: 'webhook_deleted', next_attempt_at: null }] },
  ])
})

test('recording a 410 and erasing its account take locks in the same order', async () => {
  const [first, second] = await givenSending(2)
  if (second === undefined) throw new Error('nothing is under way')
  const gone = attemptRecord(second.delivery, second.token, {
    state: 'failed',
    response_status: 410,
    disable_reason: '410: the endpoint says that it is gone.',
  })

  expect(
    await beginInTheWayOf(pipeline.db, lockDelivery(first?.delivery.delivery_id), [
      () => server.db.transaction().execute((trx) => eraseAccount(trx, client, client)),
      () => recordAttempts(pipeline.db, [gone]),
    ]),
  ).toMatchObject([
    { status: 'fulfilled', value: [] },
    { status: 'fulfilled', value: [{ lost: null, next_attempt_at: null }] },
  ])
})

test('a batch of attempts and a deletion lock deliveries in the order of their ids, wherever the rows are stored', async () => {
  const event = await givenEvent()
  await plan(event)
  // Reused space of removed rows puts the greatest id first.
  await pipeline.db.deleteFrom('webhook_deliveries').where('webhook_config_id', '=', config).execute()
  const ids = ['01900000-0000-7000-8000-000000000002', '01900000-0000-7000-8000-000000000001']
  for (const id of ids) {
    await sql`
      insert into webhook_deliveries (id, event_id, event_type, webhook_config_id, client_user_id, lead_id, resend_of)
      select ${id}, e.id, e.type, ${config}, ${client}, e.lead_id, ${id} from events e where e.id = ${event}`.execute(
      pipeline.db,
    )
  }
  const [greatest, least] = [
    await givenLease(pipeline.db, ids[0] ?? ''),
    await givenLease(pipeline.db, ids[1] ?? ''),
  ]
  const batch = [least, greatest].map(({ delivery, token }) => attemptRecord(delivery, token))

  const [deleted, recorded] = await beginInTheWayOf(pipeline.db, lockDelivery(ids[0]), [
    remove,
    () => recordAttempts(pipeline.db, batch),
  ])
  expect(deleted).toEqual({ status: 'fulfilled', value: [config] })
  expect(recorded?.status).toBe('fulfilled')
})

test('an event is planned for the remaining webhooks when one webhook is deleted at the same moment', async () => {
  const other = await givenWebhook()
  const event = await givenEvent()

  const [planned] = await beginInTheWayOf(pipeline.db, (trx) => deleteWebhooks(trx, client, [config]), [
    () => plan(event),
  ])
  expect(planned).toMatchObject({ status: 'fulfilled', value: [{ webhook_config_id: other }] })
})

test('leads are planned while a long deletion removes the waiting deliveries of a webhook', async () => {
  const [waiting] = await plan(await givenEvent())
  const other = await givenWebhook()
  const event = await givenEvent()
  const removeByStory = () => removeWebhookConfig({ db: server.db }, { user_id: client }, config)

  const [removed, planned] = await beginInTheWayOf(pipeline.db, lockDelivery(waiting?.delivery_id), [
    removeByStory,
    () =>
      Promise.race([
        plan(event).then((due) => due.map((one) => one.webhook_config_id)),
        waitUntil(async () => (await countWaiting(pipeline.db)) > 1 && 'waits'),
      ]),
  ])
  expect(planned).toEqual({ status: 'fulfilled', value: [other] })
  expect(removed).toEqual({ status: 'fulfilled', value: undefined })
})

test('all webhooks of an account are deleted while an event is planned for them', async () => {
  const others = await Promise.all([givenWebhook(), givenWebhook()])
  const last = [config, ...others].toSorted().at(-1) ?? ''
  const event = await givenEvent()

  const results = await beginInTheWayOf(
    pipeline.db,
    (trx) => sql`select from client_webhook_configs where id = ${last} for key share`.execute(trx),
    [() => server.db.transaction().execute((trx) => deleteWebhooksOf(trx, client)), () => plan(event)],
  )
  expect(results).toEqual([
    { status: 'fulfilled', value: undefined },
    { status: 'fulfilled', value: [] },
  ])
})

/** Creates a delivery that is held by an open breaker whose probe is due. */
async function givenHeld(): Promise<string> {
  const [due] = await plan(await givenEvent())
  await sql`update webhook_deliveries set state = 'held', next_attempt_at = null where id = ${due?.delivery_id}`.execute(
    pipeline.db,
  )
  await givenHealth(pipeline.db, config, { failures: 20, failingHours: 1, failedHoursAgo: [] })
  await sql`
    update webhook_endpoint_health set breaker = 'open', opened_at = now(), probe_at = now()
    where webhook_config_id = ${config}`.execute(pipeline.db)
  return due?.delivery_id ?? ''
}

test.each([
  ['a probe', () => startProbes(pipeline.db, 60)],
  ['a warning', () => pipeline.db.transaction().execute((trx) => announceFailing(trx, ENDPOINT_RULE))],
])('%s for an endpoint skips a webhook that is being deleted', async (_what, work) => {
  const held = await givenHeld()

  expect(await beginInTheWayOf(pipeline.db, lockDelivery(held), [remove, work])).toEqual([
    { status: 'fulfilled', value: [config] },
    { status: 'fulfilled', value: [] },
  ])
})

test('deliveries held for a webhook that is being deleted are not released', async () => {
  await givenHeld()

  expect(
    await beginInTheWayOf(pipeline.db, (trx) => deleteWebhooks(trx, client, [config]), [
      () => releaseHeldOf(pipeline.db, config),
    ]),
  ).toEqual([{ status: 'fulfilled', value: [] }])
})
