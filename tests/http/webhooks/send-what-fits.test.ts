import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { endpointHealthSchema } from '#core/contract/webhooks/endpoint-health.ts'
import { WEEKDAYS } from '#core/domain/market/local-moment.ts'
import { openWithEndpoint } from '../support/open-with-endpoint.ts'

const PATH = '/api/v1/webhook-configs'

const given = openWithEndpoint()

const call = (method: 'POST' | 'PATCH' | 'GET', path: string, body?: unknown) =>
  given.app.call(method, path, { token: given.client.token, ...(body === undefined ? {} : { body }) })
const create = (body: Record<string, unknown>) =>
  call('POST', PATH, { webhook_name: 'CRM', endpoint_url: `${given.receiver.url}/hook`, ...body })

const CONDITIONS = { match: 'all', rules: [{ field: 'state', is: ['TX'] }] }
/** Closed now; open for an hour each day, some hours from now. */
const opens = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 3 * 3_600_000)
const clock = (at: Date) => at.toISOString().slice(11, 16)
const HOURS = {
  timezone: 'UTC',
  schedule: Object.fromEntries(
    WEEKDAYS.map((day) => [day, [[clock(opens), clock(new Date(opens.getTime() + 1_800_000))]]]),
  ),
}

test('conditions and hours are stored, changed and removed; without them every lead is sent at any time', async () => {
  expect((await create({})).json).toMatchObject({ conditions: null, sending_hours: null })
  const { json } = await create({ conditions: CONDITIONS, sending_hours: HOURS })
  expect(json).toMatchObject({ conditions: CONDITIONS, sending_hours: HOURS })
  const path = `${PATH}/${json.id}`
  expect((await call('PATCH', path, { webhook_name: 'Other' })).json).toMatchObject({
    conditions: CONDITIONS,
    sending_hours: HOURS,
  })
  expect((await call('PATCH', path, { conditions: null, sending_hours: null })).json).toMatchObject({
    conditions: null,
    sending_hours: null,
  })
})

test('hours may follow the calling hours of each lead alone, and conditions name ZIP codes', async () => {
  const sending_hours = { timezone: 'UTC', schedule: null, when_callable: true }
  const conditions = { match: 'all', rules: [{ field: 'zip', is: ['752', 'within 25 miles of 90001'] }] }
  const { json } = await create({ sending_hours, conditions })
  expect(json).toMatchObject({ sending_hours, conditions })
  const plain = await create({ sending_hours: { ...HOURS, when_callable: false } })
  expect(plain.json.sending_hours).toEqual(HOURS)
})

test('errors in conditions, hours and formats are refused at their place', async () => {
  const faults = async (body: Record<string, unknown>) => {
    const { status, json } = await create(body)
    return [status, ...json.errors.map(({ path, message }) => `${path}: ${message}`)]
  }
  expect(await faults({ conditions: { match: 'all', rules: [{ field: 'age', from: 80, to: 50 }] } })).toEqual(
    [422, 'conditions.rules.0.to: Must not be below from'],
  )
  expect(
    await faults({ conditions: { match: 'all', rules: [{ field: 'state', is_not: ['Ontario'] }] } }),
  ).toEqual([422, 'conditions.rules.0.is_not.0: “Ontario” is no state'])
  const near = ['within 5 miles of 75201', 'within 5 miles of 00001']
  expect(await faults({ conditions: { match: 'all', rules: [{ field: 'zip', is: near }] } })).toEqual([
    422,
    'conditions.rules.0.is: We do not know where 00001 is. Take a ZIP code nearby',
  ])
  expect(await faults({ sending_hours: { timezone: 'UTC', schedule: null } })).toEqual([
    422,
    'sending_hours.schedule: Needs a schedule, or when_callable; for always leave the sending hours out',
  ])
  expect(await faults({ sending_hours: { ...HOURS, timezone: 'Mars/Base' } })).toEqual([
    422,
    'sending_hours.timezone: No such time zone',
  ])
  expect(await faults({ payload_template: { born: '{{date_of_birth | dat: MM/DD/YYYY}}' } })).toEqual([
    422,
    'payload_template: {{date_of_birth | dat: MM/DD/YYYY}} (born): There is no format "dat". Did you mean date?',
  ])
})

test('the preview says whether its lead would be sent, and a test is sent anyway and says so', async () => {
  const preview = await call('POST', `${PATH}/preview`, {
    payload_template: { at: '{{state | lower}}' },
    conditions: CONDITIONS,
  })
  expect(preview.json).toMatchObject({ body: '{"at":"ca"}', would_send: false, unmet: ['state'] })

  const { json } = await create({ conditions: CONDITIONS, sending_hours: HOURS })
  const tested = await call('POST', '/functions/v1/test-webhook-endpoint', { webhookId: json.id })
  expect(tested.json.success).toBe(true)
  expect(tested.json.message).toContain('A test is sent whatever its conditions and sending hours say.')
})

test('a delivery outside the sending hours says so, is not resent before them, and is sent once they are removed', async () => {
  const { json: config } = await create({ sending_hours: HOURS, trigger_on_lead_assigned: true })
  const { json: lead } = await call('POST', '/api/v1/leads', { name: 'Pat Example', state: 'TX' })
  await call('POST', '/api/v1/rpc/assign_lead_to_buyer_concurrent', { lead_id_param: lead.id })
  await call('POST', '/functions/v1/webhook-delivery', { lead_id: lead.id, client_user_id: given.client.id })
  const log = async () => {
    const { json } = await call('GET', `${PATH}/${config.id}/delivery-logs`)
    const [first] = json.data
    if (first === undefined) throw new Error('Nothing was planned')
    return first
  }
  expect(await log()).toMatchObject({
    delivery_status: 'pending',
    waits_for_hours: true,
    next_attempt_at: opens.toISOString(),
  })
  const resent = await call('POST', `/api/v1/delivery-logs/${(await log()).id}/resend`)
  expect(resent.status).toBe(409)
  expect(resent.json.detail).toContain('It waits for the sending hours of this webhook')

  await call('PATCH', `${PATH}/${config.id}`, { sending_hours: null })
  const { next_attempt_at: next, waits_for_hours: waits } = await log()
  expect(waits).toBe(false)
  expect(Date.parse(next)).toBeLessThanOrEqual(Date.now() + 1000)
})

/** Plans an event beside the lead for a webhook, for this time. */
async function givenBeside(config: string, nextAttempt: Date): Promise<string> {
  const { json: lead } = await call('POST', '/api/v1/leads', { name: 'Pat Example', state: 'TX' })
  const { rows } = await sql<{ id: string }>`
    with told as (
      insert into events (type, lead_id, client_user_id, planned_at)
      values ('lead.returned', ${lead.id}, ${given.client.id}, now()) returning id
    )
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, next_attempt_at)
    select id, 'lead.returned', ${config}, ${given.client.id}, id, ${nextAttempt} from told returning id`.execute(
    given.app.context.db,
  )
  return rows[0]?.id ?? ''
}

test('an event beside the lead does not wait for the sending hours, and a resend does not say so', async () => {
  const { json: config } = await create({ sending_hours: HOURS, events: ['lead.returned'] })
  const delivery = await givenBeside(config.id, new Date())
  const resent = await call('POST', `/api/v1/delivery-logs/${delivery}/resend`)
  expect(resent.status).toBe(409)
  expect(resent.json.detail).toBe('This delivery is still waiting to be sent.')
})

test('new sending hours move no event beside the lead', async () => {
  const { json: config } = await create({ events: ['lead.returned'] })
  const planned = new Date(Date.now() + 600_000)
  const delivery = await givenBeside(config.id, planned)
  expect((await call('PATCH', `${PATH}/${config.id}`, { sending_hours: HOURS })).status).toBe(200)
  const row = await given.app.context.db
    .selectFrom('webhook_deliveries')
    .select('next_attempt_at')
    .where('id', '=', delivery)
    .executeTakeFirst()
  expect(row?.next_attempt_at).toEqual(planned)
})

test('leads that do not match are counted beside the webhook, and each timeline shows the reason', async () => {
  const { json: config } = await create({ conditions: CONDITIONS, trigger_on_lead_assigned: true })
  const skipped = async () => {
    const { text } = await call('GET', `${PATH}/${config.id}/health`)
    return endpointHealthSchema.parse(JSON.parse(text)).day.skipped
  }
  expect(await skipped()).toBe(0)
  const { json: lead } = await call('POST', '/api/v1/leads', { name: 'Pat Example', state: 'CA' })
  await call('POST', '/api/v1/rpc/assign_lead_to_buyer_concurrent', { lead_id_param: lead.id })
  await call('POST', '/functions/v1/webhook-delivery', { lead_id: lead.id, client_user_id: given.client.id })
  expect(await skipped()).toBe(1)
  const { json: shown } = await call('GET', `/api/v1/leads/${lead.id}`)
  expect(shown.timeline).toContainEqual(
    expect.objectContaining({
      type: 'delivery.skipped',
      data: expect.objectContaining({ webhook_config_id: config.id, unmet: ['state'] }) as unknown,
    }),
  )
  expect((await call('GET', `${PATH}/${config.id}/delivery-counts`)).json).toMatchObject({
    logs: 0,
    has_failed: false,
  })
})

test('a state by its name is stored as its code, and its leads are matched by the code', async () => {
  const named = (rule: object) => ({ match: 'all', rules: [{ field: 'state', ...rule }] })
  const others = await create({ conditions: named({ is_not: ['California'] }) })
  const own = await create({ conditions: null })
  const changed = await call('PATCH', `${PATH}/${own.json.id}`, { conditions: named({ is: ['california'] }) })
  expect([others.status, changed.status]).toEqual([201, 200])
  expect(others.json).toMatchObject({ conditions: named({ is_not: ['CA'] }) })
  expect(changed.json).toMatchObject({ conditions: named({ is: ['CA'] }) })
  const preview = await call('POST', `${PATH}/preview`, {
    payload_template: {},
    conditions: named({ is_not: ['California'] }),
  })
  expect(preview.json).toMatchObject({ would_send: false, unmet: ['state'] })

  const { json: lead } = await call('POST', '/api/v1/leads', { name: 'Pat Example', state: 'California' })
  await call('POST', '/api/v1/rpc/assign_lead_to_buyer_concurrent', { lead_id_param: lead.id })
  await call('POST', '/functions/v1/webhook-delivery', { lead_id: lead.id, client_user_id: given.client.id })
  const logs = async (id: string) => (await call('GET', `${PATH}/${id}/delivery-logs`)).json.data
  expect(await logs(others.json.id)).toEqual([])
  expect(await logs(own.json.id)).toHaveLength(1)
})
