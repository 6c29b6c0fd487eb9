import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listHolders, listRevocations } from '#core/data/leads/revocations/list-revocations.ts'
import { acknowledge } from '#core/data/leads/revocations/receipts.ts'
import { tallyDead } from '#core/data/operations/queue-counts.ts'
import { countDaysToAct, findDeadline } from '#core/domain/leads/revocation-deadline.ts'
import { applyRevocation } from '#core/use-cases/revocations/apply-revocation.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { setUpJourneys } from '#tests/support/given/journeys.ts'
import { freshState, givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { drain, givenConfig } from '#tests/support/given/pipeline.ts'
import { givenHeldInTurn, receiptsOf, revoke } from './held-in-turn.ts'

const journeys = setUpJourneys({ WEBHOOK_RETRY_SCHEDULE: '1' })
const LEAD_TEMPLATE = '{"new_lead":"{{name}}","phone":"{{phone}}"}'

test('a lead that three clients held in turn makes three deliveries, and each 2xx is a receipt', async () => {
  const { pipeline, crm } = journeys
  const { db, context } = pipeline
  const phone = '+12025550171'
  const { lead, clients } = await givenHeldInTurn(journeys.pipeline, phone)
  const configs = new Map<string, string>()
  for (const client of clients) {
    const { id } = await givenConfig(context, client, {
      endpoint_url: `${crm.url}/${client}`,
      payload_template: LEAD_TEMPLATE,
      trigger_on_lead_assigned: false,
      events: ['lead.consent_revoked'],
    })
    configs.set(client, id)
  }
  const done = await revoke(journeys.pipeline, phone)
  const requests = await crm.waitForCount(3)
  await drain(context)

  expect(requests.map(({ path }) => path.slice(1)).toSorted()).toEqual([...clients].toSorted())
  for (const { headers, body } of requests) {
    expect(headers['leadwire-event']).toBe('lead.consent_revoked')
    expect(JSON.parse(body)).toMatchObject({
      event: 'lead.consent_revoked',
      lead_id: lead,
      revocation_id: done?.id,
      reported_by: 'consumer',
    })
    expect(body).not.toContain(phone)
  }
  const receipts = await receiptsOf(journeys.pipeline, done?.id ?? '')
  expect(clients.map((client) => receipts.get(client)?.acknowledged_by)).toEqual([
    'webhook',
    'webhook',
    'webhook',
  ])
  expect(clients.map((client) => receipts.get(client)?.is_holding)).toEqual([false, false, true])
  const mails =
    await sql`select from mails where template = 'consent_revoked' and notice_key = ${done?.id}`.execute(db)
  expect(mails.rows).toEqual([])
  // Said again, it adds nothing, and nobody is told twice.
  expect(await revoke(journeys.pipeline, phone)).toBeUndefined()
  await drain(context)
  expect(crm.requests).toHaveLength(3)
})

test('the countdown of a revocation before Thanksgiving leaves out the holiday and both weekends', async () => {
  const { db } = journeys.pipeline
  const phone = '+12025550172'
  await givenHeldInTurn(journeys.pipeline, phone)
  const done = await revoke(journeys.pipeline, phone)
  const [row] = await listRevocations(db, { id: done?.id ?? '' }, { limit: 1, after: undefined })
  const zone = 'America/New_York'
  expect(row?.due_on).toBe(findDeadline(new Date(row?.revoked_at ?? ''), zone).due_on)

  const { due_on } = findDeadline(new Date('2026-11-20T15:00:00Z'), zone)
  const left = [
    '2026-11-20',
    '2026-11-25',
    '2026-11-26',
    '2026-11-27',
    '2026-11-30',
    '2026-12-07',
    '2026-12-08',
  ].map((day) => countDaysToAct(due_on, new Date(`${day}T15:00:00Z`), zone))
  expect([due_on, left]).toEqual(['2026-12-07', [10, 7, 7, 6, 5, 0, -1]])
})

test('a holder without a webhook is mailed once, and is open until somebody presses Acknowledge', async () => {
  const { db } = journeys.pipeline
  const phone = '+12025550173'
  const { lead, clients } = await givenHeldInTurn(journeys.pipeline, phone)
  const done = await revoke(journeys.pipeline, phone)
  const id = done?.id ?? ''
  expect(
    [...(await receiptsOf(journeys.pipeline, id)).values()].map(({ acknowledged_at, is_sent }) => [
      acknowledged_at,
      is_sent,
    ]),
  ).toEqual([null, null, null].map((none) => [none, false]))
  const mailed = await sql<{ recipient_user_id: string }>`
    select recipient_user_id from mails where template = 'consent_revoked' and notice_key = ${id}`.execute(db)
  expect(mailed.rows.map((mail) => mail.recipient_user_id).toSorted()).toEqual([...clients].toSorted())
  const [first] = clients
  expect(await acknowledge(db, { user_id: first, person_id: first }, lead)).toBe(true)
  expect((await receiptsOf(journeys.pipeline, id)).get(first)?.acknowledged_by).toBe('person')
})

test('a webhook that finally refuses gives no receipt, and its client is mailed', async () => {
  const { pipeline, crm } = journeys
  const { context } = pipeline
  const phone = '+12025550174'
  crm.answerWith(() => ({ status: 422, body: '' }))
  const { clients } = await givenHeldInTurn(journeys.pipeline, phone)
  const [, , client] = clients
  await givenConfig(context, client, { endpoint_url: crm.url, events: ['lead.consent_revoked'] })
  const done = await revoke(journeys.pipeline, phone)
  const id = done?.id ?? ''
  await waitUntil(
    async () => {
      const holder = (await receiptsOf(journeys.pipeline, id)).get(client)
      return holder?.mailed_at !== null && holder?.is_sent === true && holder.acknowledged_at === null
    },
    { what: 'The mail', timeoutMs: 15_000 },
  )
})

test('what waits of a revoked lead is cancelled with the reason, and is not sent again', async () => {
  const { pipeline, crm } = journeys
  const { db, context } = pipeline
  const phone = '+12025550175'
  const state = freshState()
  const client = await givenBuyer(db)
  await givenConfig(context, client, { endpoint_url: crm.url, is_active: false })
  await givenOrder(db, client, { states: [state] })
  const [lead = ''] = await givenOffers(db, [{ state, phone }])
  const sold = await assignLeads(context.market, [lead])
  expect(sold).toHaveLength(1)
  await context.events.publish(
    (
      await sql<{ id: string; type: string; client_user_id: string }>`
      select id, type, client_user_id from events where lead_id = ${lead} and planned_at is null`.execute(db)
    ).rows,
  )
  await waitUntil(
    async () =>
      (await sql`select from webhook_deliveries where lead_id = ${lead}`.execute(db)).rows.length === 1,
    { what: 'A held delivery' },
  )
  await revoke(journeys.pipeline, phone)
  const { rows } = await sql`
    select d.state, (select e.data ->> 'reason' from events e where e.lead_id = d.lead_id and e.type = 'delivery.cancelled') as reason
    from webhook_deliveries d where d.lead_id = ${lead}`.execute(db)
  expect(rows).toEqual([{ state: 'cancelled', reason: 'consent_revoked' }])
})

test('failed deliveries of a revoked lead are no dead letters any more, also if their resend is cancelled', async () => {
  const { pipeline, crm } = journeys
  const { db, context } = pipeline
  const phone = '+12025550176'
  const { lead, clients } = await givenHeldInTurn(pipeline, phone)
  const [, , client] = clients
  const webhooks: string[] = []
  for (const _webhook of [1, 2])
    webhooks.push((await givenConfig(context, client, { endpoint_url: crm.url, is_active: false })).id)
  await sql`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt, finished_at)
    select id, 'lead.assigned', webhook, ${client}, ${lead}, 'failed', 2, now() from events cross join unnest(${webhooks}::uuid[]) webhook
    where lead_id = ${lead} and client_user_id = ${client} and type = 'lead.assigned'`.execute(db)
  await sql`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, next_attempt_at, resend_of)
    select event_id, event_type, webhook_config_id, client_user_id, lead_id, 'held', null, id from webhook_deliveries
    where webhook_config_id = ${webhooks[0]}`.execute(db)
  const dead = async () =>
    (await tallyDead(db)).map((one) => one.webhook_config_id).filter((id) => webhooks.includes(id))
  expect(await dead()).toEqual([webhooks[1]])
  await revoke(pipeline, phone)
  expect(await dead()).toEqual([])
})

test('a lead that came after the search for the person is revoked with the others', async () => {
  const { db, context } = journeys.pipeline
  const phone = '+12025550179'
  const { lead } = await givenHeldInTurn(journeys.pipeline, phone)
  const person = {
    contacts: { phones: [phone], emails: [] },
    leads: [],
    foundAt: new Date(Date.now() - 120_000),
  }
  const origin = { reported_by: 'consumer', reach: 'everybody', proof: 'sms' } as const
  const done = await db.transaction().execute((trx) => applyRevocation(context.market, trx, origin, person))
  expect(done?.leads).toBe(1)
  expect((await listHolders(db, done?.id ?? '')).map(({ lead_id: id }) => id)).toEqual([lead, lead, lead])
})
