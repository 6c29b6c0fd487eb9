import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSecretBox } from '#core/secrets/secret-box.ts'
import { RETURNED_LEAD_NAME } from '#core/contract/leads/lead.ts'
import { givenLogRow } from '#tests/support/given/log-rows.ts'
import { givenMember } from '../accounts/members/given-members.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let owner: Person
const members: Partial<Record<'agent' | 'manager' | 'finance', Person>> = {}
let other: Person
/** Rows that are the agent's, another agent's, and shared. */
const rows: Record<'own' | 'others' | 'shared', { webhook: string; lead: string; log: string }> = {
  own: { webhook: '', lead: '', log: '' },
  others: { webhook: '', lead: '', log: '' },
  shared: { webhook: '', lead: '', log: '' },
}

beforeAll(async () => {
  app = await startApp()
  owner = await app.newApprovedClient()
  for (const role of ['agent', 'manager', 'finance'] as const)
    members[role] = await givenMember(app, owner, role)
  other = await givenMember(app, owner, 'agent')
  for (const [whose, person] of [
    ['own', agent()],
    ['others', other],
    ['shared', owner],
  ] as const) {
    const webhook = await insert(person, 'client_webhook_configs', {
      webhook_name: `CRM ${whose}`,
      endpoint_url: 'https://crm.example.com/',
      client_user_id: person.id,
      created_by: person.id,
    })
    const lead = await insert(person, 'leads', { name: `Zelda ${whose}`, user_id: person.id })
    const of = { webhook_config_id: webhook, client_user_id: owner.id, lead_id: lead }
    rows[whose] = { webhook, lead, log: await givenLogRow(app.context.db, new Date(), of) }
  }
})
afterAll(() => app.close())

const agent = (): Person => members.agent ?? owner

async function insert(person: Person, table: string, body: object): Promise<string> {
  const { text, status } = await app.call('POST', `/rest/v1/${table}?select=id`, {
    token: person.token,
    body,
    headers: { prefer: 'return=representation' },
  })
  expect([status, text]).toEqual([201, expect.stringMatching(/^\[\{"id":/)])
  return (JSON.parse(text) as [{ id: string }])[0].id
}

async function read(person: Person | undefined, path: string): Promise<unknown> {
  const { text } = await app.call('GET', `/rest/v1/${path}`, { token: person?.token })
  const answer: unknown = JSON.parse(text)
  return Array.isArray(answer)
    ? answer.map((row: object) => String(Object.values(row)[0])).toSorted()
    : answer
}

const PATHS = [
  'client_webhook_configs?select=id',
  'leads?select=id',
  'webhook_delivery_logs?select=id',
] as const
const KEYS = ['webhook', 'lead', 'log'] as const
const idsOf = (key: (typeof KEYS)[number], whose: readonly (keyof typeof rows)[]) =>
  whose.map((one) => rows[one][key]).toSorted()

test('owners and managers read all rows of the account, an agent own ones only', async () => {
  for (const [at, path] of PATHS.entries()) {
    const key = KEYS[at] ?? 'lead'
    for (const person of [owner, members.manager])
      expect(await read(person, path)).toEqual(idsOf(key, ['own', 'others', 'shared']))
    expect(await read(agent(), path)).toEqual(idsOf(key, ['own']))
    expect(await read(other, path)).toEqual(idsOf(key, ['others']))
  }
})

test('the balance is for roles that see money', async () => {
  for (const person of [owner, members.finance])
    expect(await read(person, 'client_balances')).toEqual([owner.id])
  for (const person of [agent(), members.manager])
    expect(await read(person, 'client_balances')).toMatchObject({ code: '42501' })
  for (const path of PATHS) expect(await read(members.finance, path)).toMatchObject({ code: '42501' })
})

test('a filter by the id of a person means the person’s account, and shows what the role may see', async () => {
  for (const id of [owner.id, agent().id]) {
    const path = `client_webhook_configs?select=id&client_user_id=eq.${id}`
    expect(await read(agent(), path)).toEqual(idsOf('webhook', ['own']))
  }
  expect(await read(agent(), `leads?select=id&user_id=in.(${agent().id})`)).toEqual(idsOf('lead', ['own']))
  expect(await read(owner, `client_webhook_configs?select=id&client_user_id=eq.${agent().id}`)).toEqual([])
})

test('an agent changes and deletes only own webhooks, whatever the filter', async () => {
  const options = { token: agent().token, headers: { prefer: 'return=representation' } }
  const patched = await app.call(
    'PATCH',
    '/rest/v1/client_webhook_configs?select=id&webhook_name=like.CRM*',
    {
      ...options,
      body: { is_active: false, updated_at: new Date().toISOString() },
    },
  )
  expect(JSON.parse(patched.text)).toEqual([{ id: rows.own.webhook }])
  const gone = await app.call(
    'DELETE',
    `/rest/v1/client_webhook_configs?id=eq.${rows.shared.webhook}`,
    options,
  )
  expect({ status: gone.status, text: gone.text }).toEqual({ status: 200, text: '[]' })
  const moved = await app.call('PATCH', `/rest/v1/client_webhook_configs?id=eq.${rows.own.webhook}`, {
    ...options,
    body: { member_user_id: other.id },
  })
  expect(moved.status).toBe(422)
})

test('a row may be sent back whole, and keeps its owner and creator', async () => {
  const path = `/rest/v1/client_webhook_configs?id=eq.${rows.shared.webhook}`
  const [row] = JSON.parse((await app.call('GET', path, { token: owner.token })).text) as [
    Record<string, unknown>,
  ]
  const change = { ...row, webhook_name: 'CRM shared, renamed' }
  const sent = await app.call('PATCH', path, { token: members.manager?.token, body: change })
  expect(sent.status).toBe(204)
  const [after] = JSON.parse((await app.call('GET', path, { token: owner.token })).text) as [
    Record<string, unknown>,
  ]
  expect(after).toEqual({ ...change, updated_at: after['updated_at'] })
  for (const body of [
    { ...change, client_user_id: app.admin.id },
    { ...change, created_by: other.id },
  ])
    expect((await app.call('PATCH', path, { token: owner.token, body })).status).toBe(403)
})

test('a returned lead is hidden, and no filter or order finds what is hidden', async () => {
  const { lead } = rows.shared
  await sql`update leads set status = 'returned', email = 'zelda.hidden@quill.example.com' where id = ${lead}`.execute(
    app.context.db,
  )
  expect(await read(owner, `leads?select=name&id=eq.${lead}`)).toEqual([RETURNED_LEAD_NAME])
  for (const filter of [
    'name=ilike.*zelda*shared*',
    'email=eq.zelda.hidden@quill.example.com',
    'email=not.is.null',
    'or=(email.like.*hidden*,name.eq.x)',
  ])
    expect(await read(owner, `leads?select=id&id=eq.${lead}&${filter}`)).toEqual([])
  const { text } = await app.call(
    'GET',
    `/rest/v1/webhook_delivery_logs?select=leads(*)&lead_id=eq.${lead}`,
    {
      token: owner.token,
    },
  )
  expect(JSON.parse(text)).toMatchObject([
    { leads: { name: RETURNED_LEAD_NAME, email: null, phone: null, city: null } },
  ])
})

test('the log has attempts, and deliveries that wait for their first or were cancelled', async () => {
  const { db } = app.context
  const { webhook, lead, log } = rows.own
  await sql`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, finished_at)
    select e.id, e.type, of.webhook, ${owner.id}, ${lead}, of.state, of.finished_at from events e,
      (values (${webhook}::uuid, 'pending', null::timestamptz), (${rows.shared.webhook}::uuid, 'cancelled', now()))
        of (webhook, state, finished_at)
    where e.lead_id = ${lead} and e.type = 'lead.created'`.execute(db)
  const select = 'webhook_delivery_logs?select=delivery_status'
  expect(await read(agent(), `${select}&lead_id=eq.${lead}`)).toEqual(['cancelled', 'delivered', 'pending'])
  expect(await read(owner, `${select}&webhook_config_id=eq.${webhook}&order=created_at`)).toEqual([
    'delivered',
    'pending',
  ])
  expect(await read(owner, `${select}&delivery_status=in.(pending,cancelled)&order=delivery_status`)).toEqual(
    ['cancelled', 'pending'],
  )
  expect(await read(owner, `webhook_delivery_logs?select=id&id=eq.${log}`)).toEqual([log])
  const counted = await app.call('HEAD', `/rest/v1/webhook_delivery_logs?lead_id=eq.${lead}`, {
    token: owner.token,
    headers: { prefer: 'count=exact' },
  })
  expect(counted.headers.get('content-range')).toBe('0-2/3')
})

test('a lead’s holder annotates it, and the disposition is a column', async () => {
  const { lead } = rows.own
  const assigned = { token: agent().token, body: { assigned_to: agent().id, status: 'assigned' } }
  expect((await app.call('PATCH', `/rest/v1/leads?id=eq.${lead}`, assigned)).status).toBe(204)
  const noted = await app.call(
    'PATCH',
    `/rest/v1/leads?id=eq.${lead}&select=disposition,notes,assigned_to,status`,
    {
      token: agent().token,
      body: { disposition: 'contacted', notes: 'Call on Monday' },
      headers: { prefer: 'return=representation' },
    },
  )
  expect(JSON.parse(noted.text)).toEqual([
    { disposition: 'contacted', notes: 'Call on Monday', assigned_to: owner.id, status: 'assigned' },
  ])
  expect(await read(owner, 'leads?select=id&disposition=eq.contacted')).toEqual([lead])
})

describe('a webhook with headers that cannot be read', () => {
  const store = (headers: object) =>
    sql`update client_webhook_configs set custom_headers = ${JSON.stringify(headers)}::jsonb
      where id = ${rows.others.webhook}`.execute(app.context.db)
  const asked = () => ({ token: owner.token })
  const ofRest = async () =>
    JSON.parse((await app.call('GET', '/rest/v1/client_webhook_configs', asked())).text) as {
      id: string
      custom_headers: unknown
    }[]
  const inRest = async () => (await ofRest()).find(({ id }) => id === rows.others.webhook)?.custom_headers

  test('comes with null instead of them, among all others', async () => {
    await store({ 'X-Team': 1 })
    expect(await inRest()).toBeNull()
    expect(await ofRest()).toHaveLength(3)
  })

  test('comes with a mask for a value whose key is lost, until the value is typed again', async () => {
    const { secrets } = app.context
    const other = createSecretBox(Buffer.alloc(32, 7).toString('base64'))
    await store({
      'X-Team': secrets.seal('client_webhook_configs.custom_headers', 'north'),
      'X-Region': other.seal('client_webhook_configs.custom_headers', 'west'),
    })
    const shown = { 'X-Team': 'north', 'X-Region': '••••' }
    expect(await inRest()).toEqual(shown)
    expect(await ofRest()).toHaveLength(3)
    const path = `/api/v1/webhook-configs/${rows.others.webhook}`
    expect((await app.call('GET', path, asked())).json).toMatchObject({ custom_headers: shown })
    expect((await app.call('GET', '/api/v1/webhook-configs', asked())).json.data).toHaveLength(3)
    const change = (body: object) => app.call('PATCH', path, { ...asked(), body })
    expect((await change({ custom_headers: shown })).status).toBe(422)
    expect((await change({ endpoint_url: 'https://elsewhere.example.com/' })).status).toBe(422)
    const typed = { custom_headers: { ...shown, 'X-Region': 'east' } }
    expect((await change(typed)).json).toMatchObject(typed)
  })
})
