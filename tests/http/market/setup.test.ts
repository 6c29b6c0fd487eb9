import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setupProgressSchema, type SetupProgress } from '#core/contract/market/client-setup.ts'
import { givenLogRow } from '#tests/support/given/log-rows.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const PATH = '/api/v1/setup'

async function read({ token }: Person): Promise<SetupProgress> {
  const { status, json } = await app.call('GET', PATH, { token })
  expect(status).toBe(200)
  return setupProgressSchema.parse(json)
}

const skip = ({ token }: Person, step: unknown) => app.call('POST', `${PATH}/skip`, { token, body: { step } })

/** Creates a client's test lead with its webhook's answers of `hoursAgo`. */
async function testLead(owner: Person, config: string, hoursAgo: number, statuses: readonly string[]) {
  const { json: lead } = await app.call('POST', '/api/v1/leads', {
    token: owner.token,
    body: { lead_type: 'final_expense', source: 'manual_assignment_test' },
  })
  const { db } = app.context
  const at = new Date(Date.now() - hoursAgo * 3_600_000)
  await sql`update leads set assigned_to = ${owner.id}, status = 'assigned', created_at = ${at} where id = ${lead.id}`.execute(
    db,
  )
  const logs: string[] = []
  for (const [index, status] of statuses.entries()) {
    const row = { client_user_id: owner.id, webhook_config_id: config, lead_id: lead.id }
    const when = new Date(at.getTime() + index * 1000)
    logs.push(await givenLogRow(db, when, { ...row, delivery_status: status, attempt_number: index + 1 }))
  }
  return { id: lead.id, logs }
}

async function addWebhook({ token }: Person): Promise<string> {
  const body = { webhook_name: 'CRM', endpoint_url: 'https://crm.example.com/leads' }
  return (await app.call('POST', '/api/v1/webhook-configs', { token, body })).json.id
}

test('the business step is done once it has a name and its licence names a state', async () => {
  const client = await app.newClient()
  const patch = (version: number, body: object) =>
    app.call('PATCH', '/api/v1/account', { token: client.token, body: { version, ...body } })
  expect((await read(client)).business).toBe(false)
  await patch(1, { business_name: 'Example Agency' })
  expect((await read(client)).business).toBe(false)
  await patch(2, { licensed_states: ['Texas'] })
  expect((await read(client)).business).toBe(true)
})

test('a requested payment is shown until it is received or cancelled', async () => {
  const client = await app.newClient()
  const { json } = await app.call('POST', '/api/v1/payments', {
    token: client.token,
    body: { amount: '100.00' },
  })
  expect(await read(client)).toMatchObject({ funds: false, funds_asked: true })
  await app.call('POST', `/api/v1/payments/${json.id}/cancel`, { token: client.token })
  expect(await read(client)).toMatchObject({ funds: false, funds_asked: false })
})

test('a skipped step is remembered once, for this client only', async () => {
  const client = await app.newClient()
  const other = await app.newClient()
  expect((await skip(client, 'webhook')).json).toMatchObject({ skipped: ['webhook'] })
  await skip(client, 'order')
  expect((await skip(client, 'webhook')).json).toMatchObject({ skipped: ['order', 'webhook'] })
  expect((await read(client)).skipped).toEqual(['order', 'webhook'])
  // The approval is the administrators' step.
  expect((await skip(client, 'approval')).status).toBe(422)
  expect((await read(other)).skipped).toEqual([])
  const dashboard = await app.call('GET', '/api/v1/dashboard', { token: client.token })
  expect(dashboard.json).toMatchObject({ setup: { skipped: ['order', 'webhook'] } })
})

test('skipping a step does not conflict with an edit of the account', async () => {
  const client = await app.newClient()
  await skip(client, 'funds')
  const body = { version: 1, business_name: 'Example Agency' }
  expect((await app.call('PATCH', '/api/v1/account', { token: client.token, body })).status).toBe(200)
})

test('an unknown step is refused, and an administrator has nothing to set up', async () => {
  const client = await app.newClient()
  expect(await skip(client, 'holiday')).toMatchObject({ status: 422, json: { errors: [{ path: 'step' }] } })
  expect((await skip(client, ['webhook'])).status).toBe(422)
  expect((await read(client)).skipped).toEqual([])
  expect((await skip(app.admin, 'webhook')).status).toBe(404)
  expect((await app.call('GET', PATH, { token: app.admin.token })).status).toBe(404)
})

test('the result of the newest test lead is shown, beside the newest one that was received', async () => {
  const client = await app.newClient()
  expect(await read(client)).toMatchObject({ delivered: false, test_lead: null, received_attempt_id: null })
  const config = await addWebhook(client)
  const received = await testLead(client, config, 3, ['failed', 'delivered'])
  expect(await read(client)).toMatchObject({
    delivered: true,
    test_lead: { id: received.id, attempt_id: received.logs[1] },
    received_attempt_id: received.logs[1],
  })
  const failed = await testLead(client, config, 2, ['failed'])
  expect(await read(client)).toMatchObject({
    test_lead: { id: failed.id, attempt_id: failed.logs[0] },
    received_attempt_id: received.logs[1],
  })
  const waiting = await testLead(client, config, 1, [])
  expect(await read(client)).toMatchObject({ test_lead: { id: waiting.id, attempt_id: null } })
})

test('another client’s leads and webhooks do not count', async () => {
  const client = await app.newClient()
  const other = await app.newClient()
  const config = await addWebhook(other)
  const theirs = await testLead(other, config, 1, ['delivered'])
  expect(await read(client)).toMatchObject({ test_lead: null, received_attempt_id: null })
  // The client's lead has a log of another client, as after the lead changed hands.
  await sql`update leads set assigned_to = ${client.id} where id = ${theirs.id}`.execute(app.context.db)
  expect(await read(client)).toMatchObject({
    test_lead: { id: theirs.id, attempt_id: null },
    received_attempt_id: null,
  })
})

test('a client that waits for approval reads how long the last approvals took', async () => {
  const waiting = await app.newClient()
  expect((await read(waiting)).usual_wait_minutes).toBeNull()
  for (const hours of [1, 3, 30]) {
    const { id } = await app.newClient()
    await sql`update client_accounts set created_at = now() - make_interval(hours => ${hours}) where user_id = ${id}`.execute(
      app.context.db,
    )
    await app.call('POST', `/api/v1/admin/clients/${id}/approve`, {
      token: app.admin.token,
      body: { note: 'Fine' },
    })
  }
  expect((await read(waiting)).usual_wait_minutes).toBeGreaterThanOrEqual(180)
  expect((await read(waiting)).usual_wait_minutes).toBeLessThan(190)
})
