import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { ReceivedRequest } from '#scripts/lab/receiver/receive-requests.ts'
import { setUpJourneys } from '#tests/support/given/journeys.ts'
import { assignLead, drain, givenConfig, publishEventsOfLead } from '#tests/support/given/pipeline.ts'

const journeys = setUpJourneys({ WEBHOOK_RETRY_SCHEDULE: '1,1' })

const sequences = (requests: readonly ReceivedRequest[]) =>
  requests.map(({ headers }) => [headers['leadwire-event'], headers['leadwire-sequence'] ?? 'none'].join(' '))

test('a delivery has the number of its entry, the same on each retry and resend', async () => {
  const { pipeline, crm, client, sendLead } = journeys
  crm.answerWith((_request, index) => (index === 0 ? 500 : 200))
  await givenConfig(pipeline.context, client, { endpoint_url: crm.url })
  const lead = await sendLead()
  await drain(pipeline.context)
  await sendLead()
  await drain(pipeline.context)
  await sql`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, resend_of)
    select event_id, event_type, webhook_config_id, client_user_id, lead_id, id from webhook_deliveries
    where lead_id = ${lead}`.execute(pipeline.db)
  await drain(pipeline.context)

  expect(sequences(crm.requests)).toEqual([
    'lead.assigned 1',
    'lead.assigned 1',
    'lead.assigned 2',
    'lead.assigned 1',
  ])
})

test('both events of a lead that comes in with its assignment have its number; before it, none has', async () => {
  const { pipeline, crm, client, sendLead } = journeys
  await givenConfig(pipeline.context, client, { endpoint_url: crm.url, trigger_on_lead_created: true })
  await sendLead()
  const together = await pipeline.db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto('leads')
      .values({ user_id: client, lead_type: 'final_expense' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('events')
      .values({ type: 'lead.created', lead_id: id, client_user_id: client })
      .execute()
    await assignLead(trx, id)
    return id
  })
  await publishEventsOfLead(pipeline.context, together)
  await drain(pipeline.context)
  expect(sequences(crm.requests).toSorted()).toEqual([
    'lead.assigned 1',
    'lead.assigned 2',
    'lead.created 2',
    'lead.created none',
  ])
})

test('a lead that was given to a person has the number of its assignment', async () => {
  const { pipeline, crm, client, sendLead } = journeys
  const lead = await sendLead()
  await drain(pipeline.context)
  await givenConfig(pipeline.context, client, { endpoint_url: crm.url })
  await sql`
    insert into events (type, lead_id, client_user_id, data)
    values ('lead.given', ${lead}, ${client}, '{"is_first": true}')`.execute(pipeline.db)
  await drain(pipeline.context)
  expect(sequences(crm.requests)).toEqual(['lead.assigned 1'])
})
