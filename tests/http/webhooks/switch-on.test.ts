import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SwitchOnResult } from '#core/contract/webhooks/endpoint-health.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { newLead, startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let crm: Receiver
let client: Person
let config: string

beforeAll(async () => {
  app = await startApp()
  crm = await startReceiver()
})
afterAll(async () => {
  await crm.close()
  await app.close()
})
beforeEach(async () => {
  crm.answerWith(200)
  client = await app.newClient()
  const { json } = await app.call('POST', '/api/v1/webhook-configs', {
    token: client.token,
    body: { webhook_name: 'Example CRM', endpoint_url: crm.url, trigger_on_lead_created: true },
  })
  config = json.id
  const source = await app.newSource({ owner: client, auto_assign: false })
  for (let lead = 0; lead < 3; lead += 1)
    await app.call('POST', '/api/v1/leads', { token: source.key, body: newLead() })
  const { rows } = await sql<{ lead_id: string }>`
    select lead_id from events where client_user_id = ${client.id} and type = 'lead.created'
  `.execute(app.context.db)
  for (const { lead_id } of rows) {
    await app.call('POST', '/functions/v1/webhook-delivery', {
      token: client.token,
      body: { lead_id, client_user_id: client.id },
    })
  }
  // Two are held; one waits for its second attempt.
  await sql`
    update webhook_deliveries set state = 'held' where webhook_config_id = ${config}`.execute(app.context.db)
  await sql`
    update webhook_deliveries set state = 'pending', attempt = 1, next_attempt_at = now() + interval '1 hour'
    where id = (select min(id::text)::uuid from webhook_deliveries where webhook_config_id = ${config})
  `.execute(app.context.db)
  await sql`
    update client_webhook_configs set is_active = false, disabled_at = now(), disabled_reason = '410: gone'
    where id = ${config}`.execute(app.context.db)
  await sql`
    insert into webhook_endpoint_health (webhook_config_id, failures_in_row, failing_since, warned_at, breaker, probe_at)
    values (${config}, 40, now() - interval '6 days', now(), 'open', now() + interval '1 minute')
  `.execute(app.context.db)
})

async function switchOn(body: unknown): Promise<SwitchOnResult> {
  const { status, text } = await app.call('POST', `/api/v1/webhook-configs/${config}/switch-on`, {
    token: client.token,
    body,
  })
  expect(status).toBe(200)
  return JSON.parse(text) as SwitchOnResult
}

async function deliveries(): Promise<Record<string, number>> {
  const { rows } = await sql<{ state: string; count: number }>`
    select case when state = 'pending' and next_attempt_at <= now() then 'due' else state end as state,
      count(*)::int as count
    from webhook_deliveries where webhook_config_id = ${config} group by 1`.execute(app.context.db)
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

async function stored() {
  return await app.context.db
    .selectFrom('client_webhook_configs as c')
    .innerJoin('webhook_endpoint_health as h', 'h.webhook_config_id', 'c.id')
    .select([
      'c.is_active',
      'c.disabled_reason',
      'h.failures_in_row',
      'h.failing_since',
      'h.warned_at',
      'h.breaker',
    ])
    .where('c.id', '=', config)
    .executeTakeFirstOrThrow()
}

const FRESH = {
  is_active: true,
  disabled_reason: null,
  failures_in_row: 0,
  failing_since: null,
  warned_at: null,
}

test('after a successful test the webhook is on, its waiting deliveries are due, and old failures are cleared', async () => {
  const result = await switchOn({ test_first: true })

  expect(result).toMatchObject({ is_active: true, sent: 3, discarded: 0, test: { success: true } })
  expect(await deliveries()).toEqual({ due: 3 })
  expect(await stored()).toEqual({ ...FRESH, breaker: 'closed' })
})

test('a failed test changes nothing', async () => {
  crm.answerWith(503)
  const result = await switchOn({ test_first: true, waiting: 'discard' })

  expect(result).toMatchObject({ is_active: false, sent: 0, discarded: 0, test: { success: false } })
  expect(await deliveries()).toEqual({ held: 2, pending: 1 })
  expect(await stored()).toMatchObject({
    is_active: false,
    disabled_reason: '410: gone',
    failures_in_row: 40,
  })
})

test('waiting deliveries can be discarded, and each lead’s timeline says so', async () => {
  expect(await switchOn({ waiting: 'discard' })).toEqual({
    is_active: true,
    test: null,
    sent: 0,
    discarded: 3,
  })
  expect(await deliveries()).toEqual({ cancelled: 3 })
  const { rows } = await sql`
    select from events where client_user_id = ${client.id} and type = 'delivery.cancelled'`.execute(
    app.context.db,
  )
  expect(rows).toHaveLength(3)
})

test('without a test the breaker stays open, and its probe is due at once', async () => {
  expect(await switchOn({})).toMatchObject({ is_active: true, test: null, sent: 3 })
  expect(await stored()).toEqual({ ...FRESH, breaker: 'open' })
  expect(await deliveries()).toEqual({ due: 1, held: 2 })
  const { rows } = await sql`
    select from webhook_endpoint_health where webhook_config_id = ${config} and probe_at <= now()
  `.execute(app.context.db)
  expect(rows).toHaveLength(1)
})

test('Activate by PATCH sends held deliveries and clears old failures, but saving an active webhook does not', async () => {
  const patch = (body: unknown) =>
    app.call('PATCH', `/api/v1/webhook-configs/${config}`, { token: client.token, body })
  await patch({ webhook_name: 'Still off' })
  expect(await stored()).toMatchObject({ is_active: false, failures_in_row: 40 })
  await sql`update webhook_endpoint_health set breaker = 'closed' where webhook_config_id = ${config}`.execute(
    app.context.db,
  )
  expect((await patch({ is_active: true })).json).toMatchObject({ is_active: true, disabled_reason: null })
  expect(await stored()).toMatchObject(FRESH)
  expect(await deliveries()).toEqual({ due: 2, pending: 1 })

  await sql`update webhook_endpoint_health set failures_in_row = 30 where webhook_config_id = ${config}`.execute(
    app.context.db,
  )
  await patch({ is_active: true, webhook_name: 'On' })
  expect(await stored()).toMatchObject({ is_active: true, failures_in_row: 30 })
})

test('an active webhook is not changed by switching it on, however often', async () => {
  await switchOn({ test_first: true })
  expect(await switchOn({ waiting: 'discard' })).toEqual({
    is_active: true,
    test: null,
    sent: 0,
    discarded: 0,
  })
  expect(await deliveries()).toEqual({ due: 3 })
})
