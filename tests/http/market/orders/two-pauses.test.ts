import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { adminOrderSchema } from '#core/contract/market/admin-order.ts'
import { orderSchema } from '#core/contract/market/order.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { freshState, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { LEAST, openOrders } from '../../support/open-orders.ts'

const orders = openOrders()
const { approve, call, create, db, fund } = orders
beforeEach(async () => {
  await approve()
  await fund(1000)
})

async function change(id: string, body: object) {
  const path = `/api/v1/admin/orders/${id}`
  const { status, json } = await orders.app.call('PATCH', path, { token: orders.app.admin.token, body })
  return { status, json, order: adminOrderSchema.safeParse(json).data }
}

test('the client’s own pause outlasts an administrator’s, and both are shown meanwhile', async () => {
  const own = await givenOrder(db(), orders.client.id, { paused_by: 'client' })
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
  await givenOrder(db(), orders.client.id, { paused_by: 'admin' })
  const made = await call('POST', '', LEAST)
  expect(made.json).toMatchObject({ paused_by: 'admin', paused_by_client: true })
  expect((await change(made.json.id, { version: 1, paused: false })).order).toMatchObject({
    paused_by: 'client',
    paused_by_client: true,
  })
})

test('an order that was paused by others cannot be resumed by its client, but can be paused by the client too', async () => {
  const { id } = await create({ active: true, states: [freshState()] })
  await sql`update orders set paused_by = 'admin', pause_reason = 'Too many returns' where id = ${id}`.execute(
    db(),
  )
  const refused = {
    status: 409,
    json: {
      code: 'conflict',
      detail:
        'An administrator has paused this order (Too many returns), and only an administrator can resume it.',
    },
  }
  expect(await call('POST', `/${id}/resume`)).toMatchObject(refused)
  expect((await call('POST', `/${id}/pause`)).json).toMatchObject({
    paused_by: 'admin',
    paused_by_client: true,
    state: { code: 'paused', sentence: 'Paused by you, and by an administrator: Too many returns' },
  })
  expect((await call('POST', `/${id}/pause`)).json).toMatchObject({ paused_by_client: true })
  expect((await call('POST', `/${id}/resume`)).json).toMatchObject({
    paused_by: 'admin',
    paused_by_client: false,
    pause_reason: 'Too many returns',
  })
  expect(await call('POST', `/${id}/resume`)).toMatchObject(refused)
})

test.each(['admin', 'system'])(
  'an order keeps its client’s own pause below others’ pauses (%s), whoever writes it',
  async (others) => {
    const { id } = await create({ states: [freshState()] })
    const pause = (by: string | null) =>
      sql`update orders set paused_by = ${by}, pause_reason = null where id = ${id}`.execute(db())
    await pause(others)
    expect((await call('GET', `/${id}`)).json).toMatchObject({ paused_by: others, paused_by_client: true })
    // A server of the previous version ends it like this.
    await pause(null)
    expect((await call('GET', `/${id}`)).json).toMatchObject({
      paused_by: 'client',
      paused_by_client: true,
    })
    expect((await call('POST', `/${id}/resume`)).json).toMatchObject({
      paused_by: null,
      paused_by_client: false,
    })
    await pause(others)
    await pause(null)
    expect((await call('GET', `/${id}`)).json).toMatchObject({ paused_by: null, paused_by_client: false })
  },
)

/** Sequences of pausing and resuming, different in each row. */
const PLAYS = ['cACa', 'AcaC', 'cAaC', 'AcCa', 'cAAaC', 'cCACa', 'AaccC', 'CaAcC', 'acAaC', 'ccAACa'] as const

test.each(PLAYS)('an order buys only while it has neither pause (%s)', async (play) => {
  const { market } = orders.app.context
  const state = freshState()
  const id = await givenOrder(db(), orders.client.id, { states: [state] })
  const read = async () => orderSchema.parse((await call('GET', `/${id}`)).json)
  const press = async (act: 'pause' | 'resume') => (await call('POST', `/${id}/${act}`)).status
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
    const [lead = ''] = await givenOffers(db(), [{ state }])
    expect(await assignLeads(market, [lead])).toHaveLength(is.theirs || is.own ? 0 : 1)
  }
})
