import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  endpointHealthListSchema,
  endpointHealthSchema,
  WAITING_COUNTED,
  type EndpointHealth,
} from '#core/contract/webhooks/endpoint-health.ts'
import { emptyLatency, latencyStep } from '#core/domain/webhooks/latency.ts'
import { newLead, startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let client: Person
let config: string

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  client = await app.newClient()
  config = await givenConfig('Example CRM')
})

async function givenConfig(webhook_name: string): Promise<string> {
  const { json } = await app.call('POST', '/api/v1/webhook-configs', {
    token: client.token,
    body: { webhook_name, endpoint_url: 'https://crm.example.com', trigger_on_lead_created: true },
  })
  return json.id
}

async function readHealth(id = config): Promise<EndpointHealth> {
  const { status, text } = await app.call('GET', `/api/v1/webhook-configs/${id}/health`, {
    token: client.token,
  })
  expect(status).toBe(200)
  return endpointHealthSchema.parse(JSON.parse(text))
}

/** Inserts the attempts of one hour, each with this duration. */
async function givenHour(hoursAgo: number, delivered: number, failed: number, tookMs: number): Promise<void> {
  const latency = emptyLatency()
  latency[latencyStep(tookMs)] = delivered + failed
  await sql`
    insert into webhook_endpoint_hours (webhook_config_id, hour, delivered, failed, latency)
    values (${config}, date_trunc('hour', now()) - make_interval(hours => ${hoursAgo}), ${delivered}, ${failed}, ${latency})
  `.execute(app.context.db)
}

test('an endpoint that was never called is unused', async () => {
  expect(await readHealth()).toMatchObject({
    webhook_config_id: config,
    standing: 'unused',
    last_attempt_at: null,
    breaker: 'closed',
    day: {
      delivered: 0,
      failed: 0,
      lost: 0,
      tried: 0,
      skipped: 0,
      success_rate: null,
      p50_ms: null,
      p95_ms: null,
    },
    waiting: 0,
    waiting_more: false,
  })
})

test('the day has 24 hours, a success rate and a latency, and older attempts do not count', async () => {
  await givenHour(0, 90, 10, 40)
  await givenHour(23, 95, 5, 900)
  await givenHour(24, 0, 1000, 9000)
  const { day, hours } = await readHealth()

  expect(day).toMatchObject({ delivered: 185, failed: 15, success_rate: 1 })
  expect(day.p50_ms).toBe(50)
  expect(day.p95_ms).toBeGreaterThan(500)
  expect(day.p95_ms).toBeLessThanOrEqual(1000)
  expect(hours.map(({ delivered, failed }) => delivered + failed)).toEqual([
    100,
    ...Array<number>(22).fill(0),
    100,
  ])
  expect(hours.map(({ hour }) => Date.parse(hour) % 3_600_000)).toEqual(Array<number>(24).fill(0))
})

test('the last result, the failures in a row and the breaker are shown', async () => {
  await app.context.db
    .insertInto('webhook_endpoint_health')
    .values({
      webhook_config_id: config,
      failures_in_row: 31,
      failing_since: '2026-11-01T08:00:00Z',
      last_attempt_at: '2026-11-01T09:00:00Z',
      last_success_at: '2026-11-01T07:00:00Z',
      last_status: 503,
      last_error_class: 'http_5xx',
      last_error_message: '503: your endpoint is not available right now.',
      breaker: 'open',
      probe_at: '2026-11-01T09:01:00Z',
      warned_at: '2026-11-01T08:30:00Z',
    })
    .execute()

  expect(await readHealth()).toMatchObject({
    standing: 'failing',
    failures_in_row: 31,
    failing_since: '2026-11-01T08:00:00.000Z',
    last_attempt_at: '2026-11-01T09:00:00.000Z',
    last_success_at: '2026-11-01T07:00:00.000Z',
    last_status: 503,
    last_error_class: 'http_5xx',
    breaker: 'open',
    next_probe_at: '2026-11-01T09:01:00.000Z',
  })
})

test('a switch-off by the system differs from one by a person, with reason and time', async () => {
  await app.call('PATCH', `/api/v1/webhook-configs/${config}`, {
    token: client.token,
    body: { is_active: false },
  })
  expect(await readHealth()).toMatchObject({ standing: 'inactive', disabled_at: null })

  await app.context.db
    .updateTable('client_webhook_configs')
    .set({ disabled_reason: '410: gone', disabled_at: '2026-11-01T08:00:00Z' })
    .where('id', '=', config)
    .execute()
  expect(await readHealth()).toMatchObject({
    standing: 'switched_off',
    disabled_reason: '410: gone',
    disabled_at: '2026-11-01T08:00:00.000Z',
  })
})

test('waiting deliveries are counted, up to a limit', async () => {
  const source = await app.newSource({ owner: client, auto_assign: false })
  const { json } = await app.call('POST', '/api/v1/leads', { token: source.key, body: newLead() })
  const addWaiting = (count: number) =>
    sql`
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, resend_of)
      select e.id, e.type, ${config}, ${client.id}, e.lead_id, case when n % 2 = 0 then 'held' else 'pending' end, e.id
      from events e, generate_series(1, ${count}) n where e.lead_id = ${json.lead_id} and e.type = 'lead.created'
    `.execute(app.context.db)
  await addWaiting(3)
  expect(await readHealth()).toMatchObject({ waiting: 3, waiting_more: false })

  await addWaiting(WAITING_COUNTED)
  expect(await readHealth()).toMatchObject({ waiting: WAITING_COUNTED, waiting_more: true })
})

test('one call returns all of the caller’s configurations, newest first, and no others', async () => {
  const newest = await givenConfig('Second CRM')
  const stranger = client
  client = await app.newClient()
  const own = await givenConfig('Own CRM')
  const list = async (token: string) => {
    const { json } = await app.call('GET', '/api/v1/webhook-configs/health', { token })
    return endpointHealthListSchema.parse(json).data
  }

  expect((await list(stranger.token)).map((one) => one.webhook_config_id)).toEqual([newest, config])
  expect((await list(client.token)).map((one) => one.webhook_config_id)).toEqual([own])
  const foreign = await app.call('GET', `/api/v1/webhook-configs/${config}/health`, { token: client.token })
  expect(foreign.status).toBe(404)
})
