import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFanOut } from '#core/fairness/fan-out.ts'
import { FAN_OUT } from '#core/fairness/limits.ts'
import { newLead, startApp, type Person, type TestApp, type TestSource } from '../support/start-app.ts'

const WEBHOOKS = FAN_OUT.ofLead + 5
/** Far more than the token bucket holds. */
const MANY = 10

let app: TestApp
let client: Person
let source: TestSource
beforeAll(async () => {
  app = await startApp()
  // Its clock stands still, because on a slow machine the bucket would refill during the test.
  app.context.webhooks.fanOut = createFanOut(() => 0)
  client = await app.newClient()
  source = await app.newSource({ owner: client })
  for (let index = 0; index < WEBHOOKS; index += 1)
    await app.call('POST', '/api/v1/webhook-configs', {
      token: client.token,
      body: { webhook_name: `CRM ${index}`, endpoint_url: `https://crm.example.com/${index}` },
    })
})
afterAll(() => app.close())

/** Posts leads that no worker has planned yet. */
async function postBatch(count: number): Promise<string[]> {
  const body = Array.from({ length: count }, () => newLead())
  const { json } = await app.call('POST', '/api/v1/leads/batch', { token: source.key, body })
  return json.results.map(({ lead_id }) => lead_id)
}

/** Counts a lead's deliveries at normal and at low priority, after the client has resent them. */
async function askFor(lead: string): Promise<{ atOnce: number; later: number }> {
  const body = { lead_id: lead, client_user_id: client.id }
  const { json } = await app.call('POST', '/functions/v1/webhook-delivery', { token: client.token, body })
  expect(json).toMatchObject({ success: true, deliveries: WEBHOOKS })
  const planned = await app.context.db
    .selectFrom('webhook_deliveries')
    .select('turn')
    .where('lead_id', '=', lead)
    .execute()
  const atOnce = planned.filter(({ turn }) => turn === 0).length
  return { atOnce, later: planned.length - atOnce }
}

test('resending each lead of a batch makes no more deliveries at normal priority than a worker would plan', async () => {
  const [first = '', ...others] = await postBatch(1 + MANY)
  expect(await askFor(first)).toEqual({ atOnce: FAN_OUT.ofLead, later: WEBHOOKS - FAN_OUT.ofLead })
  await Promise.all(others.map(askFor))

  const [next = ''] = await postBatch(1)
  expect(await askFor(next)).toEqual({ atOnce: 1, later: WEBHOOKS - 1 })
})
