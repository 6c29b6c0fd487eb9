import { once } from 'node:events'
import { createConnection } from 'node:net'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askByHost } from '#tests/support/ask-by-host.ts'
import { waitUntil } from '#tests/support/condition.ts'
import {
  drain,
  givenClient,
  givenConfig,
  givenLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { startWorker } from '#scripts/lab/start-product.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { openStores } from '#server/open-stores.ts'
import { createMetrics as createServerMetrics } from '#server/operations/metrics.ts'
import { createQueueCounter } from '#server/operations/queue-tallies.ts'
import { listWatchedMetrics } from '#tests/support/deploy/watched-metrics.ts'
import { serveMetrics } from '#worker/metrics/serve-metrics.ts'
import { readSample } from '#tests/support/read-sample.ts'

const TOKEN = 'a-token-for-the-scraper'
let pipeline: TestPipeline
let receiver: Receiver
let metrics: Awaited<ReturnType<typeof serveMetrics>>

beforeAll(async () => {
  pipeline = await startPipeline({ METRICS_TOKEN: TOKEN })
  receiver = await startReceiver()
  metrics = await serveMetrics(pipeline.context, 0)
})
afterAll(async () => {
  await metrics.close()
  await receiver.close()
  await pipeline.close()
})

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${metrics.port}${path}`, { headers })

async function scrape(): Promise<string> {
  return await (await get('/metrics')).text()
}

const isIdle = (text: string) => readSample(text, 'leadwire_busy_endpoints{state="busy"}') === 0

describe('a worker’s /metrics', () => {
  test('shows the outcome, latency, batches, stages and queues of a delivery', async () => {
    const { context, db } = pipeline
    const client = await givenClient(db)
    await givenConfig(context, client, { endpoint_url: receiver.url, trigger_on_lead_created: true })
    await givenLead(db, client)
    await drain(context)

    // PostgreSQL has the attempt before the worker counts it and frees the endpoint.
    const text = await waitUntil(
      async () => {
        const now = await scrape()
        return readSample(now, 'leadwire_lead_to_delivered_seconds_count') === 1 && isIdle(now) && now
      },
      { what: 'The delivery being counted' },
    )

    expect(readSample(text, 'leadwire_delivery_attempts_total{outcome="delivered"}')).toBe(1)
    expect(readSample(text, 'leadwire_deliveries_finished_total{state="delivered"}')).toBe(1)
    expect(readSample(text, 'leadwire_lead_to_delivered_seconds_count')).toBe(1)
    expect(readSample(text, 'leadwire_lead_to_delivered_seconds_sum')).toBeGreaterThan(0)
    expect(readSample(text, 'leadwire_lead_to_delivered_seconds_sum')).toBeLessThan(60)
    // The endpoint had never answered.
    expect(readSample(text, 'leadwire_lead_to_first_attempt_seconds_count{line="unproved"}')).toBe(1)
    expect(readSample(text, 'leadwire_lead_to_first_attempt_seconds_bucket{le="60",line="unproved"}')).toBe(1)
    expect(readSample(text, 'leadwire_postgres_up')).toBe(1)
    expect(readSample(text, 'leadwire_pool_size{pool="claims"}')).toBe(1)
    expect(readSample(text, 'leadwire_attempts_in_flight')).toBe(0)
    for (const batcher of ['plan', 'claim', 'record']) {
      expect(readSample(text, `leadwire_batch_size_count{batcher="${batcher}"}`)).toBeGreaterThan(0)
    }
    expect(
      readSample(text, 'leadwire_stage_duration_seconds_count{stage="record_attempt",outcome="done"}'),
    ).toBe(1)
    expect(readSample(text, 'leadwire_queue_jobs{queue="webhook-deliveries",state="failed"}')).toBe(0)
    expect(readSample(text, 'leadwire_busy_endpoints{state="busy"}')).toBe(0)
    expect(readSample(text, 'leadwire_rounds_waiting{of="clients"}')).toBe(0)
    expect(readSample(text, 'leadwire_open_breakers')).toBe(0)
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
    expect(text).toMatch(/# HELP leadwire_oldest_due_delivery_age_seconds \w+/)
  })

  test('shows the age of the oldest due delivery and of the oldest unplanned event', async () => {
    const { context, db } = pipeline
    await pipeline.stopWorker()
    const client = await givenClient(db)
    const { id: configId } = await givenConfig(context, client, { endpoint_url: receiver.url })
    const leadId = await givenLead(db, client)
    const event = await db
      .updateTable('events')
      .set({ created_at: new Date(Date.now() - 90_000) })
      .where('lead_id', '=', leadId)
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('webhook_deliveries')
      .values({
        event_id: event.id,
        event_type: 'lead.created',
        webhook_config_id: configId,
        client_user_id: client,
        lead_id: leadId,
        next_attempt_at: new Date(Date.now() - 60_000),
      })
      .execute()

    await waitUntil(
      async () => Number(readSample(await scrape(), 'leadwire_oldest_due_delivery_age_seconds')) > 0,
      { what: 'The answer of the database being asked anew' },
    )

    const text = await scrape()
    expect(readSample(text, 'leadwire_oldest_due_delivery_age_seconds')).toBeGreaterThanOrEqual(60)
    expect(readSample(text, 'leadwire_oldest_due_delivery_age_seconds')).toBeLessThan(90)
    expect(readSample(text, 'leadwire_oldest_unplanned_event_age_seconds')).toBeGreaterThanOrEqual(90)
    expect(readSample(text, 'leadwire_outbox_depth')).toBe(1)
    await pipeline.startWorker()
    await drain(context)
  })

  test('with a server’s has every metric that an alert or the dashboard names', async () => {
    const stores = openStores(pipeline.context)
    const { read } = createServerMetrics(
      stores.part,
      pipeline.context.config,
      createQueueCounter(stores.part),
    )
    const text = `${await scrape()}\n${await read()}`
    await stores.close()

    const missing = listWatchedMetrics().filter((name) => !text.includes(`# TYPE ${name} `))
    expect(missing).toEqual([])
  })

  test('contains no client, id or address', async () => {
    const text = await scrape()

    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|127\.0\.0\.1|@/)
  })

  test('answers the loopback, and others with the token', async () => {
    const forwarded = { 'x-forwarded-for': '203.0.113.9' }

    expect((await get('/metrics', forwarded)).status).toBe(403)
    expect((await get('/metrics', { ...forwarded, authorization: 'Bearer wrong-wrong-wrong' })).status).toBe(
      403,
    )
    expect((await get('/metrics', { ...forwarded, authorization: `Bearer ${TOKEN}` })).status).toBe(200)
  })

  test('answers the loopback only under its own name; where TRUST_PROXY is set, it answers only with the token', async () => {
    const { context } = pipeline
    const config = { ...context.config, http: { ...context.config.http, trustProxy: 1 } }
    const ownMetrics = { ...context.metrics, registry: new Registry() }
    const behind = await serveMetrics({ ...context, config, metrics: ownMetrics }, 0)
    const ask = (port: number, host: string, headers = {}) =>
      askByHost(`http://127.0.0.1:${port}/metrics`, host, headers)

    expect(await ask(metrics.port, 'localhost:9090')).toBe(200)
    expect(await ask(metrics.port, 'rebound.example.com')).toBe(403)
    expect(await ask(behind.port, 'localhost:9090')).toBe(403)
    expect(await ask(behind.port, 'localhost:9090', { authorization: `Bearer ${TOKEN}` })).toBe(200)
    await behind.close()
  })

  test('closes the connection of a client that keeps sending a body which nobody reads', async () => {
    const socket = createConnection(metrics.port, '127.0.0.1')
    socket.on('error', () => socket.destroy())
    socket.write('POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000000000\r\n\r\n')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    const trickle = setInterval(() => socket.write('x'), 50)
    await once(socket, 'close')
    clearInterval(trickle)

    expect(answer.toString('utf8')).toMatch(/^HTTP\/1\.1 405 .*\r\nConnection: close\r\n/s)
  })

  test('is served beside /healthz, and nothing else is served', async () => {
    expect((await get('/healthz')).status).toBe(200)
    expect((await get('/')).status).toBe(404)
    expect((await get('//')).status).toBe(404)
  })
})

test('a worker process serves metrics only if METRICS_PORT is set', async () => {
  const worker = await startWorker({ ...pipeline.environment.env, METRICS_PORT: '0' })
  try {
    const port = /"metrics_port":(\d+)/.exec(worker.output())?.[1]
    const response = await fetch(`http://127.0.0.1:${port}/metrics`)

    expect(await response.text()).toContain('leadwire_queue_jobs{')
    expect(await worker.stop()).toBe(0)
  } finally {
    await worker.kill()
  }
  const closed = await startWorker(pipeline.environment.env)
  expect(closed.output()).not.toContain('metrics_port')
  await closed.kill()
})
