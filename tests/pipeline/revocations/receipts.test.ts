import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { findLeadsOfPerson } from '#core/data/leads/revocations/find-revocable.ts'
import { listHolders, listRevocations } from '#core/data/leads/revocations/list-revocations.ts'
import { readWorkToDo } from '#core/data/operations/work-to-do.ts'
import { acknowledge } from '#core/data/leads/revocations/receipts.ts'
import { countDaysToAct, findDeadline } from '#core/domain/leads/revocation-deadline.ts'
import { applyRevocation } from '#core/use-cases/revocations/apply-revocation.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { reassignLead } from '#core/use-cases/market/reassign-lead.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { setUpJourneys } from '#tests/support/given/journeys.ts'
import { freshState, givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { drain, givenConfig } from '#tests/support/given/pipeline.ts'
import { noteRevocationReceipts } from '#worker/housekeeping/notices/note-receipts.ts'

const journeys = setUpJourneys({ WEBHOOK_RETRY_SCHEDULE: '1' })
const ADMINISTRATOR = '01993a7c-5f0e-7c55-9d0b-3f6f6f1b2a09'
const LEAD_TEMPLATE = '{"new_lead":"{{name}}","phone":"{{phone}}"}'

/** Sells a lead to a first client, and moves it on to a second and a third. */
async function givenHeldInTurn(phone: string) {
  const { db, context } = journeys.pipeline
  const state = freshState()
  const clients = [await givenBuyer(db), await givenBuyer(db), await givenBuyer(db)] as const
  const orders = []
  for (const [index, client] of clients.entries())
    orders.push(await givenOrder(db, client, { states: [state], priority: index + 1 }))
  const [lead = ''] = await givenOffers(db, [{ state, phone }])
  await assignLeads(context.market, [lead])
  for (const order_id of orders.slice(1))
    await reassignLead(context.market, { lead_id: lead, order_id, by: ADMINISTRATOR }, async () => {})
  return { lead, clients }
}

async function revoke(phone: string) {
  const { db, context } = journeys.pipeline
  const contacts = { phones: [phone], emails: [] }
  const leads = await findLeadsOfPerson(db, contacts, { everybody: true })
  const person = { contacts, leads, foundAt: new Date() }
  const origin = { reported_by: 'consumer', reach: 'everybody', proof: 'sms' } as const
  const done = await db.transaction().execute((trx) => applyRevocation(context.market, trx, origin, person))
  await context.events.publish(done?.events ?? [])
  return done
}

const receiptsOf = async (id: string) => {
  await noteRevocationReceipts({ db: journeys.pipeline.db })
  const holders = await listHolders(journeys.pipeline.db, id)
  return new Map(holders.map((holder) => [holder.client.user_id, holder]))
}

test('a lead that three clients held in turn makes three deliveries, and each 2xx is a receipt', async () => {
  const { pipeline, crm } = journeys
  const { db, context } = pipeline
  const phone = '+12025550171'
  const { lead, clients } = await givenHeldInTurn(phone)
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
  const done = await revoke(phone)
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
  const receipts = await receiptsOf(done?.id ?? '')
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
  expect(await revoke(phone)).toBeUndefined()
  await drain(context)
  expect(crm.requests).toHaveLength(3)
})

test('the countdown of a revocation before Thanksgiving leaves out the holiday and both weekends', async () => {
  const { db } = journeys.pipeline
  const phone = '+12025550172'
  await givenHeldInTurn(phone)
  const done = await revoke(phone)
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
  const { lead, clients } = await givenHeldInTurn(phone)
  const done = await revoke(phone)
  const id = done?.id ?? ''
  expect(
    [...(await receiptsOf(id)).values()].map(({ acknowledged_at, is_sent }) => [acknowledged_at, is_sent]),
  ).toEqual([null, null, null].map((none) => [none, false]))
  const mailed = await sql<{ recipient_user_id: string }>`
    select recipient_user_id from mails where template = 'consent_revoked' and notice_key = ${id}`.execute(db)
  expect(mailed.rows.map((mail) => mail.recipient_user_id).toSorted()).toEqual([...clients].toSorted())
  const [first] = clients
  expect(await acknowledge(db, { user_id: first, person_id: first }, lead)).toBe(true)
  expect((await receiptsOf(id)).get(first)?.acknowledged_by).toBe('person')
})

test('a webhook that finally refuses gives no receipt, and its client is mailed', async () => {
  const { pipeline, crm } = journeys
  const { context } = pipeline
  const phone = '+12025550174'
  crm.answerWith(() => ({ status: 422, body: '' }))
  const { clients } = await givenHeldInTurn(phone)
  const [, , client] = clients
  await givenConfig(context, client, { endpoint_url: crm.url, events: ['lead.consent_revoked'] })
  const done = await revoke(phone)
  const id = done?.id ?? ''
  await waitUntil(
    async () => {
      const holder = (await receiptsOf(id)).get(client)
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
  await revoke(phone)
  const { rows } = await sql`
    select d.state, (select e.data ->> 'reason' from events e where e.lead_id = d.lead_id and e.type = 'delivery.cancelled') as reason
    from webhook_deliveries d where d.lead_id = ${lead}`.execute(db)
  expect(rows).toEqual([{ state: 'cancelled', reason: 'consent_revoked' }])
})

test('a lead that came after the search for the person is revoked with the others', async () => {
  const { db, context } = journeys.pipeline
  const phone = '+12025550179'
  const { lead } = await givenHeldInTurn(phone)
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

test('only holders of which a delivery has ended since are looked at, however many are open', async () => {
  const { pipeline, crm } = journeys
  const { db, context } = pipeline
  crm.answerWith(200)
  await noteRevocationReceipts({ db })
  const dueNow = async () =>
    (
      await sql`select id from revocation_holders where acknowledged_at is null and look_at <= now()`.execute(
        db,
      )
    ).rows
  const phone = '+12025550180'
  const { clients } = await givenHeldInTurn(phone)
  const [first] = clients
  await givenConfig(context, first, {
    endpoint_url: crm.url,
    events: ['lead.consent_revoked'],
    is_active: false,
  })
  const done = await revoke(phone)
  // Many clients that never answer, as they are after months: mailed, and with nothing under way.
  await sql`
    insert into revocation_holders (revocation_id, lead_id, client_user_id, due_at, mailed_at, event_id)
    select ${done?.id}, uuid_v7(), uuid_v7(), now(), now(), uuid_v7() from generate_series(1, 1000)`.execute(
    db,
  )
  await noteRevocationReceipts({ db })
  expect(await dueNow()).toEqual([])
  const looked = await readWorkToDo(db, { types: [], unplannedSeconds: 60 })
  expect(looked.revocations).toBe(false)

  await sql`analyze revocation_holders`.execute(db)
  const { rows: plan } = await sql<{ 'QUERY PLAN': string }>`
    explain (analyze, costs off, timing off, summary off, buffers off)
    select id from revocation_holders where acknowledged_at is null and look_at <= now() order by look_at limit 200`.execute(
    db,
  )
  const text = plan.map((line) => line['QUERY PLAN']).join('\n')
  expect(text).toContain('revocation_holders_to_look_at')
  expect(text).toContain('actual rows=0')

  // A delivery that ends is the one thing that is looked at.
  const { rows: holders } = await sql<{ id: string; event_id: string }>`
    select id, event_id from revocation_holders where revocation_id = ${done?.id} and client_user_id = ${first}`.execute(
    db,
  )
  const [holder] = holders
  const { id: webhook } = await givenConfig(context, first, { endpoint_url: crm.url })
  await sql`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, next_attempt_at)
    select ${holder?.event_id}, 'lead.consent_revoked', ${webhook}, ${first}, lead_id, 'held', null from revocation_holders
    where id = ${holder?.id}`.execute(db)
  expect(await dueNow()).toEqual([])
  await sql`update webhook_deliveries set state = 'delivered', finished_at = now() where event_id = ${holder?.event_id}`.execute(
    db,
  )
  expect(await dueNow()).toEqual([{ id: holder?.id }])
  await noteRevocationReceipts({ db })
  const read = await db
    .selectFrom('revocation_holders')
    .select('acknowledged_by')
    .where('id', '=', holder?.id ?? '')
    .executeTakeFirst()
  expect(read?.acknowledged_by).toBe('webhook')
  expect(await dueNow()).toEqual([])
})
