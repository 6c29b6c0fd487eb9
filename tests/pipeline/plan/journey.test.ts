import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { waitUntil } from '#tests/support/condition.ts'
import {
  assignLead,
  drain,
  givenClient,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'

let pipeline: TestPipeline
let crm: Receiver
let client: string

beforeAll(async () => {
  pipeline = await startPipeline({ WEBHOOK_RETRY_SCHEDULE: '1,1,2', WEBHOOK_TIMEOUT_MS: '5000' })
})
afterAll(async () => {
  await pipeline.close()
})
beforeEach(async () => {
  crm = await startReceiver()
  client = await givenClient(pipeline.db)
  return () => crm.close()
})

async function logs(configId: string) {
  return await pipeline.db
    .selectFrom('webhook_delivery_logs')
    .innerJoin('webhook_delivery_log_bodies as bodies', (join) =>
      join
        .onRef('bodies.id', '=', 'webhook_delivery_logs.id')
        .onRef('bodies.created_at', '=', 'webhook_delivery_logs.created_at'),
    )
    .selectAll()
    .where('webhook_config_id', '=', configId)
    .orderBy('webhook_delivery_logs.created_at')
    .orderBy('attempt_number')
    .execute()
}

test('a lead travels from its event to a signed request, a log row and the timeline', async () => {
  const config = await givenConfig(pipeline.context, client, {
    endpoint_url: `${crm.url}/leads?key=1`,
    request_method: 'PUT',
    trigger_on_lead_created: true,
    custom_headers: { 'X-Api-Key': 'example-key-123456' },
  })
  const lead = await givenLead(pipeline.db, client)
  expect(await assignLead(pipeline.db, lead)).toMatchObject({
    success: true,
    outcome: 'assigned',
    buyer_id: client,
  })
  await publishEventsOfLead(pipeline.context, lead)

  const [created, assigned] = await crm.waitForCount(2)
  await drain(pipeline.context)

  const byEvent = new Map([created, assigned].map((request) => [request?.headers['leadwire-event'], request]))
  const request = byEvent.get('lead.assigned')
  expect(byEvent.has('lead.created')).toBe(true)
  expect(request?.method).toBe('PUT')
  expect(request?.path).toBe('/leads?key=1')
  expect(request?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-api-key': 'example-key-123456',
    'leadwire-attempt': '1',
  })
  expect(request?.headers['user-agent']).toMatch(/^Leadwire-Webhooks\/1 \(\+http.*\/documentation\)$/)
  const verified = new Webhook(config.secret).verify(
    request?.rawBody ?? '',
    request?.headers as Record<string, string>,
  )
  expect(verified).toMatchObject({ lead_id: lead, name: 'Avery Example', phone: '+15125550143', state: 'CA' })

  const rows = await logs(config.id)
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatchObject({
    delivery_status: 'delivered',
    response_status: 200,
    attempt_number: 1,
    lead_id: lead,
  })
  expect(rows[0]?.request_headers).not.toContain('example-key')
  const events = await pipeline.db.selectFrom('events').select('type').where('lead_id', '=', lead).execute()
  expect(events.map(({ type }) => type).toSorted()).toEqual([
    'delivery.succeeded',
    'delivery.succeeded',
    'lead.assigned',
    'lead.created',
  ])
})

test('the log hides the secrets of a request and its answer, and the bytes sent keep them', async () => {
  crm.answerWith(() => ({ status: 401, body: '{"error":"key query-secret-1 unknown","token":"theirs"}' }))
  const config = await givenConfig(pipeline.context, client, {
    endpoint_url: `${crm.url}/leads?apikey=query-secret-1`,
    payload_template: '{"name":"{{name}}","login":{"authToken":"template-secret"}}',
  })
  const lead = await givenLead(pipeline.db, client)
  await assignLead(pipeline.db, lead)
  await publishEventsOfLead(pipeline.context, lead)

  const [request] = await crm.waitForCount(1)
  await waitUntil(async () => (await logs(config.id)).length > 0, { what: 'The log row' })

  expect(request?.path).toBe('/leads?apikey=query-secret-1')
  expect(request?.body).toBe('{"name":"Avery Example","login":{"authToken":"template-secret"}}')
  const [row] = await logs(config.id)
  expect(row).toMatchObject({
    request_url: `${crm.url}/leads?apikey=••••`,
    request_body: '{"name":"Avery Example","login":{"authToken":"••••"}}',
    response_body: '{"error":"key •••• unknown","token":"••••"}',
  })
  expect(JSON.stringify(row)).not.toMatch(/query-secret-1|template-secret|theirs/)
})

test('an endpoint that fails twice leaves three attempts on the schedule, all with one webhook-id', async () => {
  crm.answerWith((_request, index) => (index < 2 ? { status: 500, body: 'broken\0' } : 200))
  const config = await givenConfig(pipeline.context, client, { endpoint_url: crm.url })
  const lead = await givenLead(pipeline.db, client)
  await assignLead(pipeline.db, lead)
  await publishEventsOfLead(pipeline.context, lead)

  await crm.waitForCount(3)
  await drain(pipeline.context)

  const rows = await logs(config.id)
  expect(
    rows.map((row) => [row.attempt_number, row.delivery_status, row.response_status, row.error_class]),
  ).toEqual([
    [1, 'failed', 500, 'http_5xx'],
    [2, 'failed', 500, 'http_5xx'],
    [3, 'delivered', 200, null],
  ])
  expect(rows[0]?.response_body).toBe('broken')
  expect(rows[0]?.next_attempt_at).toBeInstanceOf(Date)
  const gaps = rows
    .slice(1)
    .map((row, index) => row.created_at.getTime() - (rows[index]?.created_at.getTime() ?? 0))
  for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(950)
  expect(new Set(crm.requests.map((request) => request.headers['webhook-id'])).size).toBe(1)
})

test('a delivery is failed after its last attempt, with the reason on each', async () => {
  crm.answerWith((request) => (request.headers['leadwire-attempt'] === '2' ? 'hang' : 404))
  const config = await givenConfig(pipeline.context, client, { endpoint_url: crm.url })
  const lead = await givenLead(pipeline.db, client)
  await assignLead(pipeline.db, lead)
  await publishEventsOfLead(pipeline.context, lead)
  await drain(pipeline.context)

  const rows = await logs(config.id)
  expect(rows.map((row) => row.error_class)).toEqual(['http_4xx', 'timeout', 'http_4xx', 'http_4xx'])
  expect(rows.at(-1)?.next_attempt_at).toBeNull()
  const delivery = await pipeline.db
    .selectFrom('webhook_deliveries')
    .select(['state', 'attempt'])
    .where('webhook_config_id', '=', config.id)
    .executeTakeFirstOrThrow()
  expect(delivery).toEqual({ state: 'failed', attempt: 4 })
})

test('410 switches the configuration off with a reason, and what still waits is held', async () => {
  // The first comes back late enough for the second to be planned while the configuration is on.
  const later = { status: 503, headers: { 'retry-after': '5' } }
  crm.answerWith((_request, index) => (index === 0 ? later : 410))
  const config = await givenConfig(pipeline.context, client, { endpoint_url: crm.url })
  const first = await givenLead(pipeline.db, client)
  await assignLead(pipeline.db, first)
  await publishEventsOfLead(pipeline.context, first)
  await crm.waitForCount(1)
  const second = await givenLead(pipeline.db, client)
  await assignLead(pipeline.db, second)
  await publishEventsOfLead(pipeline.context, second)
  await drain(pipeline.context)

  const row = await pipeline.db
    .selectFrom('client_webhook_configs')
    .select(['is_active', 'disabled_reason'])
    .where('id', '=', config.id)
    .executeTakeFirstOrThrow()
  expect(row.is_active).toBe(false)
  expect(row.disabled_reason).toContain('410')
  const states = await pipeline.db
    .selectFrom('webhook_deliveries')
    .select('state')
    .where('webhook_config_id', '=', config.id)
    .execute()
  expect(states.map(({ state }) => state).toSorted()).toEqual(['failed', 'held'])
  expect(crm.requests).toHaveLength(2)
})

test('a longer Retry-After is obeyed, a shorter one is not', async () => {
  crm.answerWith((_request, index) => (index === 0 ? { status: 429, headers: { 'retry-after': '3' } } : 200))
  const config = await givenConfig(pipeline.context, client, { endpoint_url: crm.url })
  const lead = await givenLead(pipeline.db, client)
  await assignLead(pipeline.db, lead)
  await publishEventsOfLead(pipeline.context, lead)
  await drain(pipeline.context)

  const [first, second] = await logs(config.id)
  expect(first?.error_class).toBe('throttled')
  expect((second?.created_at.getTime() ?? 0) - (first?.created_at.getTime() ?? 0)).toBeGreaterThanOrEqual(
    2900,
  )
})

test('redirects are not followed', async () => {
  crm.answerWith({ status: 302, headers: { location: `${crm.url}/elsewhere` } })
  const config = await givenConfig(pipeline.context, client, { endpoint_url: `${crm.url}/first` })
  const lead = await givenLead(pipeline.db, client)
  await assignLead(pipeline.db, lead)
  await publishEventsOfLead(pipeline.context, lead)
  await crm.waitForCount(1)
  await waitUntil(async () => (await logs(config.id)).length > 0)

  expect((await logs(config.id))[0]).toMatchObject({ error_class: 'redirect', response_status: 302 })
  expect(crm.requests.every((request) => request.path === '/first')).toBe(true)
})

test('nobody else hears of a lead: neither another client nor an inactive or unsubscribed configuration', async () => {
  const stranger = await givenClient(pipeline.db)
  await givenConfig(pipeline.context, stranger, {
    endpoint_url: `${crm.url}/stranger`,
    trigger_on_lead_created: true,
  })
  await givenConfig(pipeline.context, client, { endpoint_url: `${crm.url}/inactive`, is_active: false })
  await givenConfig(pipeline.context, client, {
    endpoint_url: `${crm.url}/unsubscribed`,
    trigger_on_lead_assigned: false,
  })
  await givenConfig(pipeline.context, client, { endpoint_url: `${crm.url}/mine` })
  const lead = await givenLead(pipeline.db, client)
  await assignLead(pipeline.db, lead)
  await publishEventsOfLead(pipeline.context, lead)
  await drain(pipeline.context)

  expect(crm.requests.map((request) => request.path)).toEqual(['/mine'])
})

test('lead.created of a marketplace lead goes to administrators alone', async () => {
  const admin = await givenClient(pipeline.db, 'admin')
  await givenConfig(pipeline.context, admin, {
    endpoint_url: `${crm.url}/admin`,
    trigger_on_lead_created: true,
  })
  await givenConfig(pipeline.context, client, {
    endpoint_url: `${crm.url}/client`,
    trigger_on_lead_created: true,
  })
  const lead = await givenLead(pipeline.db, null)
  expect(await assignLead(pipeline.db, lead)).toMatchObject({ success: false, outcome: 'no_buyer' })
  await publishEventsOfLead(pipeline.context, lead)
  await drain(pipeline.context)
  await pipeline.db.deleteFrom('client_webhook_configs').where('client_user_id', '=', admin).execute()

  expect(crm.requests.map((request) => request.path)).toEqual(['/admin'])
})

test('awkward values arrive intact in JSON and in forms', async () => {
  const name = 'Zoë "The\nLead" O’Nöl 🦊 \u202bعربي\u202c <b>& {{email}}'
  const template =
    '{"n":"{{name}}","t":"Hi {{name}}!","2":1.50,"1":{"deal":"{{deal_size}}","none":"{{campaign}}"},"c":"{{custom.tier}}"}'
  await givenConfig(pipeline.context, client, { endpoint_url: `${crm.url}/json`, payload_template: template })
  await givenConfig(pipeline.context, client, {
    endpoint_url: `${crm.url}/form`,
    payload_type: 'FORM',
    request_method: 'PATCH',
    payload_template: template,
  })
  const lead = await givenLead(pipeline.db, client, { name, deal_size: '1250.50', custom: '{"tier":3}' })
  await assignLead(pipeline.db, lead)
  await publishEventsOfLead(pipeline.context, lead)
  await drain(pipeline.context)

  const json = await crm.waitFor((request) => request.path === '/json')
  expect(json.body).toContain('"2":1.50,"1":{')
  expect(JSON.parse(json.body)).toEqual({
    n: name,
    t: `Hi ${name}!`,
    2: 1.5,
    1: { deal: 1250.5, none: null },
    c: 3,
  })
  const form = await crm.waitFor((request) => request.path === '/form')
  expect(form.headers['content-type']).toBe('application/x-www-form-urlencoded')
  expect([...new URLSearchParams(form.body)]).toEqual([
    ['n', name],
    ['t', `Hi ${name}!`],
    ['2', '1.50'],
    ['1.deal', '1250.5'],
    ['1.none', ''],
    ['c', '3'],
  ])
})
