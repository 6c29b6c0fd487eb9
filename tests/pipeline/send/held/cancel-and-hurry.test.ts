import { expect, test } from 'vitest'
import { cancelDeliveries } from '#core/data/webhooks/deliveries/cancel-deliveries.ts'
import { hurryRetry } from '#core/data/webhooks/deliveries/resend-deliveries.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { openPipeline } from '#tests/support/given/open-pipeline.ts'
import { drain, givenConfig, givenLead, publishEventsOfLead } from '#tests/support/given/pipeline.ts'

const pipeline = openPipeline()

async function sendLead(): Promise<void> {
  await givenConfig(pipeline.context, pipeline.client, {
    endpoint_url: pipeline.crm.url,
    trigger_on_lead_created: true,
  })
  await publishEventsOfLead(pipeline.context, await givenLead(pipeline.db, pipeline.client))
}
const delivery = () =>
  pipeline.db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('client_user_id', '=', pipeline.client)
    .executeTakeFirstOrThrow()
const logs = () =>
  pipeline.db
    .selectFrom('webhook_delivery_logs')
    .select(['attempt_number', 'delivery_status', 'next_attempt_at'])
    .where('client_user_id', '=', pipeline.client)
    .orderBy('attempt_number')
    .execute()
const retryIsPlanned = () =>
  waitUntil(async () => {
    const found = await delivery().catch(() => undefined)
    return found?.attempt === 1 && found.lease_token === null ? found : undefined
  })

test('a planned retry that is moved forward is made at once, and only once, as the next attempt', async () => {
  pipeline.crm.answerWith((_request, index) => (index === 0 ? 500 : 200))
  await sendLead()
  const { id } = await retryIsPlanned()
  const due = await hurryRetry(pipeline.db, pipeline.client, id)
  expect(due).toMatchObject({ delivery_id: id, attempt: 2 })
  await pipeline.context.deliveries.publish(due === undefined ? [] : [due])

  await drain(pipeline.context)
  expect(pipeline.crm.requests.map(({ headers }) => headers['leadwire-attempt'])).toEqual(['1', '2'])
  expect((await logs()).map((row) => row.delivery_status)).toEqual(['failed', 'delivered'])
})

test('a retry that was moved forward while Redis was away is found without a wake-up', async () => {
  pipeline.crm.answerWith((_request, index) => (index === 0 ? 500 : 200))
  await sendLead()
  const { id } = await retryIsPlanned()
  await hurryRetry(pipeline.db, pipeline.client, id)

  await drain(pipeline.context)
  expect(pipeline.crm.requests).toHaveLength(2)
})

test.each([
  { answer: 500, state: 'cancelled', logged: 'failed' },
  { answer: 200, state: 'delivered', logged: 'delivered' },
])(
  'a delivery cancelled while its request is in flight is $state after $answer, logged, and never sent again',
  async ({ answer, state, logged }) => {
    const cancelling = Promise.withResolvers<void>()
    pipeline.crm.answerWith({ status: answer, after: cancelling.promise })
    await sendLead()
    await pipeline.crm.waitForCount(1)
    const [cancelled] = await cancelDeliveries(
      pipeline.db,
      pipeline.client,
      { delivery_id: (await delivery()).id },
      pipeline.client,
    )
    cancelling.resolve()
    expect(cancelled?.is_sending).toBe(true)

    await waitUntil(async () => (await logs()).length === 1)
    expect(await logs()).toEqual([{ attempt_number: 1, delivery_status: logged, next_attempt_at: null }])
    expect(await delivery()).toMatchObject({ state, attempt: 1, next_attempt_at: null, lease_token: null })
    await drain(pipeline.context)
    expect(pipeline.crm.requests).toHaveLength(1)
  },
)
