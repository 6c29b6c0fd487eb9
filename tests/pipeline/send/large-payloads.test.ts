import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { weightKey } from '#core/queue/read-queue-state.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { createSpeedClasses } from '#worker/endpoint/speed-classes.ts'
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

const COMMENTS = '"'.repeat(5000)
const template = (times: number): string =>
  JSON.stringify({ told: Array.from({ length: times }, () => '{{comments}}') })

let pipeline: TestPipeline
let crm: Receiver
beforeAll(async () => {
  crm = await startReceiver()
  pipeline = await startPipeline({ WEBHOOK_RETRY_SCHEDULE: '3600' })
})
afterAll(async () => {
  await pipeline.close()
  await crm.close()
})

test('a payload that is too long is not sent and says why; its retry arrives once the template is corrected', async () => {
  const { context, db } = pipeline
  const client = await givenClient(db)
  const { id } = await givenConfig(context, client, {
    endpoint_url: crm.url,
    payload_template: template(27),
    trigger_on_lead_created: true,
  })
  const lead = await givenLead(db, client, { comments: COMMENTS })
  await publishEventsOfLead(context, lead)
  const readLogs = () =>
    db
      .selectFrom('webhook_delivery_logs')
      .select(['delivery_status', 'error_class', 'error_message', 'response_status', 'remote_address'])
      .where('lead_id', '=', lead)
      .orderBy('created_at')
      .execute()
  const refused = {
    delivery_status: 'failed',
    error_class: 'invalid_request',
    error_message:
      'The payload would be longer than 262,144 bytes. Nothing was sent. Use fewer placeholders in Payload Template, or shorter names.',
    response_status: null,
    remote_address: null,
  }
  await waitUntil(async () => (await readLogs()).length > 0)
  expect(await readLogs()).toEqual([refused])
  expect(crm.requests).toEqual([])
  // Nothing is recorded about the endpoint, because it was not asked.
  const health = await waitUntil(() =>
    db
      .selectFrom('webhook_endpoint_health')
      .select(['last_error_class', 'failures_in_row', 'last_answer_at', 'unanswered_in_row'])
      .where('webhook_config_id', '=', id)
      .where('last_attempt_at', 'is not', null)
      .executeTakeFirst(),
  )
  expect(health).toEqual({
    last_error_class: 'invalid_request',
    failures_in_row: 1,
    last_answer_at: null,
    unanswered_in_row: 0,
  })

  await sql`
    update client_webhook_configs set payload_template = ${template(26)}, updated_at = now() where id = ${id}`.execute(
    db,
  )
  const { rows: due } = await sql<{ id: string }>`
    update webhook_deliveries set next_attempt_at = now() where lead_id = ${lead} and state = 'pending' returning id`.execute(
    db,
  )
  expect(due).toHaveLength(1)
  await drain(context)

  expect(crm.requests.map(({ body }) => body)).toEqual([
    template(26).replaceAll('{{comments}}', COMMENTS.replaceAll('"', '\\"')),
  ])
  expect(await readLogs()).toMatchObject([refused, { delivery_status: 'delivered' }])
})

test('the payload size of an endpoint is stored for the next worker until its payloads are small again', async () => {
  const { context, db } = pipeline
  const client = await givenClient(db)
  const { id } = await givenConfig(context, client, {
    endpoint_url: crm.url,
    payload_template: template(20),
    trigger_on_lead_created: true,
  })
  const send = async () => publishEventsOfLead(context, await givenLead(db, client, { comments: COMMENTS }))
  const key = weightKey(queuePrefix(context.config.redis), id)
  await send()
  await waitUntil(async () => Number(await context.redis.get(key)) > 20 * 2 * COMMENTS.length, {
    what: 'the weight being kept',
  })
  expect((await createSpeedClasses(context).read(id)).weight).toBeGreaterThan(20 * 2 * COMMENTS.length)

  await sql`update client_webhook_configs set payload_template = '{"a":1}', updated_at = now() where id = ${id}`.execute(
    db,
  )
  // A light payload is estimated at half of the previous one.
  const isForgotten = async () => {
    await send()
    await drain(context)
    return (await context.redis.exists(key)) === 0
  }
  await waitUntil(isForgotten, { what: 'the weight being forgotten' })
  expect((await createSpeedClasses(context).read(id)).weight).toBeUndefined()
})
