import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { adminLeadSchema, adminLeadTotalsSchema, leadStorySchema } from '#core/contract/leads/admin-lead.ts'
import { pageSchema } from '#core/contract/page.ts'
import { listAdminLeads } from '#core/data/leads/admin-leads.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { createLogRows } from '../../webhooks/log-rows.ts'
import { startForTwo } from '../start-for-two.ts'

const { app, client, get } = await startForTwo()
const { db, market } = app.context
let buyer: string
let order: string
let source: string
let sold: string
let unsold: string

beforeAll(async () => {
  source = (await app.newSource()).id
  buyer = await givenBuyer(db)
  await sql`update client_accounts set business_name = 'Acme Insurance' where user_id = ${buyer}`.execute(db)
  order = await givenOrder(db, buyer, { states: ['OH'], name: 'All of Ohio' })
  const leads = await givenOffers(db, [
    { state: 'OH', email: 'rosa@example.com', phone: '+12025550143', source_id: source },
    { state: 'TX', source_id: source },
  ])
  ;[sold = '', unsold = ''] = leads
  await sql`update leads set external_id = 'their-1' where id = ${sold}`.execute(db)
  await assignLeads(market, leads)
})

const list = async (query: string) => {
  const { status, json } = await get(`/api/v1/admin/leads?${query}`, app.admin)
  expect(status, query).toBe(200)
  return pageSchema(adminLeadSchema).parse(json)
}
const idsOf = async (query: string) => (await list(query)).data.map(({ id }) => id)
const totalsOf = async (query: string) =>
  adminLeadTotalsSchema.parse((await get(`/api/v1/admin/leads/totals?${query}`, app.admin)).json)

test('the administrators’ leads say who has each and why nobody has', async () => {
  const { data } = await list(`source=${source}`)
  expect(data).toMatchObject([
    { id: unsold, status: 'unassigned', outcome: 'no_buyer', holder: null, price: null },
    {
      id: sold,
      outcome: 'assigned',
      holder: { user_id: buyer, name: 'Acme Insurance' },
      price: '25.00',
      source: { id: source },
    },
  ])
})

test('each filter narrows the list and its totals alike', async () => {
  for (const query of [
    `client=${buyer}`,
    `order=${order}`,
    `source=${source}&outcome=assigned`,
    'search=ROSA@exam',
    'search=2025550143',
    `source=${source}&status=assigned`,
    `source=${source}&state=oh`,
    `client=${buyer}&outcome=assigned&from=2026-01-01&search=rosa`,
  ]) {
    expect(await idsOf(query), query).toEqual([sold])
    expect(await totalsOf(query), query).toEqual({
      leads: 1,
      has_more: false,
      sold: 1,
      revenue: '25.00',
      returned: 0,
      unsold: 0,
    })
  }
  const { reason } = (await list(`source=${source}&outcome=no_buyer`)).data[0] ?? {}
  expect(await idsOf(`source=${source}&reason=${reason ?? ''}`)).toEqual([unsold])
  expect(await idsOf(`source=${source}&reason=funds`)).toEqual([])
  expect(await idsOf(`source=${source}&to=2020-01-01`)).toEqual([])
  expect(await totalsOf(`source=${randomUUID()}`)).toMatchObject({ leads: 0, revenue: '0.00' })
})

test('a list goes on where its page ended, by client and without', async () => {
  await givenOffers(db, [{ state: 'OH' }, { state: 'OH' }]).then((leads) => assignLeads(market, leads))
  for (const query of [`client=${buyer}`, 'lead_type=final_expense']) {
    const whole = await idsOf(query)
    const read: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: z.infer<ReturnType<typeof pageSchema<typeof adminLeadSchema>>> = await list(
        `${query}&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
      read.push(...page.data.map(({ id }) => id))
      cursor = page.next_cursor
    }
    expect(read, query).toEqual(whole)
    expect(read.length).toBeGreaterThan(1)
  }
})

test('a page of a rare filter looks through some leads, and the next page goes on with older ones', async () => {
  const viewer = { user_id: app.admin.id, role: 'admin' } as const
  await givenOffers(db, [{ state: 'TX' }, { state: 'TX' }, { state: 'TX' }])
  const found: string[][] = []
  let after
  do {
    const { rows, end } = await listAdminLeads(db, viewer, { source }, { limit: 10, after }, 2)
    found.push(rows.map(({ id }) => id))
    after = end
  } while (after !== undefined)

  expect(found[0], 'the newest two are of no source').toEqual([])
  expect(found.flat()).toEqual(await idsOf(`source=${source}`))
  expect(await get(`/api/v1/admin/leads?source=${source}`, app.admin)).toMatchObject({
    json: { searched_to: null, next_cursor: null },
  })
})

test('a lead’s story has its receipt, everybody who had it and every cent', async () => {
  const { json } = await get(`/api/v1/admin/leads/${sold}`, app.admin)
  const story = leadStorySchema.parse(json)
  const client = { user_id: buyer, name: 'Acme Insurance' }
  expect(story).toMatchObject({
    receipt: { source: { id: source }, external_id: 'their-1', owner: null },
    holders: [{ client, order: { id: order, name: 'All of Ohio' }, price: '25.00', state: 'active' }],
    money: [{ client, entry_type: 'lead_purchase', amount: '-25.00', balance_after: '975.00' }],
    returns: [],
  })
  expect((await get(`/api/v1/admin/leads/${randomUUID()}`, app.admin)).status).toBe(404)
})

test('an administrator reads the attempt of any client; a client only its own', async () => {
  const planned = await createLogRows(app, client).planDelivery()
  const logs = await get(`/api/v1/webhook-configs/${planned.configId}/delivery-logs`)
  const id = logs.json.data[0]?.id ?? 'none'
  expect((await get(`/api/v1/admin/delivery-logs/${id}`, app.admin)).json).toMatchObject({ id })
  expect((await get(`/api/v1/admin/delivery-logs/${id}`)).status).toBe(403)
  expect((await get(`/api/v1/admin/delivery-logs/${randomUUID()}`, app.admin)).status).toBe(404)
})

test('a bad filter is refused by name, and a client may read none of it', async () => {
  for (const [query, path] of [
    ['client=me', 'client'],
    ['source=1', 'source'],
    ['outcome=lost', 'outcome'],
    ['reason=A%20B', 'reason'],
    ['from=yesterday', 'from'],
    ['cursor=bad', 'cursor'],
  ])
    expect((await get(`/api/v1/admin/leads?${query}`, app.admin)).json.errors, query).toMatchObject([
      { path },
    ])
  for (const path of ['/api/v1/admin/leads', '/api/v1/admin/leads/totals', `/api/v1/admin/leads/${sold}`])
    expect((await get(path)).status, path).toBe(403)
})
