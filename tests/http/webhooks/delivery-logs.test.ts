import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLogRows, type LogRows } from './log-rows.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let client: Person
let other: Person
let planDelivery: LogRows['planDelivery']
let logAttempt: LogRows['logAttempt']
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
  other = await app.newClient()
  ;({ planDelivery, logAttempt } = createLogRows(app, client))
})
afterAll(() => app.close())

const get = (path: string, who = client) => app.call('GET', path, { token: who.token })
const post = (path: string, body?: unknown, who = client, headers = {}) =>
  app.call('POST', path, { token: who.token, body, headers })

const logs = async (configId: string, query = '') =>
  (await get(`/api/v1/webhook-configs/${configId}/delivery-logs${query}`)).json

describe('the logs of a configuration', () => {
  test('show a delivery before its first attempt as one pending row', async () => {
    const planned = await planDelivery()
    const { data } = await logs(planned.configId)

    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({
      id: planned.deliveryId,
      delivery_id: planned.deliveryId,
      event_id: planned.eventId,
      event_type: 'lead.assigned',
      delivery_status: 'pending',
      response_status: null,
      attempt_number: 1,
      lead: { name: 'Rosa Example', email: 'rosa@example.com', phone: '+12025550143' },
    })
  })

  test('show one row per attempt, newest first, page by page and by status', async () => {
    const planned = await planDelivery()
    await logAttempt(planned, 1, { delivered: false, isLast: false })
    await logAttempt(planned, 2, { delivered: false, isLast: false })
    await logAttempt(planned, 3, { delivered: true })
    const waiting = await planDelivery(client, planned.configId)

    const all = (await logs(planned.configId)).data.map((row) => [row.delivery_status, row.attempt_number])
    expect(all).toEqual([
      ['pending', 1],
      ['delivered', 3],
      ['failed', 2],
      ['failed', 1],
    ])

    const first = await logs(planned.configId, '?limit=3')
    const second = await logs(planned.configId, `?limit=3&cursor=${first.next_cursor}`)
    expect([first.data.length, second.data.length, second.next_cursor]).toEqual([3, 1, null])
    expect(second.data[0]?.attempt_number).toBe(1)

    const failed = (await logs(planned.configId, '?status=failed')).data
    expect(failed.map((row) => row.attempt_number)).toEqual([2, 1])
    const pending = (await logs(planned.configId, '?status=pending')).data
    expect(pending.map((row) => row.id)).toEqual([waiting.deliveryId])
  })

  test('stay after a lead is erased: the person is removed, the attempt is not', async () => {
    const planned = await planDelivery()
    await logAttempt(planned, 1, { delivered: true })
    await app.context.db
      .updateTable('leads')
      .set({ name: null, email: null, phone: null })
      .where('id', '=', planned.leadId)
      .execute()

    expect((await logs(planned.configId)).data[0]?.lead).toEqual({ name: null, email: null, phone: null })
  })
})

describe('one attempt', () => {
  test('is shown completely', async () => {
    const planned = await planDelivery()
    const id = await logAttempt(planned, 1, { delivered: true })

    expect((await get(`/api/v1/delivery-logs/${id}`)).json).toMatchObject({
      id,
      webhook_name: 'CRM',
      max_attempts: 8,
      bodies: 'kept',
      request: {
        url: 'https://crm.example.com/',
        method: 'POST',
        body: '{"name":"Rosa"}',
        headers: { 'X-Key': '••••' },
      },
      response: { status: 200, headers: { server: 'crm' }, body: 'thanks', body_truncated: false },
      timing: { connect_ms: 1, headers_ms: 5, total_ms: 12 },
      remote_address: '192.0.2.1',
    })
  })

  test('is found even if an earlier version gave it an id later than its time', async () => {
    const planned = await planDelivery()
    const id = await logAttempt(planned, 1, { delivered: true })
    const { db } = app.context
    const before = new Date(Date.now() - 60_000)
    await db.updateTable('webhook_delivery_logs').set({ created_at: before }).where('id', '=', id).execute()

    expect((await get(`/api/v1/delivery-logs/${id}`)).status).toBe(200)
  })

  test('shows its remaining data without headers and bodies, and can still be sent again', async () => {
    const planned = await planDelivery()
    const id = await logAttempt(planned, 1, { delivered: true })
    await app.context.db.deleteFrom('webhook_delivery_log_bodies').where('id', '=', id).execute()

    expect((await get(`/api/v1/delivery-logs/${id}`)).json).toMatchObject({
      bodies: 'expired',
      request: null,
      response: null,
      response_status: 200,
      timing: { total_ms: 12 },
    })
    expect((await post(`/api/v1/delivery-logs/${id}/resend`)).status).toBe(202)
  })

  test('that is not made yet has neither request nor response', async () => {
    const planned = await planDelivery()

    expect((await get(`/api/v1/delivery-logs/${planned.deliveryId}`)).json).toMatchObject({
      delivery_status: 'pending',
      bodies: 'none',
      request: null,
      response: null,
      timing: null,
    })
  })

  test('sets the lead’s status to failed, until a resend replaces it', async () => {
    const planned = await planDelivery()
    const id = await logAttempt(planned, 1, { delivered: false })
    const badge = async () => (await get(`/api/v1/leads/${planned.leadId}`)).json.delivery_status
    expect(await badge()).toBe('failed')

    await post(`/api/v1/delivery-logs/${id}/resend`)
    expect(await badge()).toBe('pending')
  })
})

describe('sending again', () => {
  test('creates a new delivery of the same event', async () => {
    const planned = await planDelivery()
    const id = await logAttempt(planned, 1, { delivered: true })
    const { status, json } = await post(`/api/v1/delivery-logs/${id}/resend`)

    expect(status).toBe(202)
    const made = await app.context.db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('id', '=', json.delivery_id)
      .executeTakeFirstOrThrow()
    expect(made).toMatchObject({
      event_id: planned.eventId,
      webhook_config_id: planned.configId,
      state: 'pending',
      attempt: 0,
      resend_of: planned.deliveryId,
    })
  })

  test('happens once for one Idempotency-Key', async () => {
    const planned = await planDelivery()
    const id = await logAttempt(planned, 1, { delivered: true })
    const again = () =>
      post(`/api/v1/delivery-logs/${id}/resend`, undefined, client, { 'Idempotency-Key': `again-${id}` })
    const [first, second] = await Promise.all([again(), again()])

    expect(second.json).toEqual(first.json)
  })

  test('is refused for a waiting delivery, and while the webhook is off', async () => {
    const planned = await planDelivery()
    expect((await post(`/api/v1/delivery-logs/${planned.deliveryId}/resend`)).status).toBe(409)

    const id = await logAttempt(planned, 1, { delivered: true })
    await app.call('PATCH', `/api/v1/webhook-configs/${planned.configId}`, {
      token: client.token,
      body: { is_active: false },
    })
    expect((await post(`/api/v1/delivery-logs/${id}/resend`)).json.code).toBe('conflict')
  })

  test('of all failed deliveries counts first, then creates each once, even for simultaneous requests', async () => {
    const failed = await planDelivery()
    await logAttempt(failed, 1, { delivered: false })
    const delivered = await planDelivery(client, failed.configId)
    await logAttempt(delivered, 1, { delivered: true })
    const retried = await planDelivery(client, failed.configId)
    await logAttempt(retried, 1, { delivered: false, isLast: false })
    const path = `/api/v1/webhook-configs/${failed.configId}/resend-failed`
    const since = new Date(Date.now() - 60_000).toISOString()

    expect((await post(path, { since, dry_run: true })).json).toMatchObject({ count: 1 })
    const answers = await Promise.all([post(path, { since }), post(path, { since }), post(path, { since })])
    expect(answers.map(({ json }) => json.count).toSorted((a, b) => a - b)).toEqual([0, 0, 1])
    expect((await post(path, { since: new Date().toISOString(), dry_run: true })).json).toMatchObject({
      count: 0,
    })
  })

  test.each(['lately', null, true, 0, '-271821-04-20T00:00:00Z'])(
    'of all failed deliveries since %j is refused',
    async (since) => {
      const { configId } = await planDelivery()
      const { status, json } = await post(`/api/v1/webhook-configs/${configId}/resend-failed`, { since })

      expect({ status, path: json.errors[0]?.path }).toEqual({ status: 422, path: 'since' })
    },
  )
})

test('another client’s configuration, attempt and delivery are not found', async () => {
  const planned = await planDelivery(other)
  const id = await logAttempt(planned, 1, { delivered: false }, other)

  const answers = [
    await get(`/api/v1/webhook-configs/${planned.configId}/delivery-logs`),
    await get(`/api/v1/delivery-logs/${id}`),
    await post(`/api/v1/delivery-logs/${id}/resend`),
    await post(`/api/v1/webhook-configs/${planned.configId}/resend-failed`, { since: '2026-01-01' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
})
