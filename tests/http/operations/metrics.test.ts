import { afterAll, beforeAll, expect, test } from 'vitest'
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

test('a path counts as one, in any spelling', async () => {
  for (const path of ['/auth/v1/settings', '/AUTH/v1/settings', '/Auth/V1/settings'])
    await fetch(app.url + path)
  const { text } = await app.call('GET', '/metrics')
  expect(text).toContain('/auth/v1/settings')
  expect(text).not.toMatch(/AUTH|Auth/)
})

test('events that are not in Redis are counted', async () => {
  const lonely = await startApp({ REDIS_URL: 'redis://127.0.0.1:1' })
  const source = await lonely.newSource()

  await lonely.call('POST', '/api/v1/leads', { token: source.key, body: newLead() })

  const { text } = await lonely.call('GET', '/metrics')
  expect(text).toContain('leadwire_enqueue_failures_total{kind="events"} 1')
  expect(text).toContain('leadwire_outbox_depth 1')
  await lonely.close()
})
