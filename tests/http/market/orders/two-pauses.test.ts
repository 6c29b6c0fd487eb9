import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminOrderSchema } from '#core/contract/market/admin-order.ts'
import { orderSchema } from '#core/contract/market/order.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { freshState, givenOffers, givenOrder, topUp } from '#tests/support/given/market.ts'
import { startApp, type Person, type TestApp } from '../../support/start-app.ts'

let app: TestApp
let client: Person
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
  const { db } = app.context
  await db.updateTable('client_accounts').set({ status: 'active' }).where('user_id', '=', client.id).execute()
  await topUp(db, client.id, '1000.00')
})
afterAll(() => app.close())

async function change(id: string, body: object) {
  const path = `/api/v1/admin/orders/${id}`
  const { status, json } = await app.call('PATCH', path, { token: app.admin.token, body })
  return { status, json, order: adminOrderSchema.safeParse(json).data }
}

test('the client’s own pause outlasts an administrator’s, and both are shown meanwhile', async () => {
  const own = await givenOrder(app.context.db, client.id, { paused_by: 'client' })
  expect((await change(own, { version: 1, paused: true, reason: 'Licence ended' })).order).toMatchObject({
    paused_by: 'admin',
    paused_by_client: true,
  })
  expect((await change(own, { version: 2, paused: true, reason: 'Card declined' })).order).toMatchObject({
    pause_reason: 'Card declined',
    paused_by_client: true,
  })
  expect((await change(own, { version: 3, paused: false })).order).toMatchObject({
    paused_by: 'client',
    paused_by_client: true,
    pause_reason: null,
  })
})

test('a new order that its client pauses stays paused when the inherited pause ends', async () => {
  const owner = await app.newClient()
  await givenOrder(app.context.db, owner.id, { paused_by: 'admin' })
  const body = { name: 'Mine', lead_type: 'final_expense', timezone: 'America/Chicago' }
  const made = await app.call('POST', '/api/v1/orders', { token: owner.token, body })
  expect(made.json).toMatchObject({ paused_by: 'admin', paused_by_client: true })
  expect((await change(made.json.id, { version: 1, paused: false })).order).toMatchObject({
    paused_by: 'client',
    paused_by_client: true,
  })
})

/** Sequences of pausing and resuming, different in each row. */
const PLAYS = ['cACa', 'AcaC', 'cAaC', 'AcCa', 'cAAaC', 'cCACa', 'AaccC', 'CaAcC', 'acAaC', 'ccAACa'] as const

test.each(PLAYS)('an order buys only while it has neither pause (%s)', async (play) => {
  const { db, market } = app.context
  const state = freshState()
  const id = await givenOrder(db, client.id, { states: [state] })
  const read = async () =>
    orderSchema.parse((await app.call('GET', `/api/v1/orders/${id}`, { token: client.token })).json)
  const press = async (act: 'pause' | 'resume') =>
    (await app.call('POST', `/api/v1/orders/${id}/${act}`, { token: client.token })).status
  const decide = async (paused: boolean) => {
    const body = { version: (await read()).version, paused, ...(paused && { reason: 'Licence ended' }) }
    return (await change(id, body)).status
  }
  const is = { theirs: false, own: false }
  // c and C: the client pauses and resumes; a and A: an administrator pauses and resumes.
  for (const act of play) {
    const before = { ...is }
    const status = await {
      c: () => press('pause'),
      C: () => press('resume'),
      A: () => decide(true),
      a: () => decide(false),
    }[act as 'a' | 'A' | 'c' | 'C']()
    if (act === 'c') is.own = true
    if (act === 'C') is.own = false
    if (act === 'A') is.theirs = true
    if (act === 'a') is.theirs = false
    // Nobody can end a pause that is only the other's.
    const isRefused =
      (act === 'C' && !before.own && before.theirs) || (act === 'a' && !before.theirs && before.own)
    expect([act, status]).toEqual([act, isRefused ? 409 : 200])
    expect(await read()).toMatchObject({
      paused_by: is.theirs ? 'admin' : is.own ? 'client' : null,
      paused_by_client: is.own,
    })
    const [lead = ''] = await givenOffers(db, [{ state }])
    expect(await assignLeads(market, [lead])).toHaveLength(is.theirs || is.own ? 0 : 1)
  }
})
