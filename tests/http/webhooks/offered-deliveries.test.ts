import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { LeadSummary } from '#core/contract/leads/lead.ts'
import type { DeliveryLog } from '#core/contract/webhooks/delivery.ts'
import type { EndpointHealth, SwitchOnResult } from '#core/contract/webhooks/endpoint-health.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { newLead, startApp, type Person, type TestApp, type TestSource } from '../support/start-app.ts'

let app: TestApp
let crm: Receiver
let client: Person
let source: TestSource
let config: string
let path: string

beforeAll(async () => {
  app = await startApp()
  crm = await startReceiver()
})
afterAll(async () => {
  await crm.close()
  await app.close()
})
beforeEach(async () => {
  client = await app.newClient()
  source = await app.newSource({ owner: client, auto_assign: false })
  const { json } = await app.call('POST', '/api/v1/webhook-configs', {
    token: client.token,
    body: { webhook_name: 'Example CRM', endpoint_url: crm.url, trigger_on_lead_created: true },
  })
  config = json.id
  path = `/api/v1/webhook-configs/${config}`
})

const post = async (call: string, body?: unknown) =>
  await app.call('POST', `${path}/${call}`, {
    token: client.token,
    ...(body === undefined ? {} : { body }),
  })
const activate = async (is_active: boolean) =>
  await app.call('PATCH', path, { token: client.token, body: { is_active } })

/** Creates leads that come now and are planned. */
async function receive(count: number): Promise<string[]> {
  const leads: string[] = []
  for (let lead = 0; lead < count; lead += 1) {
    const { json } = await app.call('POST', '/api/v1/leads', { token: source.key, body: newLead() })
    leads.push(json.lead_id)
    await app.call('POST', '/functions/v1/webhook-delivery', {
      token: client.token,
      body: { lead_id: json.lead_id, client_user_id: client.id },
    })
  }
  return leads
}

/**
 * Creates one lead that came while the webhook was on and was held since, and two that came while its owner
 * had it off.
 */
async function givenOffered(): Promise<void> {
  await receive(1)
  await sql`update webhook_deliveries set state = 'held' where webhook_config_id = ${config}`.execute(
    app.context.db,
  )
  await activate(false)
  await receive(2)
}

async function deliveries(): Promise<Record<string, number>> {
  const { rows } = await sql<{ state: string; count: number }>`
    select case when state = 'held' and offered_until is not null then 'offered'
      when state = 'pending' and next_attempt_at <= now() then 'due' else state end as state, count(*)::int as count
    from webhook_deliveries where webhook_config_id = ${config} group by 1`.execute(app.context.db)
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}
const get = async <Answer>(of: string): Promise<Answer> =>
  JSON.parse((await app.call('GET', of, { token: client.token })).text) as Answer
const logs = async () => (await get<{ data: DeliveryLog[] }>(`${path}/delivery-logs`)).data
const health = async () => await get<EndpointHealth>(`${path}/health`)

test('deliveries from the time off are in the log with their last day, and counted with the health', async () => {
  await givenOffered()

  const rows = await logs()
  expect(rows.map(({ delivery_status, delivery_state }) => `${delivery_status} ${delivery_state}`)).toEqual([
    'pending held',
    'pending held',
    'pending held',
  ])
  const days = rows.map(({ offered_until: until }) =>
    until === null ? null : Math.round((Date.parse(until) - Date.now()) / 86_400_000),
  )
  expect(days).toEqual([30, 30, null])
  expect(await health()).toMatchObject({ waiting: 3, offered: 2, standing: 'inactive' })
})

test('Activate sends what was held before, and deliveries from the time off only on request', async () => {
  await givenOffered()
  await activate(true)
  expect(await deliveries()).toEqual({ due: 1, offered: 2 })
  expect(await health()).toMatchObject({ offered: 2 })

  expect(await post('send-offered')).toMatchObject({ status: 200, json: { count: 2 } })
  expect(await deliveries()).toEqual({ due: 3 })
  expect(await post('send-offered')).toMatchObject({ status: 200, json: { count: 0 } })
  expect(await health()).toMatchObject({ offered: 0 })
})

test('one press discards them, on or off, and nothing else, and each lead’s timeline says so', async () => {
  await givenOffered()
  expect(await post('discard-offered')).toMatchObject({ status: 200, json: { count: 2 } })
  expect(await deliveries()).toEqual({ held: 1, cancelled: 2 })
  const { rows } = await sql`
    select from events where client_user_id = ${client.id} and type = 'delivery.cancelled'
      and data ->> 'cancelled_by' = ${client.id}`.execute(app.context.db)
  expect(rows).toHaveLength(2)
  expect(await post('discard-offered')).toMatchObject({ status: 200, json: { count: 0 } })
})

test('while the webhook is off nothing is sent, and the refusal says what to do', async () => {
  await givenOffered()
  expect(await post('send-offered')).toMatchObject({
    status: 409,
    json: { detail: 'The webhook is switched off. Activate it first.' },
  })
  expect(await deliveries()).toEqual({ held: 1, offered: 2 })
})

test('thousands of deliveries are resent in chunks, of which the first has normal priority', async () => {
  await activate(false)
  await receive(1)
  await sql`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, resend_of, state, next_attempt_at, offered_until)
    select event_id, event_type, webhook_config_id, client_user_id, lead_id, id, 'held', null, offered_until
    from webhook_deliveries, generate_series(1, 4500) where webhook_config_id = ${config}`.execute(
    app.context.db,
  )
  await activate(true)

  expect((await post('send-offered')).json).toEqual({ count: 4501 })
  const { due = 0, held = 0, offered = 0 } = await deliveries()
  expect({ offered, all: due + held, atOnce: due >= 1000 }).toEqual({ offered: 0, all: 4501, atOnce: true })
})

describe('switching on', () => {
  const switchOn = async (body: unknown) => JSON.parse((await post('switch-on', body)).text) as SwitchOnResult

  test('sends the waiting deliveries on request', async () => {
    await givenOffered()
    expect(await switchOn({ waiting: 'send' })).toMatchObject({ is_active: true, sent: 3, discarded: 0 })
    expect(await deliveries()).toEqual({ due: 3 })
  })

  test('discards the waiting deliveries on request', async () => {
    await givenOffered()
    expect(await switchOn({ waiting: 'discard' })).toMatchObject({ is_active: true, sent: 0, discarded: 3 })
    expect(await deliveries()).toEqual({ cancelled: 3 })
  })

  test.each([{}, { waiting: 'keep' }])(
    'keeps deliveries from the time off for the owner with %j',
    async (wish) => {
      await givenOffered()
      expect(await switchOn(wish)).toMatchObject({ is_active: true, sent: 1, discarded: 0 })
      expect(await deliveries()).toEqual({ due: 1, offered: 2 })
    },
  )
})

describe('a single delivery', () => {
  test('can be sent once the webhook is on', async () => {
    await givenOffered()
    const [newest] = await logs()
    const resend = () =>
      app.call('POST', `/api/v1/delivery-logs/${newest?.id}/resend`, { token: client.token })
    expect((await resend()).status).toBe(409)
    await activate(true)
    expect(await resend()).toMatchObject({
      status: 202,
      json: { delivery_id: newest?.delivery_id, sent: 'now' },
    })
    expect(await deliveries()).toEqual({ due: 2, offered: 1 })
  })

  test('waits with the others while the endpoint does not answer, and is sent together with them', async () => {
    await givenOffered()
    await activate(true)
    await sql`
      update webhook_endpoint_health set breaker = 'open', probe_at = now() + interval '1 minute'
      where webhook_config_id = ${config}`.execute(app.context.db)
    const [newest] = await logs()
    const { json } = await app.call('POST', `/api/v1/delivery-logs/${newest?.id}/resend`, {
      token: client.token,
    })
    expect(json).toMatchObject({ sent: 'probe' })
    expect(await deliveries()).toEqual({ due: 1, held: 1, offered: 1 })
  })

  test('waits for the sending hours if it is resent outside them', async () => {
    const hour = (new Date().getUTCHours() + 3) % 24
    const day = [[`${String(hour).padStart(2, '0')}:00`, `${String(hour).padStart(2, '0')}:30`]]
    const schedule = Object.fromEntries(
      ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((name) => [name, day]),
    )
    await app.call('PATCH', path, {
      token: client.token,
      body: { is_active: false, sending_hours: { timezone: 'UTC', schedule } },
    })
    await receive(1)
    await activate(true)
    const [newest] = await logs()
    const { status } = await app.call('POST', `/api/v1/delivery-logs/${newest?.id}/resend`, {
      token: client.token,
    })
    // Its claim postpones it to the start of the sending hours (tests/pipeline/plan/send-what-fits.test.ts).
    expect(status).toBe(202)
  })
})

test('another client can neither send nor discard them', async () => {
  await givenOffered()
  await activate(true)
  const stranger = await app.newClient()
  for (const call of ['send-offered', 'discard-offered']) {
    const { status } = await app.call('POST', `${path}/${call}`, { token: stranger.token })
    expect(status).toBe(404)
  }
  expect(await deliveries()).toMatchObject({ offered: 2 })
})

describe('the status of its lead', () => {
  const read = async (lead: string) => await get<LeadSummary>(`/api/v1/leads/${lead}`)

  test('is held if no other webhook was meant to have it; while the webhook is off, other webhooks decide', async () => {
    await activate(false)
    const [alone = ''] = await receive(1)
    expect(await read(alone)).toMatchObject({ delivery_status: 'pending', delivery_counts: { held: 1 } })

    await app.call('POST', '/api/v1/webhook-configs', {
      token: client.token,
      body: { webhook_name: 'Other', endpoint_url: `${crm.url}/other`, trigger_on_lead_created: true },
    })
    const [both = ''] = await receive(1)
    await sql`
      update webhook_deliveries set state = 'delivered', attempt = 1, finished_at = now()
      where lead_id = ${both} and state = 'pending'`.execute(app.context.db)
    expect(await read(both)).toMatchObject({
      delivery_status: 'delivered',
      delivery_counts: { held: 0, delivered: 1 },
    })

    // When the webhook is on again, the delivery waits for a decision, and the lead says so.
    await activate(true)
    expect(await read(both)).toMatchObject({
      delivery_status: 'pending',
      delivery_counts: { held: 1, delivered: 1 },
    })
  })
})
