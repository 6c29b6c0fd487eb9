import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { recordAttempts } from '#core/data/webhooks/deliveries/record-attempts.ts'
import { planDeliveries } from '#core/use-cases/planning/plan-deliveries.ts'
import { removeWebhookConfig } from '#server/webhooks/configs/remove-webhook-config.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { attemptRecord, givenLease } from '#tests/support/given/attempt-record.ts'
import { countWaiting } from '#tests/support/given/lock-waits.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'

/** Number of deliveries that are deleted in three steps. */
const MANY = 4500

let pipeline: TestPipeline
let client: string
let config: string
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())
beforeEach(async () => {
  client = await givenClient(pipeline.db)
  const fields = { endpoint_url: 'https://crm.example.com', trigger_on_lead_created: true }
  config = (await givenConfig(pipeline.context, client, fields)).id
})

/** Plans a lead's delivery. */
async function givenWaiting(): Promise<{ lead: string; delivery: string }> {
  const lead = await givenLead(pipeline.db, client)
  const events = await pipeline.db.selectFrom('events').select('id').where('lead_id', '=', lead).execute()
  const [due] = await planDeliveries(
    pipeline.db,
    events.map(({ id }) => ({ event_id: id, turn: 0 })),
  )
  return { lead, delivery: due?.delivery_id ?? '' }
}
const remove = (db = pipeline.db) => removeWebhookConfig({ db }, { user_id: client }, config)
const findConfig = () =>
  pipeline.db
    .selectFrom('client_webhook_configs')
    .select(['is_active', 'disabled_at'])
    .where('id', '=', config)
    .executeTakeFirst()
const listDeliveries = () =>
  pipeline.db.selectFrom('webhook_deliveries').select('id').where('webhook_config_id', '=', config).execute()
const listTold = (lead: string) =>
  pipeline.db
    .selectFrom('events')
    .select('type')
    .where('lead_id', '=', lead)
    .where(sql<boolean>`type like 'delivery.%'`)
    .execute()

test('a webhook is deleted with thousands of waiting, held and ended deliveries, and no timeline mentions it', async () => {
  const { lead, delivery } = await givenWaiting()
  await sql`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, resend_of, state)
    select event_id, event_type, webhook_config_id, client_user_id, lead_id, id,
      (array['pending', 'held', 'failed', 'delivered', 'cancelled'])[1 + n % 5]
    from webhook_deliveries, generate_series(1, ${MANY}::int) n where id = ${delivery}`.execute(pipeline.db)

  await remove()

  expect([await findConfig(), await listDeliveries(), await listTold(lead)]).toEqual([undefined, [], []])
})

test('a delivery in flight stays until the webhook itself is deleted, and is logged as usual', async () => {
  const sending = await givenWaiting()
  const { delivery, token } = await givenLease(pipeline.db, sending.delivery)
  const waiting = await givenWaiting()
  const begun: Promise<void>[] = []
  await pipeline.db.transaction().execute(async (trx) => {
    await sql`select from webhook_deliveries where id = ${sending.delivery} for update`.execute(trx)
    begun.push(remove())
    await waitUntil(async () => (await countWaiting(pipeline.db)) === 1, { what: 'The last step' })
    expect(await listDeliveries()).toEqual([{ id: sending.delivery }])
  })
  await Promise.all(begun)

  expect(await recordAttempts(pipeline.db, [attemptRecord(delivery, token)])).toMatchObject([
    { lost: 'webhook_deleted', next_attempt_at: null },
  ])
  expect(await listTold(sending.lead)).toEqual([{ type: 'delivery.succeeded' }])
  expect(await listTold(waiting.lead)).toEqual([])
})

test('an interrupted deletion leaves the webhook switched off, and a second request completes it', async () => {
  const { delivery } = await givenWaiting()
  const server = openDatabase(
    { url: pipeline.environment.databaseUrl, poolSize: 1, name: 'leadwire-broken' },
    () => undefined,
  )
  // Like one that the system has switched off, for which leads are kept.
  await sql`update client_webhook_configs set is_active = false, disabled_at = now() where id = ${config}`.execute(
    pipeline.db,
  )
  await pipeline.db.transaction().execute(async (trx) => {
    await sql`select from webhook_deliveries where id = ${delivery} for update`.execute(trx)
    const broken = expect(remove(server.db)).rejects.toThrow()
    await waitUntil(async () => (await countWaiting(pipeline.db)) === 1, { what: 'A step under way' })
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'leadwire-broken'`.execute(
      trx,
    )
    await broken
  })
  await server.close()

  expect(await findConfig()).toEqual({ is_active: false, disabled_at: null })
  // No new delivery is planned for it.
  expect((await givenWaiting()).delivery).toBe('')
  expect(await listDeliveries()).toEqual([{ id: delivery }])
  await remove()
  expect([await findConfig(), await listDeliveries()]).toEqual([undefined, []])
})
