import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { waitUntil } from '#tests/support/condition.ts'
import { startServer, startWorker, type LabServer } from '#scripts/lab/start-product.ts'
import type { LabProcess } from '#scripts/lab/start-process.ts'
import type { LabEnvironment } from '#scripts/lab/create-environment.ts'
import { createTestEnvironment } from '#tests/support/given/environment.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { PASSWORD } from '#tests/support/given/password.ts'

const ADMIN = 'admin@example.com'
const CLIENT = 'client@example.com'
/** Answers on this path wait for `held`. */
const HELD = '/held'
let held: Promise<void> = Promise.resolve()
/** Spans of a lead that is delivered at the first attempt. */
const STATIONS = 6

/** The collector's input: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { spans: Span[] }[]
  }[]
}
interface Attribute {
  key: string
  value: { stringValue?: string }
}
interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: Attribute[]
}
type SeenSpan = Span & { service: string }

let environment: LabEnvironment
let server: LabServer
let worker: LabProcess
let receiver: Receiver
let collector: { url: string; spans: SeenSpan[]; bodies: string[]; close: () => Promise<void> }

beforeAll(async () => {
  collector = await startCollector()
  receiver = await startReceiver(({ path }) => (path.startsWith(HELD) ? { status: 200, after: held } : 200))
  environment = await createTestEnvironment({
    SEED_ADMIN_EMAIL: ADMIN,
    SEED_ADMIN_PASSWORD: PASSWORD,
    SEED_CLIENT_EMAIL: CLIENT,
    SEED_CLIENT_PASSWORD: PASSWORD,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  })
  server = await startServer(environment.env)
  worker = await startWorker({ ...environment.env, LOG_LEVEL: 'debug' })
})
afterAll(async () => {
  await worker.stop()
  await server.stop()
  await receiver.close()
  await collector.close()
  await environment.close()
})

async function startCollector() {
  const spans: SeenSpan[] = []
  const bodies: string[] = []
  const http = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      bodies.push(`${request.url ?? ''} ${body}`)
      for (const { resource, scopeSpans } of (JSON.parse(body) as Export).resourceSpans) {
        const service = valueOf(resource.attributes, 'service.name') ?? ''
        for (const scope of scopeSpans) spans.push(...scope.spans.map((span) => ({ ...span, service })))
      }
      response.setHeader('content-type', 'application/json').end('{}')
    })()
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    spans,
    bodies,
    close: async () => {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
}

const valueOf = (attributes: readonly Attribute[], key: string) =>
  attributes.find((attribute) => attribute.key === key)?.value.stringValue

interface Answer {
  id: string
  access_token: string
  user: { id: string }
  api_key: string
}

async function post(path: string, body: unknown, token?: string): Promise<Answer> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  expect(response.ok, await response.clone().text()).toBe(true)
  return (await response.json()) as Answer
}

async function signIn(email: string): Promise<{ token: string; id: string }> {
  const session = await post('/auth/v1/token?grant_type=password', { email, password: PASSWORD })
  return { token: session.access_token, id: session.user.id }
}

/** Adds a webhook for `lead.created`. An administrator's webhook gets everybody's leads. */
async function addWebhook(token: string, path: string): Promise<void> {
  const endpoint_url = `${receiver.url}${path}?key=sesame-4711`
  const config = { webhook_name: 'CRM', endpoint_url, trigger_on_lead_created: true }
  await post('/api/v1/webhook-configs', config, token)
}

/** Adds a source. @returns its API key */
async function addSource(fields: Record<string, unknown>): Promise<string> {
  const { token } = await signIn(ADMIN)
  return (await post('/api/v1/admin/sources', fields, token)).api_key
}

async function sendLead(key: string, name: string): Promise<void> {
  const contact = { email: 'rosa.marked@example.com', phone: '+12025550143', state: 'CA' }
  await post('/api/v1/leads', { lead_type: 'final_expense', name, ...contact }, key)
}

const requests = (): SeenSpan[] => collector.spans.filter(({ name }) => name === 'POST /api/v1/leads')
const recorded = (): SeenSpan[] => collector.spans.filter(({ name }) => name === 'record')
const countReceived = (path: string): number =>
  receiver.requests.filter((request) => request.path.startsWith(path)).length

/** Waits until a path has had this many requests and the collector has every request's record. */
async function waitForRecords(path: string, count: number): Promise<void> {
  await waitUntil(() => countReceived(path) === count && recorded().length === receiver.requests.length, {
    what: `${count} records of ${path}`,
  })
}

/** Checks that each of the last requests with leads has a record in its own trace. */
async function expectOwnTraces(known: number, count: number): Promise<void> {
  await waitUntil(() => requests().length === known + count, { what: 'the spans of all requests' })
  const traces = new Set(recorded().map(({ traceId }) => traceId))
  const without = requests()
    .slice(known)
    .filter(({ traceId }) => !traces.has(traceId))
  expect(without).toEqual([])
}

/**
 * Counts a client's deliveries that were leased by the statement that planned them: their lease lasts whole
 * seconds from the creation.
 */
async function countClaimedAsPlanned(client: string): Promise<number> {
  const [counted] = await query<{ count: number }>(
    `select count(*)::int as count from webhook_deliveries where client_user_id = $1
     and extract(microseconds from lease_until - created_at)::bigint % 1000000 = 0`,
    [client],
  )
  return counted?.count ?? 0
}

async function query<Row extends pg.QueryResultRow>(text: string, values: string[]): Promise<Row[]> {
  const database = new pg.Client(environment.databaseUrl)
  await database.connect()
  try {
    return (await database.query<Row>(text, values)).rows
  } finally {
    await database.end()
  }
}

test('one trace covers the whole way from the request with a lead to the endpoint’s receipt', async () => {
  await addWebhook((await signIn(ADMIN)).token, '/hook')
  const key = await addSource({ name: 'Landing page' })
  // Two at once, so that both go in one batch: each still has its own trace.
  await Promise.all([sendLead(key, 'Rosa Marked'), sendLead(key, 'Rose Marked')])
  const isWhole = (traceId: string) =>
    collector.spans.filter((span) => span.traceId === traceId).length >= STATIONS
  await waitUntil(() => recorded().length === 2 && recorded().every(({ traceId }) => isWhole(traceId)), {
    what: 'The spans of both deliveries',
  })

  const traces = recorded().map(({ traceId }) => traceId)
  expect(new Set(traces).size).toBe(2)
  for (const traceId of traces) {
    const trace = collector.spans.filter((span) => span.traceId === traceId)
    const pathOf = (span: SeenSpan): string[] => {
      const parent = trace.find(({ spanId }) => spanId === span.parentSpanId)
      return [...(parent === undefined ? [] : pathOf(parent)), `${span.service}: ${span.name}`]
    }
    const paths = trace.map((span) => pathOf(span).join(' → '))
    const root = 'leadwire-server: POST /api/v1/leads'
    const planned = `${root} → leadwire-server: enqueue lead-events → leadwire-worker: plan_deliveries`
    const sent = `${planned} → leadwire-worker: send_delivery`
    expect(paths.toSorted((a, b) => a.length - b.length || a.localeCompare(b))).toEqual(
      [
        root,
        `${root} → leadwire-server: enqueue lead-events`,
        planned,
        sent,
        `${sent} → leadwire-worker: exchange`,
        `${sent} → leadwire-worker: record`,
      ].toSorted((a, b) => a.length - b.length || a.localeCompare(b)),
    )
  }
})

test('the lead’s id leads from its request to the trace, and to one line in the log of each attempt', () => {
  const lines = worker.output().split('\n')
  const attempts = lines.flatMap((line) =>
    line.includes('"msg":"attempt recorded"') ? [JSON.parse(line) as Record<string, unknown>] : [],
  )
  expect(attempts).toHaveLength(recorded().length)
  for (const { lead_id, delivery_id, event_id, trace_id, state, status, attempt } of attempts) {
    expect({ state, status, attempt }).toEqual({ state: 'delivered', status: 200, attempt: 1 })
    const request = requests().find((span) => valueOf(span.attributes, 'leadwire.lead_id') === lead_id)
    expect(request?.traceId).toBe(trace_id)
    const sent = collector.spans.find(({ name, traceId }) => name === 'send_delivery' && traceId === trace_id)
    expect(
      ['lead_id', 'event_id', 'delivery_id'].map((id) => valueOf(sent?.attributes ?? [], `leadwire.${id}`)),
    ).toEqual([lead_id, event_id, delivery_id])
  }
})

test('each of many leads that are claimed when they are planned keeps its own trace', async () => {
  const client = await signIn(CLIENT)
  await addWebhook(client.token, HELD)
  const key = await addSource({ name: 'His page', owner_user_id: client.id, auto_assign: false })
  await sendLead(key, 'Rosy Marked')
  await waitForRecords(HELD, 1)
  const gate = Promise.withResolvers<void>()
  held = gate.promise
  onTestFinished(() => {
    gate.resolve()
  })
  const known = requests().length
  await Promise.all(Array.from({ length: 12 }, () => sendLead(key, 'Roza Marked')))
  await waitUntil(() => countReceived(HELD) > 2, { what: 'the leads of the client' })
  expect(await countClaimedAsPlanned(client.id)).toBeGreaterThan(1)
  gate.resolve()
  await waitForRecords(HELD, 13)
  await expectOwnTraces(known, 12)
})

test('each of many leads that the market decides together keeps its own trace', async () => {
  // Nobody buys them; the administrator's webhook gets them as received.
  const key = await addSource({ name: 'Market page', owner_user_id: null, auto_assign: true })
  const [known, before] = [requests().length, countReceived('/hook')]
  await Promise.all(Array.from({ length: 12 }, () => sendLead(key, 'Rosa Marked')))
  await waitForRecords('/hook', before + 12)
  await expectOwnTraces(known, 12)
})

test('the span of an event beside the lead has the event’s id, and no lead’s', async () => {
  const { token, id } = await signIn(CLIENT)
  await query(`update client_accounts set status = 'active' where user_id = $1`, [id])
  const endpoint_url = `${receiver.url}/told`
  const hook = await post(
    '/api/v1/webhook-configs',
    { webhook_name: 'CRM', endpoint_url, events: ['order.paused'] },
    token,
  )
  const wanted = { name: 'West', lead_type: 'final_expense', timezone: 'America/New_York' }
  const order = await post('/api/v1/orders', wanted, token)
  await post(`/api/v1/orders/${order.id}/resume`, {}, token)
  await post(`/api/v1/orders/${order.id}/pause`, {}, token)
  const sent = () =>
    collector.spans.find(
      ({ name, attributes }) =>
        name === 'send_delivery' && valueOf(attributes, 'leadwire.webhook_config_id') === hook.id,
    )
  await waitUntil(() => sent() !== undefined, { what: 'the span of the event' })

  const ids = ['lead_id', 'event_id'].map((id) => valueOf(sent()?.attributes ?? [], `leadwire.${id}`))
  const told = receiver.requests.find(({ path }) => path.startsWith('/told'))
  expect(ids).toEqual([undefined, told?.headers['webhook-id']])
})

test('spans and log lines contain ids and classes, but no data of the lead, the endpoint’s query or the statements', () => {
  const sent = [...collector.bodies, worker.output()].join('\n')

  expect(sent).toMatch(/^\/v1\/traces /)
  expect(sent).toContain('leadwire.delivery_id')
  for (const secret of [
    'Marked',
    'rosa.marked',
    '2025550143',
    'sesame-4711',
    '/hook',
    'select ',
    'insert ',
  ]) {
    expect(sent).not.toContain(secret)
  }
})

test('a receiver gets no trace header', () => {
  expect(receiver.requests).not.toEqual([])
  for (const { headers } of receiver.requests) expect(headers).not.toHaveProperty('traceparent')
})
