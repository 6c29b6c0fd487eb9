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

const EMAIL = 'admin@example.com'
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
    SEED_ADMIN_EMAIL: EMAIL,
    SEED_ADMIN_PASSWORD: PASSWORD,
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

async function post(path: string, body: unknown, token?: string): Promise<Record<string, string>> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  expect(response.ok, await response.clone().text()).toBe(true)
  return (await response.json()) as Record<string, string>
}

test('one trace goes from the request that brings a lead to the endpoint’s receipt', async () => {
  const { access_token: token } = await post('/auth/v1/token?grant_type=password', {
    email: EMAIL,
    password: PASSWORD,
  })
  await post(
    '/api/v1/webhook-configs',
    {
      webhook_name: 'CRM',
      endpoint_url: `${receiver.url}/hook?key=sesame-4711`,
      trigger_on_lead_created: true,
    },
    token,
  )
  const { api_key: key } = await post('/api/v1/admin/sources', { name: 'Landing page' }, token)
  const sendLead = (name: string) =>
    post(
      '/api/v1/leads',
      {
        lead_type: 'final_expense',
        name,
        email: 'rosa.marked@example.com',
        phone: '+12025550143',
        state: 'CA',
      },
      key,
    )
  // Two at once, so that both travel in one batch: each has its own trace all the same.
  await Promise.all([sendLead('Rosa Marked'), sendLead('Rose Marked')])
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
  expect(receiver.requests).toHaveLength(2)
  for (const { headers } of receiver.requests) expect(headers).not.toHaveProperty('traceparent')
})
