import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { adminLeadSchema } from '#core/contract/leads/admin-lead.ts'
import { leadSummarySchema } from '#core/contract/leads/lead.ts'
import { REVOCATIONS_A_DAY } from '#core/contract/leads/revocation.ts'
import { needsSchema } from '#core/contract/operations/needs.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { givenLogRow } from '#tests/support/given/log-rows.ts'
import { givenOffers } from '#tests/support/given/market.ts'
import { givenMember } from '../../accounts/members/given-members.ts'
import { readAudit } from '../../market/read-audit.ts'
import type { Person } from '../../support/start-app.ts'
import { newPhone, openRevocations, reported } from './open-revocations.ts'

const { app, client, other, get, post, givenSold, reassign, detailOf, ownOf, isSuppressed } =
  await openRevocations()
const { db, market } = app.context

test('a client’s report about a lead that it bought counts for everybody, once, and tells present and former holders', async () => {
  const { lead, order, state, phone, email } = await givenSold()
  await reassign({ lead, order })
  expect((await post(`leads/${lead}/revocation`, client)).status).toBe(404)
  const first = reported(await post(`leads/${lead}/revocation`, other))
  expect(first.outcome).toBe('in_force')
  expect(reported(await post(`leads/${lead}/revocation`, other))).toEqual({ ...first, outcome: 'known' })
  expect(reported(await post('revocations', other, { contact: phone }))).toEqual({
    ...first,
    outcome: 'known',
  })
  expect([await isSuppressed(phone), await isSuppressed(email)]).toEqual([[null], [null]])

  const detail = await detailOf(first.revocation_id)
  expect(detail).toMatchObject({
    reported_by: 'client',
    reach: 'everybody',
    status: 'in_force',
    holders: 2,
    acknowledged: 0,
  })
  expect(detail.receipts.map(({ client: { user_id: id }, is_holding }) => [id, is_holding])).toEqual(
    expect.arrayContaining([
      [client.id, false],
      [other.id, true],
    ]),
  )
  expect(detail.business_days_left).toBe(10)
  const { rows } = await sql`
    select client_user_id, data ->> 'revocation_id' as revocation_id, data ->> 'reported_by' as reported_by from events
    where lead_id = ${lead} and type = 'lead.consent_revoked' order by client_user_id`.execute(db)
  expect(rows).toEqual(
    [client.id, other.id].toSorted().map((client_user_id) => ({
      client_user_id,
      revocation_id: first.revocation_id,
      reported_by: 'client',
    })),
  )

  // Nobody is sold the person again, by hand or by another lead.
  const [next = ''] = await givenOffers(db, [{ state, email }])
  await assignLeads(market, [next])
  expect(
    await db
      .selectFrom('assignment_decisions')
      .select(['outcome', 'reason'])
      .where('lead_id', '=', next)
      .execute(),
  ).toEqual([{ outcome: 'rejected', reason: 'suppressed' }])
  const again = await app.call('POST', `/api/v1/admin/leads/${lead}/offer-again`, {
    token: app.admin.token,
    body: { reason: 'Try' },
  })
  expect(again.status).toBe(409)
})

test('the former holder reads nothing of the person, acknowledges by a button, and counts as open until then', async () => {
  const { lead, order } = await givenSold({ first_name: 'Rosa' })
  await reassign({ lead, order })
  const { revocation_id: id } = reported(await post(`leads/${lead}/revocation`, other))
  const [mine] = await ownOf(client)
  expect(mine).toMatchObject({ lead_id: lead, lead_name: null, acknowledged_at: null, is_sent: false })
  expect((await get(`/api/v1/leads/${lead}`)).json).toMatchObject({ revocation: { acknowledged_at: null } })
  const { rows: mails } = await sql`
    select recipient_user_id, data from mails where template = 'consent_revoked' and notice_key = ${id}`.execute(
    db,
  )
  expect(mails).toHaveLength(2)

  expect((await post(`leads/${lead}/revocation/acknowledge`, client)).json).toMatchObject({
    acknowledged_by: 'person',
  })
  expect(await detailOf(id)).toMatchObject({ acknowledged: 1, holders: 2 })
  const third = await app.newClient()
  expect((await post(`leads/${lead}/revocation/acknowledge`, third)).status).toBe(404)
  expect(await ownOf(third)).toEqual([])
})

test('a client that returned a lead holds it no more, and revokes nothing', async () => {
  const { lead, phone } = await givenSold()
  const asked = await post(`leads/${lead}/return`, client, { reason: 'disconnected_number' })
  expect((await post(`admin/returns/${asked.json.id}/approve`, app.admin, {})).status).toBe(200)
  expect((await post(`leads/${lead}/revocation`, client)).status).toBe(404)
  expect(reported(await post('revocations', client, { contact: phone })).outcome).toBe('none')
  expect(await isSuppressed(phone)).toEqual([])
})

test('a revoked lead that is given to another person of the account is not sent to that person’s webhook, and the person reads Do not contact', async () => {
  const { lead } = await givenSold()
  const agent = await givenMember(app, client, 'agent')
  await post(`leads/${lead}/revocation`, client)
  const given = await post(`leads/${lead}/member`, client, { member_user_id: agent.id })
  expect(given.json).toMatchObject({ member_user_id: agent.id })
  const { rows } = await sql`
    select planned_at is not null as is_ended from events where lead_id = ${lead} and type = 'lead.given'`.execute(
    db,
  )
  expect(rows).toEqual([{ is_ended: true }])

  const [listed] = (await get('/api/v1/leads', agent)).json.data
  expect(listed).toMatchObject({ id: lead, consent_revoked: true })
  expect((await get(`/api/v1/leads/${lead}`, agent)).json).toMatchObject({
    consent_revoked: true,
    revocation: { acknowledged_at: null },
  })
  const told = await post(`leads/${lead}/revocation/acknowledge`, agent)
  expect(told).toMatchObject({ status: 200, json: { acknowledged_by: 'person' } })
})

test('lists mark revoked leads for the clients that were told and for administrators, and files do too', async () => {
  const { lead, order, state } = await givenSold()
  const [unmarked = ''] = await givenOffers(db, [{ state, phone: newPhone() }])
  await assignLeads(market, [unmarked])
  await reassign({ lead, order })
  await post(`leads/${lead}/revocation`, other)
  const isMarked = async (who: Person, id: string) =>
    (await get('/api/v1/leads?limit=100', who)).json.data
      .map((row) => leadSummarySchema.parse(row))
      .find((row) => row.id === id)?.consent_revoked
  expect([await isMarked(other, lead), await isMarked(client, unmarked)]).toEqual([true, false])
  expect(await isMarked(app.admin, lead)).toBe(true)
  const administered = await get('/api/v1/admin/leads?limit=100', app.admin)
  const marks = new Map(
    administered.json.data
      .map((row) => adminLeadSchema.parse(row))
      .map((row) => [row.id, row.consent_revoked]),
  )
  expect([marks.get(lead), marks.get(unmarked)]).toEqual([true, false])
  expect((await get(`/api/v1/leads/${lead}`)).json).toMatchObject({
    status: 'returned',
    consent_revoked: true,
  })
  const rows = (await get('/api/v1/leads.csv', other)).text.split('\r\n')
  expect(rows.find((row) => row.startsWith(lead))).toMatch(/,yes$/)
})

test('a revoked lead is not sent again, and the answer says why', async () => {
  const { lead } = await givenSold()
  const { json: webhook } = await post('webhook-configs', client, {
    webhook_name: 'CRM',
    endpoint_url: 'https://crm.example.com/hook',
  })
  const { rows } = await sql<{ id: string; event_id: string }>`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt, next_attempt_at, finished_at, failure_class)
    select id, type, ${webhook.id}, ${client.id}, ${lead}, 'failed', 1, null, now(), 'http_4xx' from events
    where lead_id = ${lead} and type = 'lead.assigned' returning id, event_id`.execute(db)
  const attempt = await givenLogRow(db, new Date(), {
    webhook_config_id: webhook.id,
    client_user_id: client.id,
    delivery_id: rows[0]?.id ?? '',
    event_id: rows[0]?.event_id ?? '',
    lead_id: lead,
    delivery_status: 'failed',
    response_status: 400,
  })
  await post(`leads/${lead}/revocation`, client)
  const again = () => post(`delivery-logs/${attempt}/resend`, client)
  expect(await again()).toMatchObject({
    status: 409,
    json: { detail: 'The person of this lead revoked consent. It is not sent again.' },
  })
  expect((await post(`delivery-logs/${attempt}/resend`, other)).status).toBe(404)
})

test('a lead of the client’s own, and a source that names a client, keep the person from this client alone', async () => {
  const source = await app.newSource({ owner: client })
  const person = { phone: newPhone(), email: `${randomUUID()}@example.com` }
  const lead = { lead_type: 'final_expense', first_name: 'Ana', last_name: 'Ruiz', state: 'TX', ...person }
  const posted = await post('leads', { token: source.key }, { ...lead, external_id: person.email })
  expect(reported(await post(`leads/${posted.json.lead_id}/revocation`, client)).outcome).toBe('in_force')
  expect(await isSuppressed(person.phone)).toEqual([client.id])
  expect(
    reported(await post('revocations', { token: source.key }, { external_id: person.email })).outcome,
  ).toBe('known')
  expect(reported(await post('revocations', other, { contact: person.phone }))).toEqual({
    outcome: 'none',
    revocation_id: null,
  })
})

test('a source of the market revokes only leads that it sent, and keeps nobody from those of other sources', async () => {
  const { lead, phone } = await givenSold()
  const [mine, foreign] = [await app.newSource(), await app.newSource()]
  await sql`update leads set source_id = ${mine.id}, external_id = 'A-1' where id = ${lead}`.execute(db)
  for (const report of [{ lead_id: lead }, { contact: phone }, { external_id: 'A-1' }])
    expect(reported(await post('revocations', { token: foreign.key }, report)).outcome).toBe('none')
  const done = reported(await post('revocations', { token: mine.key }, { external_id: 'A-1' }))
  expect(done.outcome).toBe('in_force')
  expect(await detailOf(done.revocation_id)).toMatchObject({
    reported_by: 'source',
    reach: 'leads',
    holders: 1,
  })
  expect(await isSuppressed(phone)).toEqual([])
  const { rows } =
    await sql`select consent_revoked_at is not null as is_revoked from leads where id = ${lead}`.execute(db)
  expect(rows).toEqual([{ is_revoked: true }])
})

test('beyond the daily limit a report waits, and an administrator approves or declines it', async () => {
  const buyer = other
  await sql`
    insert into revocations (reported_by, reach, status, client_user_id, revoked_at)
    select 'client', 'client', 'in_force', ${buyer.id}, now() from generate_series(1, ${REVOCATIONS_A_DAY})`.execute(
    db,
  )
  const ids: string[] = []
  for (let count = 0; count < 2; count += 1) {
    const { lead, order } = await givenSold()
    await reassign({ lead, order })
    const waiting = reported(await post(`leads/${lead}/revocation`, buyer))
    expect(waiting.outcome).toBe('waiting')
    expect(reported(await post(`leads/${lead}/revocation`, buyer))).toEqual(waiting)
    ids.push(waiting.revocation_id ?? '')
  }
  const needs = needsSchema.parse((await get('/api/v1/admin/needs', app.admin)).json)
  expect(needs.data.find(({ kind }) => kind === 'revocation')?.count).toBe(2)
  const [yes, no] = ids
  expect((await post(`admin/revocations/${yes}/approve`, app.admin, {})).json).toMatchObject({
    status: 'in_force',
    holders: 2,
  })
  expect(
    (await post(`admin/revocations/${no}/decline`, app.admin, { note: 'Sent by mistake' })).json,
  ).toMatchObject({
    status: 'declined',
    holders: 0,
  })
  expect((await post(`admin/revocations/${no}/approve`, app.admin, {})).status).toBe(409)
  expect((await post(`admin/revocations/${randomUUID()}/approve`, app.admin, {})).status).toBe(404)
  expect(await readAudit(app, 'revocation_declined')).toMatchObject([
    { details: { revocation_id: no, note: 'Sent by mistake' } },
  ])
  await sql`delete from revocations where client_user_id = ${buyer.id} and due_at is null and status = 'in_force'`.execute(
    db,
  )
})

test('an administrator revokes for a person at once, with a reason that does not name the person', async () => {
  const { lead, email } = await givenSold()
  const body = { contact: email, reason: `Letter of ${email}` }
  expect((await post('admin/revocations', app.admin, body)).status).toBe(422)
  const done = reported(await post('admin/revocations', app.admin, { lead_id: lead, reason: 'By letter' }))
  expect(await detailOf(done.revocation_id)).toMatchObject({
    reported_by: 'administrator',
    reason: 'By letter',
    holders: 1,
  })
  expect(
    reported(await post('admin/revocations', app.admin, { contact: email, reason: 'By letter' })),
  ).toEqual({
    ...done,
    outcome: 'known',
  })
  expect((await post('admin/revocations', client, { contact: email, reason: 'By letter' })).status).toBe(403)
  // Overdue ones are listed by themselves.
  await sql`update revocation_holders set due_at = now() - interval '1 hour' where revocation_id = ${done.revocation_id}`.execute(
    db,
  )
  const overdue = await get('/api/v1/admin/revocations?open=overdue', app.admin)
  expect(overdue.json.data).toMatchObject([{ id: done.revocation_id, is_overdue: true }])
})
