import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serviceKey } from '../accounts/people/administer.ts'
import { newLead, startApp, type AnswerBody, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let client: Person
let other: Person
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
  other = await app.newClient()
})
afterAll(() => app.close())

/** A lead that was sold to this client. */
async function giveLead(owner: Person, fields: Record<string, unknown> = {}): Promise<string> {
  const source = await app.newSource({ owner })
  const { json } = await app.call('POST', '/api/v1/leads', { token: source.key, body: newLead(fields) })
  return json.lead_id
}
const get = (path: string, who = client) => app.call('GET', path, { token: who.token })
const ids = (json: AnswerBody) => json.data.map(({ id }) => id)

describe('the list', () => {
  test('holds own leads only, and all of them for an administrator', async () => {
    const mine = await giveLead(client)
    const theirs = await giveLead(other)

    expect(ids((await get('/api/v1/leads')).json)).toContain(mine)
    expect(ids((await get('/api/v1/leads')).json)).not.toContain(theirs)
    expect(ids((await get('/api/v1/leads', app.admin)).json)).toEqual(expect.arrayContaining([mine, theirs]))
  })

  test('holds leads that are owned but not assigned, each once', async () => {
    const buyer = await app.newClient()
    const source = await app.newSource({ owner: buyer, auto_assign: false })
    await app.call('POST', '/api/v1/leads', { token: source.key, body: newLead() })
    await giveLead(buyer)

    const { json } = await get('/api/v1/leads', buyer)
    expect(json.data.map(({ status }) => status)).toEqual(['assigned', 'new'])
  })

  test('pages from newest to oldest without gap or repetition', async () => {
    const buyer = await app.newClient()
    const source = await app.newSource({ owner: buyer })
    const leads = Array.from({ length: 23 }, () => newLead())
    const { json } = await app.call('POST', '/api/v1/leads/batch', { token: source.key, body: leads })
    const given = json.results.map(({ lead_id }) => lead_id)

    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: AnswerBody = (
        await get(`/api/v1/leads?limit=10&cursor=${cursor}`.replace(/&cursor=$/, ''), buyer)
      ).json
      seen.push(...ids(page))
      cursor = page.next_cursor
    }
    expect(seen).toEqual(given.toSorted().toReversed())
  })

  test.each([
    ['part of a name, any case', 'zOË'],
    ['part of an e-mail address', 'zoe.search@'],
    ['part of a phone', '5550199'],
    ['a phone with punctuation', '(202) 555-0199'],
    ['percent and underscore as themselves', '50%_off'],
  ])('is searched by %s', async (_what, search) => {
    const buyer = await app.newClient()
    const id = await giveLead(buyer, {
      name: 'Zoë 50%_off Example',
      first_name: undefined,
      last_name: undefined,
      email: 'zoe.search@example.com',
      phone: '2025550199',
    })
    await giveLead(buyer, {
      name: 'Someone Else',
      first_name: undefined,
      last_name: undefined,
      email: 'x@example.com',
    })

    expect(
      ids((await get(`/api/v1/leads?limit=5&search=${encodeURIComponent(search)}`, buyer)).json),
    ).toEqual([id])
  })

  test('is filtered by state, type, status and time', async () => {
    const buyer = await app.newClient()
    const id = await giveLead(buyer, { state: 'NY', lead_type: 'auto' })
    await giveLead(buyer)
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()

    expect(ids((await get('/api/v1/leads?state=ny', buyer)).json)).toEqual([id])
    expect(ids((await get('/api/v1/leads?lead_type=auto&status=assigned', buyer)).json)).toEqual([id])
    expect(ids((await get('/api/v1/leads?status=new', buyer)).json)).toEqual([])
    expect(ids((await get(`/api/v1/leads?from=${tomorrow}`, buyer)).json)).toEqual([])
  })

  test.each([
    'limit=0',
    'limit=101',
    'cursor=nonsense',
    'status=sold',
    'from=yesterday',
    'from=-271821-04-20',
    'to=%2B275760-09-12',
    'search=%00',
    'search=a&search=b',
  ])('refuses ?%s', async (query) => {
    const { status, json } = await get(`/api/v1/leads?${query}`)

    expect({ status, code: json.code }).toEqual({ status: 422, code: 'validation_failed' })
    expect(json.errors[0]?.path).toBe(query.split('=', 1)[0])
  })
})

describe('one lead', () => {
  test('shows everything, and is viewed from then on', async () => {
    const buyer = await app.newClient()
    const id = await giveLead(buyer, { coverage_amount: 15_000, custom: { plan: 'gold' } })
    const unread = async () => (await get('/api/v1/me', buyer)).json.unread_lead_count
    expect(await unread()).toBe(1)

    await get(`/api/v1/leads/${id}`, buyer)
    const { json } = await get(`/api/v1/leads/${id}`, buyer)

    expect(json).toMatchObject({
      id,
      coverage_amount: 15_000,
      custom: { plan: 'gold' },
      disposition: 'new',
      unread: false,
    })
    expect(json.timeline.map(({ type }) => type)).toEqual(['lead.created', 'lead.assigned', 'lead.viewed'])
    expect(await unread()).toBe(0)
  })

  test('shows a station of its timeline that only a newer version knows by its name', async () => {
    const buyer = await app.newClient()
    const id = await giveLead(buyer, {})
    await sql`insert into events (type, lead_id, client_user_id) values ('lead.priced', ${id}, ${buyer.id})`.execute(
      app.context.db,
    )

    const { status, json } = await get(`/api/v1/leads/${id}`, buyer)

    expect(status).toBe(200)
    expect(json.timeline.map(({ type }) => type)).toContain('lead.priced')
  })

  test('is not viewed by an administrator who looks', async () => {
    const buyer = await app.newClient()
    const id = await giveLead(buyer)

    expect((await get(`/api/v1/leads/${id}`, app.admin)).status).toBe(200)
    expect((await get('/api/v1/me', buyer)).json.unread_lead_count).toBe(1)
  })

  test('of another client, of nobody, or with an id that is none, is not found', async () => {
    const theirs = await giveLead(other)

    for (const id of [theirs, '01a1fcd9-0000-7000-8000-000000000000', 'nonsense', '%00', '..%2f']) {
      const { status, json } = await get(`/api/v1/leads/${id}`)
      expect({ status, code: json.code }).toEqual({ status: 404, code: 'not_found' })
    }
  })

  test('takes disposition and notes from its holder', async () => {
    const id = await giveLead(client)
    const { json } = await app.call('PATCH', `/api/v1/leads/${id}`, {
      token: client.token,
      body: { disposition: 'contacted', notes: 'Call back on Monday' },
    })

    expect(json).toMatchObject({ disposition: 'contacted', notes: 'Call back on Monday' })
    const patch = (who: Person, body: unknown) =>
      app.call('PATCH', `/api/v1/leads/${id}`, { token: who.token, body })
    expect((await patch(other, { notes: 'mine now' })).status).toBe(404)
    expect((await patch(client, { disposition: 'sold!' })).status).toBe(422)
    expect((await patch(client, { deal_size: 100 })).status).toBe(422)
  })
})

describe('a test lead', () => {
  const create = (body: unknown, headers = {}) =>
    app.call('POST', '/api/v1/leads', { token: client.token, body, headers })

  test('is made with the fixed values, whatever the body says', async () => {
    const { status, json } = await create({
      name: 'Pat Example',
      status: 'assigned',
      deal_size: 900,
      state: 'NY',
      user_id: other.id,
      assigned_to: other.id,
      is_test: false,
      source: 'elsewhere',
    })

    expect(status).toBe(201)
    expect(json).toMatchObject({
      name: 'Pat Example',
      email: 'test.lead@example.com',
      lead_type: 'final_expense',
      state: 'CA',
      source: 'manual_assignment_test',
      deal_size: 0,
      status: 'new',
      is_test: true,
      user_id: client.id,
      assigned_to: null,
    })
  })

  test('is made once for one Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'test-1' }
    const [first, second] = await Promise.all([create({}, headers), create({}, headers)])

    expect(second.json.id).toBe(first.json.id)
    expect((await create({ name: 'Someone Else' }, headers)).json.code).toBe('idempotency_key_reused')
  })

  test('refuses values that cannot be stored', async () => {
    const { status, json } = await create({ email: 'nope' })

    expect({ status, path: json.errors[0]?.path }).toEqual({ status: 422, path: 'email' })
  })

  test('is assigned to its client by the procedure, once', async () => {
    const { json: lead } = await create({})
    const assign = (who: Person) =>
      app.call('POST', '/api/v1/rpc/assign_lead_to_buyer_concurrent', {
        token: who.token,
        body: { lead_id_param: lead.id, lead_type_param: 'final_expense', lead_state_param: 'CA' },
      })
    expect((await assign(other)).json).toMatchObject({ success: false, outcome: 'not_found' })

    const answers = await Promise.all(Array.from({ length: 10 }, () => assign(client)))

    expect(answers.map(({ json }) => json.outcome).toSorted()).toEqual([
      ...Array.from({ length: 9 }, () => 'already_assigned'),
      'assigned',
    ])
    expect(new Set(answers.map(({ json }) => json.assignment_id)).size).toBe(1)
    expect(answers[0]?.json).toMatchObject({ success: true, buyer_id: client.id, price: 0 })
  })

  test('is assigned to a client whose account was imported under a UUID of no version', async () => {
    const id = '11111111-1111-1111-1111-111111111111'
    const credentials = { email: 'imported@example.com', password: 'Quartz-Lantern-58' }
    const auth = app.context.config.auth.mountPath
    await app.call('POST', `${auth}/admin/users`, {
      token: await serviceKey(app.context),
      body: { id, ...credentials, email_confirm: true },
    })
    const signedIn = await app.call('POST', `${auth}/token?grant_type=password`, { body: credentials })
    const token = signedIn.json.access_token
    const { json: lead } = await app.call('POST', '/api/v1/leads', { token, body: {} })

    const assigned = await app.call('POST', '/api/v1/rpc/assign_lead_to_buyer_concurrent', {
      token,
      body: { lead_id_param: lead.id },
    })

    expect(assigned).toMatchObject({ status: 200, json: { outcome: 'assigned', buyer_id: id } })
    // Each by its schema, as the browser reads it.
    for (const path of ['/api/v1/me', `/api/v1/leads/${lead.id}`, '/api/v1/me/audit'])
      expect((await app.call('GET', path, { token })).status).toBe(200)
    await app.newSource({ owner: { id, token, email: credentials.email } })
  })

  test('can be assigned to oneself by the fallback, and to nobody else', async () => {
    const { json: lead } = await create({})
    const patch = (body: unknown) =>
      app.call('PATCH', `/api/v1/leads/${lead.id}`, { token: client.token, body })

    expect((await patch({ assigned_to: other.id, status: 'assigned' })).status).toBe(403)
    const { status, json } = await patch({ assigned_to: client.id, status: 'assigned' })
    expect({ status, lead: json.status, to: json.assigned_to }).toEqual({
      status: 200,
      lead: 'assigned',
      to: client.id,
    })
    const sold = await giveLead(client)
    const change = { assigned_to: client.id, status: 'assigned' }
    expect(
      (await app.call('PATCH', `/api/v1/leads/${sold}`, { token: client.token, body: change })).status,
    ).toBe(403)
  })
})

describe('erasing a lead', () => {
  const erase = (id: string, who: Person) =>
    app.call('POST', `/api/v1/admin/leads/${id}/erase`, { token: who.token })

  test('is an administrator’s to do; its client then sees that it was, and nothing of the person', async () => {
    const id = await giveLead(client, { name: 'Erased Example', comments: 'Call Erased Example' })
    expect((await erase(id, client)).status).toBe(403)

    const { status, json } = await erase(id, app.admin)

    expect({ status, json }).toMatchObject({ status: 200, json: { lead_id: id } })
    const lead = await get(`/api/v1/leads/${id}`)
    expect(lead.json).toMatchObject({ id, status: 'redacted', name: null, email: null })
    expect(JSON.stringify(lead.json)).not.toContain('Erased Example')
    expect((await get('/api/v1/leads?search=Erased')).json.data).toEqual([])
  })

  test('answers 404 for a lead that does not exist', async () => {
    const { status } = await erase('0199b0a0-0000-7000-8000-000000000000', app.admin)
    expect(status).toBe(404)
  })
})
