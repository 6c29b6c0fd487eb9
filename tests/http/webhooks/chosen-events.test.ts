import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readAttemptRecords } from '#core/data/realtime/read-records.ts'
import { createKeyring } from '#core/secrets/keyring.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'
import { givenOrder } from '#tests/support/given/market.ts'
import { createContext } from '#worker/context.ts'
import { startWorker } from '#worker/start-worker.ts'
import { startForTwo } from '../leads/start-for-two.ts'
import { givePricedLead } from '../market/give-priced-lead.ts'

const { app, client, other, get } = await startForTwo()
const { db, config, logger } = app.context
const PATH = '/api/v1/webhook-configs'

const send = (method: string, path: string, body: unknown, token = client.token) =>
  app.call(method, path, { token, body })
const create = async (fields: object) =>
  await send('POST', PATH, { webhook_name: 'CRM', endpoint_url: 'https://crm.example.com/hook', ...fields })

test('a webhook chooses events, each once, and its templates come back as they were written', async () => {
  const template = '{"b":1.50,"a":"{{reason}}","1":"{{lead_id}}"}'
  const body = `{"webhook_name":"CRM","endpoint_url":"https://crm.example.com/hook",
    "events":["lead.returned","order.paused","lead.returned"],"event_templates":{"lead.returned":${template}}}`
  const made = await send('POST', PATH, body)
  expect(made.status).toBe(201)
  expect(made.json).toMatchObject({ events: ['lead.returned', 'order.paused'] })
  const shown = await get(`${PATH}/${made.json.id}`)
  expect(shown.text).toContain(`"event_templates":{"lead.returned":${template}}`)

  const changed = await send('PATCH', `${PATH}/${made.json.id}`, {
    events: ['balance.low'],
    event_templates: {},
  })
  expect(changed.json).toMatchObject({ events: ['balance.low'], event_templates: {} })
  const kept = await send('PATCH', `${PATH}/${made.json.id}`, { webhook_name: 'Other' })
  expect(kept.json).toMatchObject({ events: ['balance.low'] })
  expect((await create({})).json).toMatchObject({ events: [], event_templates: {} })
  const stranger = await send('PATCH', `${PATH}/${made.json.id}`, { events: [] }, other.token)
  expect([stranger.status, (await get(`${PATH}/${made.json.id}`, other)).status]).toEqual([404, 404])
})

test.each([
  ['an unknown event', { events: ['lead.created'] }, 'events.0'],
  [
    'a template that is no object',
    { event_templates: { 'lead.returned': 'text' } },
    'event_templates.lead.returned',
  ],
  [
    'a placeholder of the person',
    { event_templates: { 'lead.returned': { phone: '{{phone}}' } } },
    'event_templates.lead.returned',
  ],
  [
    'a placeholder of another event',
    { event_templates: { 'balance.low': { order: '{{order_id}}' } } },
    'event_templates.balance.low',
  ],
  ['a template of an unknown event', { event_templates: { 'lead.sold': {} } }, 'event_templates'],
])('%s is refused at its field', async (_what, fields, path) => {
  const { status, json } = await create(fields)
  expect(status).toBe(422)
  expect(json.errors.map((error) => error.path.slice(0, path.length))).toContain(path)
})

const LOG_ROW = z.looseObject({
  id: z.uuid(),
  event_id: z.uuid(),
  created_at: z.string(),
  event_type: z.string(),
  lead_id: z.uuid().nullable(),
})
const COLUMNS = `select=${Object.keys(LOG_ROW.shape).join(',')}`

/** The log names the lead of an event that has one, however it is read. */
async function expectTrueLeads(lead: string, hook: string) {
  const read = async (query: string, who = client) => {
    const { status, json } = await get(
      `/rest/v1/webhook_delivery_logs?webhook_config_id=eq.${hook}&${query}`,
      who,
    )
    expect(status).toBe(200)
    return z.array(LOG_ROW).parse(json)
  }
  await expect.poll(async () => (await read(`lead_id=eq.${lead}`)).length, { timeout: 10_000 }).toBe(2)
  const told = await read(`${COLUMNS},leads(name,email)&lead_id=in.(${lead})`)
  for (const row of told)
    expect(row).toMatchObject({
      event_type: 'lead.returned',
      lead_id: lead,
      leads: { name: 'Returned: do not contact', email: null },
    })
  expect(await read(`lead_id=eq.${lead}`, other)).toEqual([])
  const others = await read(`${COLUMNS}&lead_id=is.null`)
  expect(others.map(({ event_type }) => event_type)).toEqual(['order.paused', 'order.paused'])
  const ids = await read(COLUMNS)
  for (const { event_id } of ids) expect(await read(`lead_id=eq.${event_id}`)).toEqual([])
  // The changes that sockets hear of.
  const records = await readAttemptRecords(db, [...told, ...others])
  const heard = records.map(({ record }) => (JSON.parse(record) as { lead_id: string | null }).lead_id)
  expect([heard.length, heard.filter((id) => id !== null)]).toEqual([4, [lead, lead]])
}

test('orders that are paused and leads that are returned reach the receiver, and their log is shown and resent', async () => {
  const crm = await startReceiver()
  // Without the relay: the server itself enqueues each event after its commit.
  const housekeeping = { ...config.housekeeping, relayEventsMs: 3_600_000 }
  const { context, close } = createContext(
    { ...config, housekeeping },
    createKeyring(config.secretsKey ?? ''),
    logger,
  )
  const worker = await startWorker(context, () => undefined)
  try {
    await sql`update client_accounts set status = 'active' where user_id = ${client.id}`.execute(db)
    const hook = await create({
      endpoint_url: crm.url,
      trigger_on_lead_assigned: false,
      events: ['order.paused', 'lead.returned'],
    })
    const [first, second] = [
      await givenOrder(db, client.id, { name: 'West' }),
      await givenOrder(db, client.id),
    ]
    await send('POST', `/api/v1/orders/${first}/pause`, {})
    const order = await db.selectFrom('orders').select('version').where('id', '=', second).executeTakeFirst()
    const pause = { version: order?.version, paused: true, reason: 'Too many returns', note: 'Checked' }
    expect((await send('PATCH', `/api/v1/admin/orders/${second}`, pause, app.admin.token)).status).toBe(200)
    const lead = await givePricedLead(app, client)
    const asked = await send('POST', `/api/v1/leads/${lead}/return`, { reason: 'disconnected_number' })
    await send('POST', `/api/v1/admin/returns/${asked.json.id}/approve`, {}, app.admin.token)

    await crm.waitForCount(3, { timeoutMs: 20_000 })
    const told = crm.requests.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
    expect(told).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          event: 'order.paused',
          order_id: first,
          order_name: 'West',
          paused_by: 'client',
        }),
        expect.objectContaining({ event: 'order.paused', order_id: second, paused_by: 'administrator' }),
        expect.objectContaining({
          event: 'lead.returned',
          lead_id: lead,
          reason: 'disconnected_number',
          credited: 25,
        }),
      ]),
    )
    const logs = `${PATH}/${hook.json.id}/delivery-logs`
    // A receiver has a request before the log has its answer.
    const recorded = async () => (await get(`${logs}?status=delivered`)).json.data.length
    await expect.poll(recorded, { timeout: 10_000 }).toBe(3)
    const { data } = (await get(`${logs}?event_type=lead.returned`)).json
    expect(data).toMatchObject([
      { lead_id: lead, lead: null, event_type: 'lead.returned', delivery_status: 'delivered' },
    ])
    const [row] = data
    const whole = await get(`/api/v1/delivery-logs/${row?.id}`)
    expect(whole.json).toMatchObject({ lead_id: lead, attempts: [{ id: row?.id }] })
    expect((await get(`/api/v1/delivery-logs/${row?.id}`, other)).status).toBe(404)
    expect(
      (
        await get(
          `${logs}?search=${told.find(({ event }) => event === 'lead.returned')?.['event_id'] as string}`,
        )
      ).json.data,
    ).toHaveLength(1)

    const ofLead = (await get(`${logs}?search=${lead}`)).json.data
    expect(ofLead.map(({ id }) => id)).toEqual([row?.id])

    const again = await send('POST', `/api/v1/delivery-logs/${row?.id}/resend`, undefined)
    expect(again.status).toBe(202)
    await crm.waitForCount(4)
    const ids = crm.requests.filter(({ headers }) => headers['leadwire-event'] === 'lead.returned')
    expect(new Set(ids.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    await expectTrueLeads(lead, hook.json.id)
  } finally {
    await worker.stop()
    await close()
    await crm.close()
  }
})
