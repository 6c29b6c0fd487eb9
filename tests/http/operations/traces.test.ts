import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitUntil } from '#tests/support/condition.ts'
import { startServer, startWorker, type LabServer } from '#scripts/lab/start-product.ts'
import type { LabProcess } from '#scripts/lab/start-process.ts'
import type { LabEnvironment } from '#scripts/lab/create-environment.ts'
import { createTestEnvironment } from '#tests/support/given/environment.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { PASSWORD } from '#tests/support/given/password.ts'

const ADMIN = 'admin@example.com'
const CLIENT = 'client@example.com'
/** Spans of a lead that is delivered at the first attempt. */
const STATIONS = 6

/** What the collector is sent: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
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
  receiver = await startReceiver()
  environment = await createTestEnvironment({
    SEED_ADMIN_EMAIL: ADMIN,
    SEED_ADMIN_PASSWORD: PASSWORD,
    SEED_CLIENT_EMAIL: CLIENT,
    SEED_CLIENT_PASSWORD: PASSWORD,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  })
  server = await startServer(environment.env)
  worker = await startWorker(environment.env)
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

/** One that hears of each lead of its owner. */
async function addWebhook(token: string, path = '/hook'): Promise<void> {
  const endpoint_url = `${receiver.url}${path}?key=sesame-4711`
  const config = { webhook_name: 'CRM', endpoint_url, trigger_on_lead_created: true }
  await post('/api/v1/webhook-configs', config, token)
}

/** @returns its key */
async function addSource(fields: Record<string, unknown>): Promise<string> {
  const { token } = await signIn(ADMIN)
  return (await post('/api/v1/admin/sources', fields, token)).api_key
}

async function sendLead(key: string, name: string): Promise<void> {
  const contact = { email: 'rosa.marked@example.com', phone: '+12025550143', state: 'CA' }
  await post('/api/v1/leads', { lead_type: 'final_expense', name, ...contact }, key)
}

test('one trace goes from the request that brings a lead to the endpoint’s receipt', async () => {
  await addWebhook((await signIn(ADMIN)).token)
  const key = await addSource({ name: 'Landing page' })
  // Two at once, so that both travel in one batch: each has its own trace all the same.
  await Promise.all([sendLead(key, 'Rosa Marked'), sendLead(key, 'Rose Marked')])
  const recorded = () => collector.spans.filter(({ name }) => name === 'record')
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

test('so does the trace of each of many leads that are claimed as they are planned together, because it is known who hears them', async () => {
  const client = await signIn(CLIENT)
  await addWebhook(client.token, '/his')
  const key = await addSource({ name: 'His page', owner_user_id: client.id, auto_assign: false })
  const received = () => receiver.requests.filter(({ path }) => path.startsWith('/his')).length
  await sendLead(key, 'Rosy Marked')
  await waitUntil(() => received() === 1, { what: 'the first lead of the client' })
  await Promise.all(Array.from({ length: 12 }, () => sendLead(key, 'Roza Marked')))
  const recorded = () => collector.spans.filter(({ name }) => name === 'record')
  await waitUntil(() => received() === 13 && recorded().length === receiver.requests.length, {
    what: 'all records',
  })
  const requests = collector.spans.filter(({ name }) => name === 'POST /api/v1/leads')
  expect(requests).toHaveLength(15)
  expect(new Set(recorded().map(({ traceId }) => traceId))).toEqual(
    new Set(requests.map(({ traceId }) => traceId)),
  )
})

test('spans hold ids and classes, and nothing of the lead, the endpoint’s query or the statements', () => {
  const sent = collector.bodies.join('\n')

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

test('a receiver is not told of our traces', () => {
  expect(receiver.requests).not.toEqual([])
  for (const { headers } of receiver.requests) expect(headers).not.toHaveProperty('traceparent')
})
