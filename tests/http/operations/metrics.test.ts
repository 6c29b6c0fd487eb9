import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitUntil } from '#tests/support/condition.ts'
import { readSample } from '#tests/support/read-sample.ts'
import { newLead, startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('the server counts leads by their result', async () => {
  const source = await app.newSource({ owner: await app.newClient() })
  const post = (body: unknown) => app.call('POST', '/api/v1/leads', { token: source.key, body })
  const lead = newLead()

  await post(lead)
  await post(lead)
  await post({ ...newLead(), email: 'no address', phone: 'no phone' })

  const { text } = await app.call('GET', '/metrics')
  expect(text).toContain('leadwire_leads_total{result="accepted"} 1')
  expect(text).toContain('leadwire_leads_total{result="duplicate"} 1')
  expect(text).toContain('leadwire_leads_total{result="rejected"} 1')
  expect(text).toMatch(/^leadwire_outbox_depth \d+$/m)
  expect(text).not.toContain('leadwire_enqueue_failures_total{')
})

test('the server shows its stores, its pools, and what waits for people, without naming anybody', async () => {
  const { text } = await app.call('GET', '/metrics')

  expect(readSample(text, 'leadwire_postgres_up')).toBe(1)
  expect(readSample(text, 'leadwire_redis_up')).toBe(1)
  expect(readSample(text, 'leadwire_redis_evicting_masters')).toBe(0)
  expect(readSample(text, 'leadwire_pool_size{pool="leads"}')).toBe(5)
  for (const pool of ['queries', 'leads', 'market'])
    expect(readSample(text, `leadwire_pool_waiting{pool="${pool}"}`)).toBe(0)
  for (const name of ['workers', 'dead_letters', 'unsold_leads', 'waiting_payments', 'payment_differences'])
    expect(readSample(text, `leadwire_${name}`), name).toBe(0)
  expect(readSample(text, 'leadwire_log_partitions_missing')).toBe(0)
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|@/)
})

test('a path counts as one, in any spelling', async () => {
  for (const path of ['/auth/v1/settings', '/AUTH/v1/settings', '/Auth/V1/settings'])
    await fetch(app.url + path)
  const { text } = await app.call('GET', '/metrics')
  expect(text).toContain('/auth/v1/settings')
  expect(text).not.toMatch(/AUTH|Auth/)
})

test('callers that wait for a connection are counted', async () => {
  const { db } = app.context
  const size = readSample((await app.call('GET', '/metrics')).text, 'leadwire_pool_size{pool="queries"}') ?? 0
  const gate = Promise.withResolvers<void>()
  const held = Array.from({ length: size }, () => db.connection().execute(() => gate.promise))
  const next = db.connection().execute(() => Promise.resolve())
  try {
    await waitUntil(
      async () => {
        const { text } = await app.call('GET', '/metrics')
        return (
          Number(readSample(text, 'leadwire_pool_waiting{pool="queries"}')) > 0 &&
          text.includes(`leadwire_pool_in_use{pool="queries"} ${size}`)
        )
      },
      { what: 'The waiting callers' },
    )
  } finally {
    gate.resolve()
    await Promise.allSettled([...held, next])
  }
})

test('events that are not in Redis are counted', async () => {
  const lonely = await startApp({ REDIS_URL: 'redis://127.0.0.1:1' })
  const source = await lonely.newSource()

  await lonely.call('POST', '/api/v1/leads', { token: source.key, body: newLead() })

  const { text } = await lonely.call('GET', '/metrics')
  expect(text).toContain('leadwire_enqueue_failures_total{kind="events"} 1')
  expect(text).toContain('leadwire_outbox_depth 1')
  expect(readSample(text, 'leadwire_redis_up')).toBe(0)
  expect(text).not.toMatch(/^leadwire_workers \d/m)
  await lonely.close()
})
