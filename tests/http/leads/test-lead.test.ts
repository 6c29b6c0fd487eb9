import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { givenOrder, topUp } from '#tests/support/given/market.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { serviceKey } from '../accounts/people/administer.ts'
import type { Person } from '../support/start-app.ts'
import { giveLead } from './give-lead.ts'
import { startForTwo } from './start-for-two.ts'

const { app, client, other } = await startForTwo()

describe('a test lead', () => {
  const create = (body: unknown, headers = {}) =>
    app.call('POST', '/api/v1/leads', { token: client.token, body, headers })

  test('is created with fixed values, whatever the body contains', async () => {
    const { status, json } = await create({
      name: 'Pat Example',
      status: 'assigned',
      deal_size: 900,
      state: 'NY',
      user_id: other.id,
      assigned_to: other.id,
      is_test: false,
      source: 'elsewhere',
    })

    expect(status).toBe(201)
    expect(json).toMatchObject({
      name: 'Pat Example',
      email: 'test.lead@example.com',
      lead_type: 'final_expense',
      state: 'CA',
      source: 'manual_assignment_test',
      deal_size: 0,
      status: 'new',
      is_test: true,
      user_id: client.id,
      assigned_to: null,
    })
  })

  test('is created once for one Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'test-1' }
    const [first, second] = await Promise.all([create({}, headers), create({}, headers)])

    expect(second.json.id).toBe(first.json.id)
    expect((await create({ name: 'Someone Else' }, headers)).json.code).toBe('idempotency_key_reused')
  })

  test('refuses values that cannot be stored', async () => {
    const { status, json } = await create({ email: 'nope' })

    expect({ status, path: json.errors[0]?.path }).toEqual({ status: 422, path: 'email' })
    expect((await create('null')).status).toBe(422)
    expect((await create('[]')).status).toBe(422)
  })

  test('is assigned to its client by the procedure, once', async () => {
    const { json: lead } = await create({})
    const assign = (who: Person) =>
      app.call('POST', '/api/v1/rpc/assign_lead_to_buyer_concurrent', {
        token: who.token,
        body: { lead_id_param: lead.id, lead_type_param: 'final_expense', lead_state_param: 'CA' },
      })
    expect((await assign(other)).json).toMatchObject({ success: false, outcome: 'not_found' })

    const answers = await Promise.all(Array.from({ length: 10 }, () => assign(client)))

    expect(answers.map(({ json }) => json.outcome).toSorted()).toEqual([
      ...Array.from({ length: 9 }, () => 'already_assigned'),
      'assigned',
    ])
    expect(new Set(answers.map(({ json }) => json.assignment_id)).size).toBe(1)
    expect(answers[0]?.json).toMatchObject({ success: true, buyer_id: client.id, price: 0 })
  })

  test('is assigned to a client with an imported UUID of no known version', async () => {
    const id = '11111111-1111-1111-1111-111111111111'
    const credentials = { email: 'imported@example.com', password: PASSWORD }
    const auth = app.context.config.auth.mountPath
    await app.call('POST', `${auth}/admin/users`, {
      token: await serviceKey(app.context),
      body: { id, ...credentials, email_confirm: true },
    })
    const signedIn = await app.call('POST', `${auth}/token?grant_type=password`, { body: credentials })
    const token = signedIn.json.access_token
    const { json: lead } = await app.call('POST', '/api/v1/leads', { token, body: {} })

    const assigned = await app.call('POST', '/api/v1/rpc/assign_lead_to_buyer_concurrent', {
      token,
      body: { lead_id_param: lead.id },
    })

    expect(assigned).toMatchObject({ status: 200, json: { outcome: 'assigned', buyer_id: id } })
    // Each answer is parsed by its schema, as in the browser.
    for (const path of ['/api/v1/me', `/api/v1/leads/${lead.id}`, '/api/v1/me/audit'])
      expect((await app.call('GET', path, { token })).status).toBe(200)
    await app.newSource({ owner: { id, token, email: credentials.email } })
  })

  test('can be assigned by the fallback only to its own client', async () => {
    const { json: lead } = await create({})
    const patch = (body: unknown) =>
      app.call('PATCH', `/api/v1/leads/${lead.id}`, { token: client.token, body })

    expect((await patch({ assigned_to: other.id, status: 'assigned' })).status).toBe(403)
    const { status, json } = await patch({ assigned_to: client.id, status: 'assigned' })
    expect({ status, lead: json.status, to: json.assigned_to }).toEqual({
      status: 200,
      lead: 'assigned',
      to: client.id,
    })
    const sold = await giveLead(app, client)
    const change = { assigned_to: client.id, status: 'assigned' }
    expect(
      (await app.call('PATCH', `/api/v1/leads/${sold}`, { token: client.token, body: change })).status,
    ).toBe(403)
  })

  test('is assigned directly if the procedure fails, with the event of an assignment', async () => {
    const { json: lead } = await create({})
    const { db } = app.context
    const assign = () =>
      app.call('POST', '/api/v1/rpc/assign_lead_to_buyer_concurrent', {
        token: client.token,
        body: { lead_id_param: lead.id },
      })
    await sql`alter function assign_lead_to_buyer_concurrent rename to away`.execute(db)
    const failed = await assign()
    const change = { assigned_to: client.id, status: 'assigned' }
    const patch = () => app.call('PATCH', `/api/v1/leads/${lead.id}`, { token: client.token, body: change })
    const [assigned, again] = [await patch(), await patch()]
    await sql`alter function away rename to assign_lead_to_buyer_concurrent`.execute(db)

    expect(failed.status).toBe(500)
    for (const { status, json } of [assigned, again])
      expect([status, json.status, json.assigned_to]).toEqual([200, 'assigned', client.id])
    const events = await db.selectFrom('events').select('type').where('lead_id', '=', lead.id).execute()
    expect(events.filter(({ type }) => type === 'lead.assigned')).toHaveLength(1)
    expect((await assign()).json.outcome).toBe('already_assigned')
  })

  test('reaches and charges no other client in an assignment test, and is free for its own client', async () => {
    const { db } = app.context
    for (const { id } of [client, other]) {
      await topUp(db, id, '100.00')
      await db
        .insertInto('client_accounts')
        .values({ user_id: id, status: 'active' })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ status: 'active' }))
        .execute()
      await givenOrder(db, id, {})
    }
    const read = async () => ({
      money: await db
        .selectFrom('balance_ledger')
        .select(['client_user_id', 'amount'])
        .orderBy('id')
        .execute(),
      bought: await db.selectFrom('order_tallies').selectAll().execute(),
      others: await db
        .selectFrom('lead_assignments')
        .select('id')
        .where('client_user_id', '=', other.id)
        .execute(),
    })
    const before = await read()

    const { json: lead } = await create({ user_id: other.id, is_test: false, assigned_to: other.id })
    const call = (method: string, path: string, body: unknown) =>
      app.call(method, path, { token: client.token, body })
    const whose = { lead_id_param: lead.id, lead_type_param: 'final_expense', lead_state_param: 'CA' }
    const assigned = await call('POST', '/api/v1/rpc/assign_lead_to_buyer_concurrent', whose)
    const moved = await call('PATCH', `/api/v1/leads/${lead.id}`, {
      assigned_to: other.id,
      status: 'assigned',
    })
    const sent = await call('POST', '/functions/v1/webhook-delivery', {
      lead_id: lead.id,
      client_user_id: other.id,
    })

    expect(assigned.json).toMatchObject({ outcome: 'assigned', buyer_id: client.id, price: 0 })
    expect(moved.status).toBe(403)
    expect(sent.json).toMatchObject({ success: false })
    expect(await read()).toEqual(before)
  })
})
