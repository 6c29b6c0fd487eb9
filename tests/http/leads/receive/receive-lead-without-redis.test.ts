import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLead, startApp, type TestApp } from '../../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  // Nothing listens on port 1.
  app = await startApp({ REDIS_URL: 'redis://127.0.0.1:1' })
})
afterAll(() => app.close())

test('a lead is accepted within two seconds, and its event waits in the outbox', async () => {
  const source = await app.newSource()
  const startedAt = performance.now()
  const { status, json } = await app.call('POST', '/api/v1/leads', { token: source.key, body: newLead() })

  expect(status).toBe(201)
  expect(performance.now() - startedAt).toBeLessThan(2000)
  const events = await app.context.db
    .selectFrom('events')
    .select(['type', 'enqueued_at'])
    .where('lead_id', '=', json.lead_id)
    .execute()
  expect(events).toEqual([{ type: 'lead.created', enqueued_at: null }])
})

test('readiness reports Redis as missing, and liveness ignores it', async () => {
  const ready = await app.call('GET', '/readyz')

  expect({ status: ready.status, missing: ready.json.missing }).toEqual({
    status: 503,
    missing: ['redis'],
  })
  expect((await app.call('GET', '/healthz')).status).toBe(200)
})
