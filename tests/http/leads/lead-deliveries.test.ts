import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LeadDeliveryCounts } from '#core/contract/leads/lead.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'
import { createLogRows, type LogRows, type Planned } from '../webhooks/log-rows.ts'

const NOTHING = { delivered: 0, failed: 0, held: 0, retrying: 0, waiting: 0, cancelled: 0, sent: 0 }

let app: TestApp
let client: Person
let rows: LogRows
let ways: Planned[]
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
  rows = createLogRows(app, client)
  const configIds: string[] = []
  for (let count = 0; count < 4; count += 1) {
    const body = { webhook_name: `CRM ${count}`, endpoint_url: 'https://crm.example.com' }
    const { json } = await app.call('POST', '/api/v1/webhook-configs', { token: client.token, body })
    configIds.push(json.id)
  }
  const planned = await rows.planDelivery(client, configIds[0])
  const deliveries = await app.context.db
    .selectFrom('webhook_deliveries')
    .select(['id', 'webhook_config_id'])
    .where('lead_id', '=', planned.leadId)
    .execute()
  ways = configIds.map((configId) => {
    const deliveryId = deliveries.find((one) => one.webhook_config_id === configId)?.id
    if (deliveryId === undefined) throw new Error('a webhook without its delivery')
    return { ...planned, configId, deliveryId }
  })
})
afterAll(() => app.close())

function way(index: number): Planned {
  const found = ways[index]
  if (found === undefined) throw new Error('no such way')
  return found
}

const own = (method: string, path: string) => app.call(method, path, { token: client.token })

/** Returns the deliveries as the list and the lead show them, which must be equal. */
async function told() {
  const listed = (await own('GET', '/api/v1/leads')).json.data
  const shown = (await own('GET', `/api/v1/leads/${way(0).leadId}`)).json
  const of = (lead: object) =>
    Object.fromEntries(Object.entries(lead).filter(([name]) => /^delivery_(status|counts)$/.test(name)))
  expect(listed.map(of)).toEqual([of(shown)])
  return of(shown)
}

test('a lead’s status covers all of its deliveries, whatever the result of one of them', async () => {
  expect(await told()).toEqual({ delivery_status: 'pending', delivery_counts: { ...NOTHING, waiting: 4 } })

  await rows.logAttempt(way(0), 1, { delivered: true })
  await rows.logAttempt(way(1), 1, { delivered: false, retryInMs: 60_000 })
  await app.context.db
    .updateTable('webhook_deliveries')
    .set({ state: 'held' })
    .where('id', '=', way(2).deliveryId)
    .execute()
  const counts = { ...NOTHING, delivered: 1, retrying: 1, held: 1, waiting: 1, sent: 2 }
  expect(await told()).toEqual({ delivery_status: 'pending', delivery_counts: counts })

  const failed = await rows.logAttempt(way(1), 2, { delivered: false })
  const partly = { ...counts, retrying: 0, failed: 1 }
  expect(await told()).toEqual({ delivery_status: 'failed', delivery_counts: partly })

  // A resend replaces the delivery that it repeats, until it is cancelled.
  const again = (await own('POST', `/api/v1/delivery-logs/${failed}/resend`)).json.delivery_id
  const resent = { ...partly, failed: 0, waiting: 2, sent: 1 }
  expect(await told()).toEqual({ delivery_status: 'pending', delivery_counts: resent })
  await own('POST', `/api/v1/delivery-logs/${again}/cancel`)
  expect(await told()).toEqual({ delivery_status: 'failed', delivery_counts: partly })

  await own('POST', `/api/v1/delivery-logs/${way(2).deliveryId}/cancel`)
  const stopped = { ...partly, held: 0, cancelled: 1 }
  expect(await told()).toEqual({ delivery_status: 'failed', delivery_counts: stopped })
})

test('deliveries that arrived at a deleted webhook stay delivered, and its others are removed', async () => {
  const { leadId, configId } = way(0)
  await sql`
    insert into events (type, lead_id, client_user_id, data, enqueued_at, planned_at)
    values ('delivery.succeeded', ${leadId}, ${client.id}, ${{ webhook_config_id: configId }}, now(), now())
  `.execute(app.context.db)
  for (const planned of ways) await own('DELETE', `/api/v1/webhook-configs/${planned.configId}`)

  expect(await told()).toEqual({
    delivery_status: 'delivered',
    delivery_counts: { ...NOTHING, delivered: 1, sent: 1 },
  })
})

test('a lead counts as sent once an attempt has reached an endpoint, whatever the other results', async () => {
  const buyer = await app.newClient()
  const planned = await rows.planDelivery(buyer)
  const read = async () => {
    const { text } = await app.call('GET', `/api/v1/leads/${planned.leadId}`, { token: buyer.token })
    return (JSON.parse(text) as { delivery_counts: LeadDeliveryCounts }).delivery_counts
  }
  const fail = (attempt: number, outcome: { isUnreached?: boolean; retryInMs?: number }) =>
    rows.logAttempt(planned, attempt, { delivered: false, ...outcome }, buyer)

  await fail(1, { isUnreached: true, retryInMs: 60_000 })
  expect(await read()).toEqual({ ...NOTHING, retrying: 1, sent: 0 })
  await fail(2, { retryInMs: 60_000 })
  expect(await read()).toEqual({ ...NOTHING, retrying: 1, sent: 1 })
  await fail(3, { isUnreached: true })
  expect(await read()).toEqual({ ...NOTHING, failed: 1, sent: 1 })
})

test('a lead whose endpoints were never reached does not count as sent', async () => {
  const buyer = await app.newClient()
  const planned = await rows.planDelivery(buyer)
  await rows.logAttempt(planned, 1, { delivered: false, isUnreached: true }, buyer)

  const { text } = await app.call('GET', '/api/v1/leads', { token: buyer.token })
  expect(text).toContain('"sent":0')
  expect(text).toContain('"failed":1')
})
