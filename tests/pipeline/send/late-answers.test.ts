import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { planDeliveries } from '#core/use-cases/planning/plan-deliveries.ts'
import { recordAttempts } from '#core/data/webhooks/deliveries/record-attempts.ts'
import { deleteWebhooks } from '#core/data/webhooks/delete-webhooks.ts'
import { eraseLead } from '#core/data/leads/erase-lead.ts'
import { attemptRecord, givenLease } from '#tests/support/given/attempt-record.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'

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

/** Creates a delivery whose first request is in flight. */
async function givenSending() {
  const lead = await givenLead(pipeline.db, client)
  const events = await pipeline.db.selectFrom('events').select('id').where('lead_id', '=', lead).execute()
  const [due] = await planDeliveries(
    pipeline.db,
    events.map(({ id }) => ({ event_id: id, turn: 0 })),
  )
  return { lead, ...(await givenLease(pipeline.db, due?.delivery_id ?? '')) }
}
const deleteConfig = () => pipeline.db.transaction().execute((trx) => deleteWebhooks(trx, client, [config]))
const logsOf = (lead: string) =>
  pipeline.db
    .selectFrom('webhook_delivery_logs')
    .select(['delivery_status', 'response_status', 'next_attempt_at'])
    .where('lead_id', '=', lead)
    .execute()
const toldOf = async (lead: string) =>
  (
    await pipeline.db
      .selectFrom('events')
      .select(['type', 'data'])
      .where('lead_id', '=', lead)
      .where(sql<boolean>`type like 'delivery.%'`)
      .execute()
  ).map(({ type, data }) => ({ type, data }))

test('a lead that was accepted after the deletion of its webhook is in the log and, once, on the timeline', async () => {
  const { lead, delivery, token } = await givenSending()
  const taken = attemptRecord(delivery, token, { outcome: 'accepted' })
  expect(await deleteConfig()).toEqual([config])

  expect(await recordAttempts(pipeline.db, [taken])).toMatchObject([
    { lost: 'webhook_deleted', next_attempt_at: null },
  ])
  await recordAttempts(pipeline.db, [taken])

  expect(await logsOf(lead)).toEqual([
    { delivery_status: 'delivered', response_status: 200, next_attempt_at: null },
  ])
  expect(await toldOf(lead)).toMatchObject([
    {
      type: 'delivery.succeeded',
      data: { delivery_id: delivery.delivery_id, webhook_config_id: config, attempt: 1, outcome: 'accepted' },
    },
  ])
})

test('a lead that was refused after the deletion of its webhook is only in the log, and gets no retry', async () => {
  const { lead, delivery, token } = await givenSending()
  await deleteConfig()
  const failed = attemptRecord(delivery, token, {
    state: 'pending',
    retry_in_seconds: 60,
    response_status: 500,
  })

  expect(await recordAttempts(pipeline.db, [failed])).toMatchObject([
    { lost: 'webhook_deleted', next_attempt_at: null },
  ])
  expect(await logsOf(lead)).toEqual([
    { delivery_status: 'failed', response_status: 500, next_attempt_at: null },
  ])
  expect(await toldOf(lead)).toEqual([])
})

test('an answer for an erased lead says that the lead was erased, even if the webhook was deleted afterwards', async () => {
  const [first, second] = [await givenSending(), await givenSending()]
  await pipeline.db.transaction().execute((trx) => eraseLead(trx, first.lead))
  expect(await recordAttempts(pipeline.db, [attemptRecord(first.delivery, first.token)])).toMatchObject([
    { lost: 'lead_erased', next_attempt_at: null },
  ])

  await pipeline.db.transaction().execute((trx) => eraseLead(trx, second.lead))
  await deleteConfig()
  await recordAttempts(pipeline.db, [attemptRecord(second.delivery, second.token)])
  expect(await toldOf(second.lead)).toMatchObject([{ type: 'delivery.cancelled' }])
  const { rows } = await sql`
    select 1 from webhook_delivery_log_bodies b join webhook_delivery_logs g on g.id = b.id
    where g.lead_id in (${first.lead}, ${second.lead})`.execute(pipeline.db)
  expect(rows).toEqual([])
})

test('a worker that got no answer to its record can record again: the attempt is kept, and its retry is known', async () => {
  const { lead, delivery, token } = await givenSending()
  const failed = attemptRecord(delivery, token, {
    state: 'pending',
    retry_in_seconds: 60,
    response_status: 500,
  })
  const [first] = await recordAttempts(pipeline.db, [failed])
  expect(first).toMatchObject({ lost: null, next_attempt_at: expect.any(Date) as unknown })

  expect(await recordAttempts(pipeline.db, [failed])).toEqual([first])
  expect(await logsOf(lead)).toHaveLength(1)
})
