import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { RETURNED_LEAD_NAME } from '#core/contract/leads/lead.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { settleUndelivered } from '#core/use-cases/market/settle-undelivered.ts'
import { apiRoutes } from '#server/api-routes.ts'
import { givenLogRow } from '#tests/support/given/log-rows.ts'
import { givenOrder, topUp } from '#tests/support/given/market.ts'
import { startForTwo } from '../leads/start-for-two.ts'

const { app, client: past, other: holder, get } = await startForTwo()
const { db, market } = app.context

const PERSON = {
  name: 'Zelda Quillfeather',
  first_name: 'Zelda',
  last_name: 'Quillfeather',
  email: 'zelda@quill.example.com',
  phone: '+12025550188',
  city: 'Quillton',
  zip: '97201',
  comments: 'Call after noon',
}
const SAID = JSON.stringify(PERSON)
/**
 * Matches everything that identifies the person, the present holder, or what the endpoint was sent and
 * answered.
 */
const secret = (): RegExp =>
  new RegExp(`Zelda|zelda|Quill|quill|5550188|97201|after noon|thanks|${holder.id}`)

let webhook: string
let lead: string
/** Every id of the lead that its past holder knows. */
let ids: string[]
let attempts: string[]

beforeAll(async () => {
  for (const person of [past, holder]) {
    await sql`update client_accounts set status = 'active' where user_id = ${person.id}`.execute(db)
    await topUp(db, person.id, '100.00')
  }
  const made = await app.call('POST', '/api/v1/webhook-configs', {
    token: past.token,
    body: { webhook_name: 'CRM', endpoint_url: 'https://crm.example.com/hook' },
  })
  webhook = made.json.id
  const states = ['OR']
  const order = await givenOrder(db, past.id, { states, priority: 1, when_undelivered: 'reoffer' })
  await givenOrder(db, holder.id, { states, priority: 2 })
  const [offered] = await db
    .insertInto('leads')
    .values({ lead_type: 'final_expense', state: 'OR', ...PERSON })
    .returning('id')
    .execute()
  lead = offered?.id ?? ''
  await assignLeads(market, [lead])
  await sql`update events set planned_at = now() where lead_id = ${lead}`.execute(db)
  const { rows } = await sql<{ id: string; event_id: string }>`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id)
    select id, type, ${webhook}, ${past.id}, ${lead} from events where lead_id = ${lead} and type = 'lead.assigned'
    returning id, event_id`.execute(db)
  const [delivery] = rows
  if (delivery === undefined) throw new Error('Nothing was planned')
  attempts = []
  for (const attempt_number of [1, 2]) {
    const of = {
      webhook_config_id: webhook,
      client_user_id: past.id,
      delivery_id: delivery.id,
      event_id: delivery.event_id,
      lead_id: lead,
      delivery_status: 'failed',
      response_status: 400,
      attempt_number,
    }
    attempts.push(await givenLogRow(db, new Date(), of, { request_body: SAID, response_body: 'thanks' }))
  }
  await sql`
    update webhook_deliveries set state = 'failed', attempt = 2, next_attempt_at = null, finished_at = now(), failure_class = 'http_4xx'
    where id = ${delivery.id}`.execute(db)
  const notes = await db.selectFrom('undelivered_leads').select(['id', 'assignment_id']).execute()
  for (const note of notes) await settleUndelivered(market, note)
  await assignLeads(market, [lead])
  const asked = await get('/api/v1/returns')
  const { rows: had } = await sql<{ id: string }>`
    select id from lead_assignments where lead_id = ${lead} union select id from events where lead_id = ${lead}`.execute(
    db,
  )
  ids = [lead, delivery.id, ...attempts, webhook, order, asked.json.data[0]?.id ?? '']
  ids.push(...had.map(({ id }) => id))
})

/** Lists all paths that a client may read, with every id in place of each `:id`. */
function listPaths(): string[] {
  return apiRoutes
    .filter(
      ({ method, who }) => method === 'get' && ['user', 'user by any proof', 'source or user'].includes(who),
    )
    .filter(({ path }) => !path.endsWith('/changes'))
    .flatMap(({ path }) => (path.includes(':id') ? ids.map((id) => path.replace(':id', id)) : [path]))
}

const asked = () => [
  ...listPaths(),
  ...['Zelda', 'quill.example', '5550188', 'Quillton'].map((text) => `/api/v1/leads?search=${text}`),
  '/api/v1/leads.csv?search=Zelda',
  '/api/v1/leads?status=returned',
  '/api/v1/leads?sort=name',
  '/api/v1/leads?delivery=failed',
]

/** Lists the answers that reveal something of the lead although it now belongs to another client. */
async function listLeaks(): Promise<string[]> {
  const leaks: string[] = []
  for (const path of asked()) {
    const { text, status } = await get(path)
    expect([path, status]).not.toEqual([path, 500])
    if (secret().test(text)) leaks.push(path)
  }
  return leaks
}

test('only the present holder can read the person of a lead; an earlier holder finds it nowhere', async () => {
  expect((await get(`/api/v1/leads/${lead}`, holder)).json).toMatchObject({ name: PERSON.name })
  expect(await listLeaks()).toEqual([])
})

test('an earlier holder’s log does not find the lead by name, however many leads have that name', async () => {
  const found = async () => {
    const path = `/api/v1/webhook-configs/${webhook}/delivery-logs`
    const { json } = await get(`${path}?search=Quillfeather&limit=100&status=failed`)
    return json.data.filter(({ lead_id }) => lead_id === lead)
  }
  expect(await found()).toEqual([])
  await sql`
    with alike as (
      insert into leads (lead_type, name, state, user_id, assigned_to)
      select 'final_expense', 'Ada Quillfeather', 'OR', ${past.id}, ${past.id} from generate_series(1, 501) returning id
    ), told as (
      insert into events (type, lead_id, client_user_id, enqueued_at, planned_at)
      select 'lead.assigned', id, ${past.id}, now(), now() from alike returning id, lead_id
    )
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, finished_at)
    select id, 'lead.assigned', ${webhook}, ${past.id}, lead_id, 'delivered', now() from told`.execute(db)
  expect(await found()).toEqual([])
  await sql`delete from leads where name = 'Ada Quillfeather'`.execute(db)
})

test('an earlier holder learns nothing, even after deleting the webhook that got the lead', async () => {
  const gone = await app.call('DELETE', `/api/v1/webhook-configs/${webhook}`, { token: past.token })
  expect(gone.status).toBe(204)
  expect(await listLeaks()).toEqual([])
  const [attempt] = attempts
  expect((await get(`/api/v1/delivery-logs/${attempt}`)).json).toMatchObject({
    bodies: 'returned',
    request: null,
    response: null,
    lead: { name: RETURNED_LEAD_NAME, email: null, phone: null },
  })
  expect((await get(`/api/v1/leads/${lead}`)).json.deliveries).toMatchObject([
    { lead: { name: RETURNED_LEAD_NAME } },
    { lead: { name: RETURNED_LEAD_NAME } },
  ])
  for (const [path, body] of [
    ['/api/v1/webhook-configs/preview', { payload_template: { name: '{{name}}' }, lead_id: lead }],
    ['/functions/v1/webhook-delivery', { lead_id: lead, client_user_id: past.id }],
    ['/api/v1/rpc/assign_lead_to_buyer_concurrent', { lead_id_param: lead }],
    [`/api/v1/delivery-logs/${attempt}/resend`, {}],
    [`/api/v1/leads/${lead}/return`, { reason: 'language' }],
  ] as const) {
    const { text } = await app.call('POST', path, { token: past.token, body })
    expect([path, secret().test(text)]).toEqual([path, false])
  }
  const noted = await app.call('PATCH', `/api/v1/leads/${lead}`, {
    token: past.token,
    body: { disposition: 'contacted', notes: 'x' },
  })
  expect([noted.status, secret().test(noted.text)]).toEqual([404, false])
})
