import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimDeliveries } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { readClaimedLead } from '#core/data/webhooks/deliveries/claimed-lead.ts'
import { StoredDataError } from '#core/read-stored.ts'
import { waitUntil } from '#tests/support/condition.ts'
import {
  assignLead,
  givenClient,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline({ WEBHOOK_RETRY_SCHEDULE: '1,1' })
})
afterAll(async () => {
  await pipeline.close()
})

test('a configuration that does not fit its schema fails alone; the other deliveries of its batch are sent', async () => {
  const [good, bad] = [await startReceiver(), await startReceiver()]
  const client = await givenClient(pipeline.db)
  const broken = await givenConfig(pipeline.context, client, { endpoint_url: bad.url })
  for (let made = 0; made < 3; made += 1)
    await givenConfig(pipeline.context, client, { endpoint_url: good.url })
  await pipeline.db
    .updateTable('client_webhook_configs')
    .set({ custom_headers: '{"X-Source": 5}' })
    .where('id', '=', broken.id)
    .execute()

  const lead = await givenLead(pipeline.db, client)
  await assignLead(pipeline.db, lead)
  await publishEventsOfLead(pipeline.context, lead)
  await waitUntil(() => good.requests.length === 3, { what: 'the three others' })
  expect(bad.requests).toHaveLength(0)
  await good.close()
  await bad.close()
})

test('a lead that does not fit its schema is refused when it is read, not when it is claimed', async () => {
  expect(await claimDeliveries(pipeline.db, [], 30)).toEqual([])
  expect(() => readClaimedLead({ lead: '{"id":"1","name":58694702}' })).toThrow(StoredDataError)
})
