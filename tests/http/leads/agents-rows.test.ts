import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { readAttemptRecords } from '#core/data/realtime/read-records.ts'
import { meSchema } from '#core/contract/accounts/account.ts'
import { agentFiguresSchema } from '#core/contract/market/agent-figures.ts'
import { analyticsSchema } from '#core/contract/market/analytics.ts'
import { orderSchema } from '#core/contract/market/order.ts'
import { webhookConfigSchema } from '#core/contract/webhooks/webhook-config.ts'
import { PERMISSIONS_OF_MEMBER } from '#core/contract/accounts/member-role.ts'
import { apiRoutes } from '#server/api-routes.ts'
import { mayOf } from '#server/http/route.ts'
import { givenLogRow } from '#tests/support/given/log-rows.ts'
import { topUp } from '#tests/support/given/market.ts'
import type { Person } from '../support/start-app.ts'
import { giveEventBeside, giveRows, type Rows } from './give-rows.ts'
import { startForTwo } from './start-for-two.ts'

const { app, client: owner, other: agent, get } = await startForTwo()
const { db } = app.context
let second: Person
let manager: Person

let own: Rows
let others: Rows
let shared: Rows

const post = async (path: string, body: object, who = owner) =>
  await app.call('POST', path, { token: who.token, body })
const patch = async (path: string, body: object, who = owner) =>
  await app.call('PATCH', path, { token: who.token, body })

beforeAll(async () => {
  second = await app.newClient()
  manager = await app.newClient()
  await sql`update client_accounts set status = 'active', licensed_states = '{}' where user_id = ${owner.id}`.execute(
    db,
  )
  await topUp(db, owner.id, '1000.00')
  for (const [person, role] of [
    [agent, 'agent'],
    [second, 'agent'],
    [manager, 'manager'],
  ] as const)
    await sql`insert into account_members (user_id, account_id, role) values (${person.id}, ${owner.id}, ${role})`.execute(
      db,
    )
  shared = await giveRows(app, { owner, who: owner, state: 'OR', name: 'Shared' })
  own = await giveRows(app, { owner, who: agent, state: 'TX', name: 'Own' })
  others = await giveRows(app, { owner, who: second, state: 'WA', name: 'Others' })
})

const SECRET = /Zelda (?:Others|Shared)|(?:CRM|Order) of (?:Others|Shared)|(?:Others|Shared)@quill/

/** Paths that an agent's role includes. */
const open = apiRoutes.filter((route) => {
  const may = mayOf(route)
  return route.who === 'user' && may !== 'self' && PERMISSIONS_OF_MEMBER.agent.includes(may)
})

test('an agent’s new orders and webhooks are the agent’s own, and so are the leads that they buy', async () => {
  const order = await get(`/api/v1/orders/${own.order}`, agent)
  expect(order.json).toMatchObject({ member_user_id: agent.id, client_user_id: owner.id })
  expect((await get(`/api/v1/webhook-configs/${own.webhook}`, agent)).json).toMatchObject({
    member_user_id: agent.id,
  })
  expect((await get(`/api/v1/leads/${own.lead}`, agent)).json).toMatchObject({ member_user_id: agent.id })
  const foreign = { webhook_name: 'X', endpoint_url: 'https://crm.example.com/x', member_user_id: second.id }
  expect(await post('/api/v1/webhook-configs', foreign, agent)).toMatchObject({ status: 422 })
})

test('an agent’s counts of unread leads and active orders are the agent’s own', async () => {
  const counts = async (who: Person) => {
    const { json } = await get('/api/v1/me', who)
    const { unread_lead_count: unread, active_order_count: orders } = meSchema.parse(json)
    return { unread, orders }
  }
  expect(await counts(second)).toEqual({ unread: 1, orders: 1 })
  expect(await counts(owner)).toEqual({ unread: 2, orders: 3 })
})

test('an agent gets 404 for rows of others by every route whose path has an id', async () => {
  const ids = [others, shared].flatMap((rows) => Object.values(rows) as string[])
  const withId = open.filter(({ path }) => path.includes(':id'))
  expect(withId.length).toBeGreaterThan(20)
  for (const { method, path } of withId)
    for (const id of ids) {
      const options = { token: agent.token, ...(method === 'get' ? {} : { body: {} }) }
      const { status } = await app.call(method.toUpperCase(), path.replace(':id', id), options)
      expect([method, path, status]).toEqual([method, path, 404])
    }
})

test('no answer that an agent may read names a person, webhook or order of others', async () => {
  const lists = open.filter(({ method, path }) => method === 'get' && !path.includes(':id'))
  const ownPaths = open
    .filter(({ method, path }) => method === 'get' && path.includes(':id'))
    .flatMap(({ path }) => Object.values(own).map((id: string) => path.replace(':id', id)))
  const paths = [
    ...lists.map(({ path }) => path).filter((path) => !path.endsWith('/changes')),
    ...ownPaths,
    ...[
      'search=Zelda',
      'search=quill',
      'sort=name',
      'delivery=failed',
      'unread=true',
      'disposition=new',
      'status=assigned',
    ].map((query) => `/api/v1/leads?${query}`),
    `/api/v1/leads?member=${second.id}`,
    '/api/v1/leads.csv?search=Zelda',
  ]
  for (const path of paths) {
    const { status, text } = await get(path, agent)
    expect([path, status]).not.toEqual([path, 500])
    expect([path, SECRET.exec(text)?.[0]]).toEqual([path, undefined])
  }
  const { json } = await get('/api/v1/leads', agent)
  expect(json.data.map(({ id }) => id)).toEqual([own.lead])
  for (const filter of ['delivery=failed', 'unread=true', 'search=Zelda', 'sort=price'])
    expect([filter, (await get(`/api/v1/leads?${filter}`, agent)).json.data.length]).toEqual([
      filter,
      filter === 'unread=true' ? 0 : 1,
    ])
  for (const path of ['/api/v1/orders', '/api/v1/webhook-configs', '/api/v1/webhook-configs/health'])
    expect([path, (await get(path, agent)).json.data.length]).toEqual([path, 1])
  expect((await get('/api/v1/analytics', agent)).json).toMatchObject({ totals: { leads: 1, attempted: 1 } })
  expect((await get('/api/v1/dashboard', agent)).json).toMatchObject({ leads: { today: 1 } })
})

test('an agent cannot reach leads of others by calls that name them in the body', async () => {
  for (const { lead, webhook } of [others, shared]) {
    const asked = [
      await post(
        '/api/v1/webhook-configs/preview',
        { payload_template: { name: '{{name}}' }, lead_id: lead },
        agent,
      ),
      await post('/functions/v1/webhook-delivery', { lead_id: lead, client_user_id: owner.id }, agent),
      await post('/functions/v1/test-webhook-endpoint', { webhookId: webhook }, agent),
      await post('/api/v1/rpc/assign_lead_to_buyer_concurrent', { lead_id_param: lead }, agent),
      await post('/api/v1/leads/mark-read', { lead_ids: [lead] }, agent),
    ]
    for (const { text } of asked) expect(text).not.toMatch(SECRET)
    expect(asked[2]?.json).toMatchObject({ success: false })
    expect(asked[3]?.json).toMatchObject({ outcome: 'not_found' })
    expect(asked[4]?.json).toEqual({ marked: 0 })
  }
})

test('an agent sees what was sent to an own webhook beside an own lead, and nobody else’s', async () => {
  const webhooks = [own.webhook, others.webhook]
  const { attempts, at } = await giveEventBeside(app, { owner, lead: own.lead, webhooks })
  const { json } = await get(
    `/api/v1/webhook-configs/${own.webhook}/delivery-logs?event_type=lead.consent_revoked`,
    agent,
  )
  expect(json.data).toMatchObject([{ id: attempts[0], lead_id: own.lead }])
  const rows = await get('/rest/v1/webhook_delivery_logs?event_type=eq.lead.consent_revoked&select=id', agent)
  expect(rows.json).toEqual([{ id: attempts[0] }])
  const seen = attempts.flatMap((id) => [agent, second].map((who) => ({ id, who })))
  const statuses = []
  for (const { id, who } of seen) statuses.push((await get(`/api/v1/delivery-logs/${id}`, who)).status)
  expect(statuses).toEqual([200, 404, 404, 404])
  const asked = attempts.map((id) => ({ id, created_at: at.toISOString() }))
  const heard = await readAttemptRecords(db, asked)
  expect(new Set(heard.map((row) => row.member_user_id))).toEqual(new Set([agent.id, null]))
  const dead = (await get(`/api/v1/admin/dead-letters?webhook=${own.webhook}`, app.admin)).json.data
  const told = { event_type: 'lead.consent_revoked', lead_id: own.lead }
  expect(dead).toContainEqual(expect.objectContaining(told))
})

test('a manager gives a lead to another agent, who then has it alone; an agent may not', async () => {
  const path = `/api/v1/leads/${own.lead}/member`
  expect((await post(path, { member_user_id: second.id }, agent)).status).toBe(403)
  const stranger = await app.newClient()
  expect((await post(path, { member_user_id: stranger.id }, manager)).status).toBe(422)
  expect((await post(path, { member_user_id: second.id, note: 'Call Zelda Own' }, manager)).status).toBe(422)
  const given = await post(path, { member_user_id: second.id, note: 'Speaks Spanish' }, manager)
  expect(given).toMatchObject({ status: 200, json: { member_user_id: second.id } })
  const told = {
    type: 'lead.given',
    data: { member_user_id: second.id, note: 'Speaks Spanish', by: manager.id },
  }
  expect(given.json.timeline.at(-1)).toMatchObject(told)

  expect((await get(`/api/v1/leads/${own.lead}`, agent)).status).toBe(404)
  expect((await get(`/api/v1/delivery-logs/${own.attempt}`, agent)).status).toBe(404)
  const logs = await get(`/api/v1/webhook-configs/${own.webhook}/delivery-logs`, agent)
  expect(logs.text).not.toContain('Zelda')
  expect((await post(`/api/v1/delivery-logs/${own.attempt}/resend`, {}, owner)).status).toBe(409)
  const { json } = await get(`/api/v1/leads/${own.lead}`, second)
  expect(json).toMatchObject({ id: own.lead, unread: expect.any(Boolean) as boolean })
  expect(JSON.stringify(json.deliveries)).not.toContain('CRM of Own')
  expect((await post(path, { member_user_id: second.id }, owner)).status).toBe(409)
  expect((await post(path, { member_user_id: agent.id }, owner)).status).toBe(200)
})

test('figures by person add up to those of the account, and no agent sees them', async () => {
  expect((await get('/api/v1/analytics/agents', agent)).status).toBe(403)
  const { json } = await get('/api/v1/analytics/agents')
  const rows = agentFiguresSchema.parse(json).data
  const all = analyticsSchema.parse((await get('/api/v1/analytics')).json)
  const leadsOf = (id: string | null) => rows.find((row) => row.member_user_id === id)?.leads
  expect([null, agent.id, second.id].map(leadsOf)).toEqual([1, 1, 1])
  expect(rows.reduce((sum, { spend }) => sum + Number(spend), 0)).toBe(Number(all.totals.spend))
})

test('an owner gives an order or a webhook to an agent, and takes it back', async () => {
  const webhook = `/api/v1/webhook-configs/${shared.webhook}`
  expect(await patch(webhook, { member_user_id: agent.id })).toMatchObject({
    status: 200,
    json: { member_user_id: agent.id },
  })
  expect((await get(webhook, agent)).status).toBe(200)
  expect(await patch(webhook, { member_user_id: null })).toMatchObject({
    status: 200,
    json: { member_user_id: null },
  })
  const order = `/api/v1/orders/${shared.order}`
  const { version } = orderSchema.parse((await get(order)).json)
  const changed = await patch(order, { member_user_id: second.id, version })
  expect(changed).toMatchObject({ status: 200, json: { member_user_id: second.id } })
})

test('an agent reads an attempt of an own lead at a shared webhook, and does nothing with it', async () => {
  const { rows } = await sql<{ id: string; event_id: string }>`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt, finished_at, failure_class)
    select event_id, event_type, ${shared.webhook}, client_user_id, lead_id, state, attempt, finished_at, failure_class
    from webhook_deliveries where id = ${own.delivery} returning id, event_id`.execute(db)
  const [delivery] = rows
  const attempt = await givenLogRow(
    db,
    new Date(),
    {
      webhook_config_id: shared.webhook,
      client_user_id: owner.id,
      lead_id: own.lead,
      delivery_id: delivery?.id ?? '',
      event_id: delivery?.event_id ?? '',
      delivery_status: 'failed',
      response_status: 400,
    },
    { request_body: 'Zelda Own' },
  )
  expect((await get(`/api/v1/delivery-logs/${attempt}`, agent)).status).toBe(200)
  expect((await get(`/api/v1/delivery-logs/${attempt}`, second)).status).toBe(404)
  expect((await post(`/api/v1/delivery-logs/${attempt}/resend`, {}, agent)).status).toBe(404)
})

test('an agent reads that the balance is too low, and not the balance', async () => {
  await sql`update orders set price = 5000 where id = ${own.order}`.execute(db)
  const path = `/api/v1/orders/${own.order}`
  expect((await get(path)).text).toMatch(/Balance \$[\d,.]+ is below the lead price \$5,000\.00/)
  const read = [await get(path, agent), await get('/api/v1/orders', agent), await get(path, manager)]
  for (const { text } of [...read, await get('/api/v1/orders/checklist', agent)])
    expect(text).toContain('The balance is below the lead price $5,000.00')
  await sql`update orders set price = null where id = ${own.order}`.execute(db)
})

test('an agent’s Idempotency-Key answers with no row of another', async () => {
  const body = { webhook_name: 'Twice', endpoint_url: 'https://crm.example.com/twice' }
  const create = ({ token }: Person) =>
    app.call('POST', '/api/v1/webhook-configs', { token, body, headers: { 'idempotency-key': 'one' } })
  const made = [await create(owner), await create(agent), await create(second), await create(agent)]
  expect(made.map(({ json }) => webhookConfigSchema.parse(json).member_user_id)).toEqual([
    null,
    agent.id,
    second.id,
    agent.id,
  ])
  expect(made[3]?.json.id).toBe(made[1]?.json.id)
})

test('a returned lead stays in its agent’s returns and figures, without the person', async () => {
  const asked = await post(`/api/v1/leads/${own.lead}/return`, { reason: 'language' }, agent)
  expect(asked.status).toBe(201)
  const decided = await app.call('POST', `/api/v1/admin/returns/${asked.json.id}/approve`, {
    token: app.admin.token,
    body: {},
  })
  expect(decided.status).toBe(200)
  expect((await get('/api/v1/returns', agent)).json.data).toMatchObject([
    { lead_id: own.lead, status: 'approved' },
  ])
  expect((await get('/api/v1/returns', second)).json.data).toEqual([])
  const lead = await get(`/api/v1/leads/${own.lead}`, agent)
  expect(lead).toMatchObject({ status: 200, json: { status: 'returned' } })
  expect(lead.text).not.toContain('Zelda')
  expect((await get('/api/v1/analytics', agent)).json).toMatchObject({ totals: { leads: 1, returned: 1 } })
})
