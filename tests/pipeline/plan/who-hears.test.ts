import { expect, test } from 'vitest'
import { setUpJourneys } from '#tests/support/given/journeys.ts'
import {
  assignLead,
  drain,
  givenClient,
  givenConfig,
  givenLead,
  publishEventsOfLead,
} from '#tests/support/given/pipeline.ts'

const journeys = setUpJourneys({ WEBHOOK_RETRY_SCHEDULE: '1,1,2' })

test('only subscribed, active configurations of the client get a lead', async () => {
  const { pipeline, crm, client, sendLead } = journeys
  const stranger = await givenClient(pipeline.db)
  await givenConfig(pipeline.context, stranger, {
    endpoint_url: `${crm.url}/stranger`,
    trigger_on_lead_created: true,
  })
  await givenConfig(pipeline.context, client, { endpoint_url: `${crm.url}/inactive`, is_active: false })
  await givenConfig(pipeline.context, client, {
    endpoint_url: `${crm.url}/unsubscribed`,
    trigger_on_lead_assigned: false,
  })
  await givenConfig(pipeline.context, client, { endpoint_url: `${crm.url}/mine` })
  await sendLead()
  await drain(pipeline.context)

  expect(crm.requests.map((request) => request.path)).toEqual(['/mine'])
})

test('only administrators get lead.created of a marketplace lead', async () => {
  const { pipeline, crm, client } = journeys
  const admin = await givenClient(pipeline.db, 'admin')
  await givenConfig(pipeline.context, admin, {
    endpoint_url: `${crm.url}/admin`,
    trigger_on_lead_created: true,
  })
  await givenConfig(pipeline.context, client, {
    endpoint_url: `${crm.url}/client`,
    trigger_on_lead_created: true,
  })
  const lead = await givenLead(pipeline.db, null)
  expect(await assignLead(pipeline.db, lead)).toMatchObject({ success: false, outcome: 'no_buyer' })
  await publishEventsOfLead(pipeline.context, lead)
  await drain(pipeline.context)
  await pipeline.db.deleteFrom('client_webhook_configs').where('client_user_id', '=', admin).execute()

  expect(crm.requests.map((request) => request.path)).toEqual(['/admin'])
})
