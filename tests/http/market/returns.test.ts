import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { giveLead } from '../leads/give-lead.ts'
import { startForTwo } from '../leads/start-for-two.ts'
import type { Person } from '../support/start-app.ts'
import { givePricedLead, readBalance } from './give-priced-lead.ts'

const { app, client, other, get } = await startForTwo()
const { db } = app.context

const ask = (lead: string, body: unknown = { reason: 'disconnected_number' }, who: Person = client) =>
  app.call('POST', `/api/v1/leads/${lead}/return`, { token: who.token, body })
const withdraw = (lead: string, who: Person = client) =>
  app.call('POST', `/api/v1/leads/${lead}/return/withdraw`, { token: who.token })
const decide = (id: string, end: 'approve' | 'deny', note?: string) =>
  app.call('POST', `/api/v1/admin/returns/${id}/${end}`, { token: app.admin.token, body: { note } })
const types = async (lead: string) =>
  (await get(`/api/v1/leads/${lead}`)).json.timeline.map(({ type }) => type)
const addWebhook = async (who: Person) =>
  (
    await app.call('POST', '/api/v1/webhook-configs', {
      token: who.token,
      body: { webhook_name: 'CRM', endpoint_url: 'https://crm.example.com/hook' },
    })
  ).json.id

describe('a request', () => {
  test('is made once, listed for its client and for administrators, and shown on the timeline', async () => {
    const lead = await givePricedLead(app, client)
    expect((await get(`/api/v1/leads/${lead}`)).json).toMatchObject({
      price: '25.00',
      disposition: 'new',
      return: null,
      returnable: { refusal: null, duplicate_days: 30 },
    })
    const asked = await ask(lead, { reason: 'wrong_number', note: 'It rings at a bakery' })
    expect(asked).toMatchObject({ status: 201, json: { lead_id: lead, status: 'pending', price: '25.00' } })

    const again = await ask(lead)
    expect([again.status, again.json.detail]).toEqual([409, 'A return was already requested for this lead'])
    expect(await types(lead)).toContain('lead.return_requested')
    expect((await get('/api/v1/returns?status=pending')).json.data.map(({ id }) => id)).toContain(
      asked.json.id,
    )
    expect((await get('/api/v1/returns', other)).json.data).toEqual([])
    const held = await get('/api/v1/admin/returns?status=pending', app.admin)
    expect(held.json.data.find(({ id }) => id === asked.json.id)).toMatchObject({
      client: { user_id: client.id, email: client.email },
      held_for_review: false,
      decided_by: null,
    })
  })

  test('is refused at its field with the reason, after its window, and for a free lead', async () => {
    const lead = await givePricedLead(app, client)
    for (const [body, path] of [
      [{}, 'reason'],
      [{ reason: 'not_interested' }, 'reason'],
      [{ reason: 'did_not_request', note: 'short' }, 'note'],
      [{ reason: 'language', price: 5 }, 'price'],
    ] as const) {
      const { status, json } = await ask(lead, body)
      expect([status, json.errors[0]?.path]).toEqual([422, path])
    }
    const late = await ask(await givePricedLead(app, client, {}, 7))
    expect([late.status, late.json.detail]).toEqual([
      409,
      expect.stringMatching(/^Return window closed on \w+ \d/),
    ])
    const free = await ask(await giveLead(app, client))
    expect([free.status, free.json.detail]).toEqual([409, 'This lead cost nothing and cannot be returned'])
  })

  test('for another client’s lead, or by a suspended client, is not found', async () => {
    const lead = await givePricedLead(app, other)
    for (const call of [await ask(lead), await withdraw(lead), await ask(crypto.randomUUID())])
      expect(call.status).toBe(404)
    const suspended = await app.newClient()
    const theirs = await givePricedLead(app, suspended)
    await sql`update profiles set status = 'suspended' where user_id = ${suspended.id}`.execute(db)
    expect((await ask(theirs, undefined, suspended)).json.detail).toBe('This account is suspended.')
  })

  test('of a client who has returned a fifth of the leads is held for review, not refused', async () => {
    const buyer = await app.newClient()
    const leads: string[] = []
    for (let count = 0; count < 20; count += 1) leads.push(await givePricedLead(app, buyer))
    await sql`update leads set status = 'returned' where id = any(${leads.slice(0, 5)}::uuid[])`.execute(db)
    const asked = await ask(leads[9] ?? '', undefined, buyer)
    expect(asked.status).toBe(201)
    const held = await get('/api/v1/admin/returns', app.admin)
    expect(held.json.data[0]).toMatchObject({ id: asked.json.id, held_for_review: true })
  })
})

describe('an approval', () => {
  test('credits the price, hides the person, cancels deliveries in flight, and is audited', async () => {
    const buyer = await app.newClient()
    const webhook = await addWebhook(buyer)
    const lead = await givePricedLead(app, buyer, { first_name: 'Hidden', phone: '2025550177' })
    const { rows } = await sql<{ id: string }>`
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id)
      select id, type, ${webhook}, ${buyer.id}, ${lead} from events where lead_id = ${lead} and type = 'lead.assigned'
      returning id`.execute(db)
    const { json: asked } = await ask(lead, undefined, buyer)
    const decided = await decide(asked.id, 'approve', 'Checked')
    expect(decided).toMatchObject({
      status: 200,
      json: { status: 'approved', decided_by: { email: app.admin.email } },
    })

    expect(await readBalance(app, buyer)).toEqual({ balance: '25.00', credits: 1, sum: '25.00' })
    const me = await app.call('GET', '/api/v1/me', { token: buyer.token })
    expect(me.json.unread_lead_count).toBe(0)
    const mine = await get(`/api/v1/leads/${lead}`, buyer)
    expect(mine.json).toMatchObject({ name: 'Returned: do not contact', phone: null, status: 'returned' })
    expect(mine.text).not.toMatch(/Hidden|5550177|rosa@/)
    expect(mine.json.timeline.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['lead.returned', 'delivery.cancelled']),
    )
    for (const path of ['leads?search=5550177', 'leads?search=rosa'])
      expect((await get(`/api/v1/${path}`, buyer)).json.data).toEqual([])
    const log = await get(`/api/v1/webhook-configs/${webhook}/delivery-logs`, buyer)
    expect(log.json.data).toMatchObject([{ lead: { name: 'Returned: do not contact', phone: null } }])
    expect(
      (await get(`/api/v1/webhook-configs/${webhook}/delivery-logs?search=5550177`, buyer)).json.data,
    ).toEqual([])
    const again = await app.call('POST', `/api/v1/delivery-logs/${rows[0]?.id}/resend`, {
      token: buyer.token,
    })
    expect([again.status, again.json.detail]).toEqual([409, 'This lead was returned. It is not sent again.'])
    const preview = { payload_template: {}, payload_type: 'JSON', lead_id: lead }
    const previewed = await app.call('POST', '/api/v1/webhook-configs/preview', {
      token: buyer.token,
      body: preview,
    })
    expect(previewed.status).toBe(404)
    // An administrator still sees the person.
    expect((await get(`/api/v1/leads/${lead}`, app.admin)).json).toMatchObject({ phone: '+12025550177' })
    const audit = await get('/api/v1/admin/audit?action=return_approved', app.admin)
    expect(audit.json.data[0]).toMatchObject({
      details: { return_id: asked.id, lead_id: lead, reason: 'disconnected_number', amount: '25.00' },
    })
  })

  test('succeeds once, and the second administrator learns that another was first', async () => {
    const lead = await givePricedLead(app, client)
    const { json: asked } = await ask(lead)
    await decide(asked.id, 'deny', 'The number answers')
    const second = await decide(asked.id, 'approve')
    expect([second.status, second.json.detail]).toEqual([
      409,
      `This return was denied already by ${app.admin.email}.`,
    ])
    expect((await withdraw(lead)).json.detail).toBe('This return is denied already.')
    expect((await get(`/api/v1/leads/${lead}`)).json).toMatchObject({
      status: 'assigned',
      return: { status: 'denied', decision_note: 'The number answers' },
    })
    expect((await ask(lead)).json.detail).toBe('A return was already requested for this lead')
    expect((await decide(crypto.randomUUID(), 'approve')).status).toBe(404)
    const forbidden = await app.call('POST', `/api/v1/admin/returns/${asked.id}/approve`, {
      token: client.token,
      body: {},
    })
    expect(forbidden.status).toBe(403)
  })

  test('names no erased person, and neither does its mail', async () => {
    const lead = await givePricedLead(app, client)
    const note = 'Jane Erased answered, of 12 Elm Street'
    const { json: asked } = await ask(lead, { reason: 'wrong_number', note })
    await decide(asked.id, 'deny', `The line is ${note}`)
    const places = async () => {
      const { rows } = await sql<{ place: string }>`
        select 'return' as place from lead_returns r where r::text like '%Elm Street%'
        union all select 'mail' from mails m where m::text like '%Elm Street%'`.execute(db)
      return rows.map(({ place }) => place)
    }
    expect(await places()).toEqual(['return', 'mail'])
    await app.call('POST', `/api/v1/admin/leads/${lead}/erase`, {
      token: app.admin.token,
      body: { reason: 'Asked for it' },
    })
    expect(await places()).toEqual([])
    expect((await get(`/api/v1/leads/${lead}`)).json).toMatchObject({
      return: { id: asked.id, status: 'denied', note: null, decision_note: null },
    })
  })

  test('of a lead that was erased meanwhile credits the money, and that of an erased account says so', async () => {
    const buyer = await app.newClient()
    const [lead, left] = [await givePricedLead(app, buyer), await givePricedLead(app, buyer)]
    const [first, second] = [
      (await ask(lead, undefined, buyer)).json.id,
      (await ask(left, undefined, buyer)).json.id,
    ]
    await app.call('POST', `/api/v1/admin/leads/${lead}/erase`, {
      token: app.admin.token,
      body: { reason: 'Asked for it' },
    })
    expect((await decide(first, 'approve')).status).toBe(200)
    expect((await get(`/api/v1/leads/${lead}`, app.admin)).json.status).toBe('redacted')
    expect(await readBalance(app, buyer)).toMatchObject({ balance: '25.00' })

    await sql`update auth.users set deleted_at = now() where id = ${buyer.id}`.execute(db)
    const refused = await decide(second, 'approve')
    expect([refused.status, refused.json.detail]).toEqual([
      409,
      expect.stringMatching(/^The account of this client was erased/),
    ])
    expect((await decide(second, 'deny')).status).toBe(200)
  })
})

test('twenty simultaneous approvals and withdrawals credit at most once, and all others get the reason', async () => {
  for (let round = 0; round < 3; round += 1) {
    const buyer = await app.newClient()
    const lead = await givePricedLead(app, buyer)
    const { json: asked } = await ask(lead, undefined, buyer)
    const calls = Array.from({ length: 20 }, (_one, index) =>
      (index + round) % 2 === 0 ? decide(asked.id, 'approve') : withdraw(lead, buyer),
    )
    const answers = await Promise.all(calls)

    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual([
      '200',
      ...Array<string>(19).fill('409'),
    ])
    const { status } = (await get(`/api/v1/leads/${lead}`, buyer)).json
    const credited = status === 'returned' ? 1 : 0
    const balance = credited === 1 ? '25.00' : '0.00'
    expect(await readBalance(app, buyer)).toEqual({ balance, credits: credited, sum: balance })
  }
})
