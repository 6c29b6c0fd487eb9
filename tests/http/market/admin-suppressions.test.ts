import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { suppressionsAddedSchema } from '#core/contract/market/suppression.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { hashContact } from '#core/secrets/suppression-hash.ts'
import { freshState, givenBuyer, givenOrder, topUp } from '#tests/support/given/market.ts'
import { newLead, startApp, type CallOptions, type Person, type TestApp } from '../support/start-app.ts'
import { readAudit } from './read-audit.ts'

const PATH = '/api/v1/admin/suppressions'
let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown, options: CallOptions = {}) =>
  app.call(method, path, { token: app.admin.token, ...(body === undefined ? {} : { body }), ...options })
const find = async (contact: string) => (await call('POST', `${PATH}/find`, { contact })).json.data
const suppress = async (contacts: string, reason = 'opted_out') =>
  await call('POST', PATH, { contacts, reason })

describe('the suppression list', () => {
  test('accepts a pasted list, reports refused lines by number, and stores no address', async () => {
    const { status, json } = await suppress(
      'jane@example.com\n(202) 555-0143\nnobody\n2025550143\n"June@Example.com"',
    )

    expect(status).toBe(200)
    expect(json).toEqual({
      added: 3,
      known: 1,
      refused_count: 1,
      refused: [{ line: 3, message: 'Is not a valid phone number' }],
    })
    expect(await find('+1 202-555-0143')).toMatchObject([
      { kind: 'phone', reason: 'opted_out', created_by: app.admin.id },
    ])
    expect(await find('JUNE@example.com')).toHaveLength(1)
    expect(await find('janet@example.com')).toEqual([])
    const rows = await app.context.db.selectFrom('suppressions').selectAll().execute()
    expect(rows.map(({ hash }) => hash.toString('hex'))).toContain(
      hashContact(app.context.market.suppressionKeys, 'phone', '+12025550143')[0]?.toString('hex'),
    )
    expect(JSON.stringify([rows, await readAudit(app, 'suppressions_added')])).not.toMatch(
      /example\.com|5550143/,
    )
  })

  test('accepts values with invisible characters around them, like a posted lead', async () => {
    const { json } = await suppress('\u200bhidden@example.com\u200b\n\u3164\n\u200e(202) 555-0159\u2800')

    expect(json).toMatchObject({ added: 2, refused_count: 0 })
    expect(await find('hidden@example.com\u200b')).toHaveLength(1)
    expect(await find('\ufeff2025550159')).toHaveLength(1)
  })

  test('is paged newest first, filtered, and loses each deleted entry once', async () => {
    await suppress('page-1@example.com\npage-2@example.com', 'litigator')
    await suppress('page-3@example.com', 'litigator')
    const first = await call('GET', `${PATH}?reason=litigator&kind=email&limit=2`)
    const second = await call('GET', `${PATH}?reason=litigator&limit=2&cursor=${first.json.next_cursor}`)
    const ids = [...first.json.data, ...second.json.data].map(({ id }) => id)

    expect(new Set(ids).size).toBe(3)
    expect(second.json.next_cursor).toBeNull()
    const deleted = await Promise.all([1, 2, 3].map(() => call('DELETE', `${PATH}/${ids[0]}`)))
    expect(deleted.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404, 404])
    expect(await find('page-3@example.com')).toEqual([])
    expect((await readAudit(app, 'suppression_removed'))[0]).toMatchObject({
      actor: 'admin',
      actor_id: app.admin.id,
      user_id: null,
      details: { suppression_id: ids[0], before: { kind: 'email', reason: 'litigator' } },
    })
  })

  test('accepts ten thousand entries at once, even two equal lists at the same moment', async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `many-${index}@example.com`)
    const [one, other] = await Promise.all([
      suppress(lines.join('\n')),
      suppress(lines.toReversed().join('\n')),
    ])
    const sum = [one, other].map(({ json }) => suppressionsAddedSchema.parse(json))

    expect(sum.map(({ added, known }) => added + known)).toEqual([10_000, 10_000])
    expect(sum.reduce((all, { added }) => all + added, 0)).toBe(10_000)
    expect((await suppress([...lines, 'one-more@example.com'].join('\n'))).json.errors).toEqual([
      { path: 'contacts', message: 'Give at most 10,000 at a time' },
    ])
  })

  test.each([
    [{ contacts: ' \n,\n', reason: 'other' }, 'contacts'],
    [{ contacts: 'a@example.com', reason: 'because' }, 'reason'],
    [{ contacts: 'a@example.com', reason: 'other', note: 'x'.repeat(501) }, 'note'],
    [{ contacts: ['a@example.com'], reason: 'other' }, 'contacts'],
    [{ contacts: 'a@example.com', reason: 'other', hash: 'x' }, 'hash'],
  ])('refuses %j', async (body, path) => {
    const { status, json } = await call('POST', PATH, body)
    expect(status).toBe(422)
    expect(json.errors.map((error) => error.path)).toEqual([path])
  })

  test('can be used only by administrators', async () => {
    const [client, source] = [await app.newClient(), await app.newSource()]
    const id = '01900000-0000-7000-8000-000000000000'
    for (const [method, path] of [
      ['GET', PATH],
      ['POST', PATH],
      ['POST', `${PATH}/find`],
      ['DELETE', `${PATH}/${id}`],
    ] as const) {
      expect((await call(method, path, undefined, { token: client.token })).status, path).toBe(403)
      expect((await call(method, path, undefined, { token: source.key })).status, path).toBe(401)
      expect((await call(method, path, undefined, { token: undefined })).status, path).toBe(401)
    }
    expect((await call('DELETE', `${PATH}/${id}`)).status).toBe(404)
  })
})

describe('a person who told the client not to be contacted', () => {
  /** Creates a client who buys leads of a state that no other client here buys. */
  async function newBuyer(state: string) {
    const client = await app.newClient()
    const { db } = app.context
    await db
      .updateTable('client_accounts')
      .set({ status: 'active' })
      .where('user_id', '=', client.id)
      .execute()
    await topUp(db, client.id, '100.00')
    await givenOrder(db, client.id, { states: [state] })
    return client
  }
  /** @returns the client who has the lead now */
  async function offer(fields: Record<string, unknown>) {
    const { key } = await app.newSource()
    const id = (await app.call('POST', '/api/v1/leads', { token: key, body: newLead(fields) })).json.lead_id
    const [sale] = await assignLeads(app.context.market, [id])
    return { id, buyer: sale?.client_user_id }
  }
  const say = async (client: Person, leadId: string, disposition = 'do_not_contact') =>
    (await app.call('PATCH', `/api/v1/leads/${leadId}`, { token: client.token, body: { disposition } }))
      .status
  async function postOwn(client: Person, fields: Record<string, unknown>) {
    const { key } = await app.newSource({ owner: client })
    return (await app.call('POST', '/api/v1/leads', { token: key, body: newLead(fields) })).json.lead_id
  }

  test('is on the list if the client bought the lead, and is sold to nobody any more', async () => {
    const client = await newBuyer('WY')
    const person = { email: 'bought@example.com', phone: '2025550170', alt_phone: '2025550171', state: 'WY' }
    const { id, buyer } = await offer(person)
    expect([buyer, await say(client, id)]).toEqual([client.id, 200])

    const entry = { reason: 'do_not_contact', created_by: client.id, client_user_id: null }
    expect(await find('bought@example.com')).toMatchObject([entry])
    expect(await find('+12025550171')).toMatchObject([entry])
    await newBuyer('WY')
    const again = await offer({ ...person, email: 'again@example.com', phone: '2025550179' })
    expect(again.buyer).toBeUndefined()
    expect((await call('GET', `/api/v1/leads/${again.id}`)).json.status).toBe('rejected')
  })

  test.each([
    [
      'email',
      { email: 'own@example.com', phone: '2025550160' },
      { email: 'own@example.com', phone: '2025550161' },
    ],
    [
      'phone',
      { email: 'own-1@example.com', phone: '2025550162' },
      { email: 'own-2@example.com', phone: '2025550162' },
    ],
    [
      'second phone',
      { email: 'own-3@example.com', phone: '2025550163', alt_phone: '2025550164' },
      { email: 'own-4@example.com', phone: '2025550164' },
    ],
  ])('is kept from that client only if the lead is its own, recognised by the %s', async (_by, own, sold) => {
    const state = freshState()
    const client = await newBuyer(state)
    expect(await say(client, await postOwn(client, own))).toBe(200)
    expect(await find(own.email)).toMatchObject([
      { reason: 'do_not_contact', created_by: client.id, client_user_id: client.id },
    ])

    const kept = await offer({ ...sold, state })
    expect(kept.buyer).toBeUndefined()
    expect((await call('GET', `/api/v1/leads/${kept.id}`)).json.status).toBe('unassigned')
    const { json } = await call('GET', `/api/v1/admin/leads/${kept.id}/decision`)
    expect(json).toMatchObject({ reason: 'kept_from_client', refused: { kept_from_client: 1 } })

    const other = await newBuyer(state)
    expect(await assignLeads(app.context.market, [kept.id])).toMatchObject([{ client_user_id: other.id }])
  })

  test('is sold to that client again once an administrator has removed the entry', async () => {
    const state = freshState()
    const client = await newBuyer(state)
    await say(client, await postOwn(client, { email: 'released@example.com', phone: '2025550165' }))
    const [entry] = await find('released@example.com')
    const body = { note: 'Gave consent again' }
    expect((await call('DELETE', `${PATH}/${entry?.id}`, body)).status).toBe(204)
    expect((await readAudit(app, 'suppression_removed'))[0]?.details).toMatchObject({
      suppression_id: entry?.id,
      before: { kind: 'email', reason: 'do_not_contact', client_user_id: client.id },
      note: 'Gave consent again',
    })
    const person = { email: 'released@example.com', phone: '2025550166', state }
    expect((await offer(person)).buyer).toBe(client.id)
  })

  test.each([
    ['of a test', 'do_not_contact', true],
    ['with another disposition', 'not_interested', false],
  ])('is not suppressed if the lead is one %s', async (_what, disposition, isTest) => {
    const client = await app.newClient()
    const email = `${client.id}@example.com`
    const id = await postOwn(client, { is_test: isTest, email })
    expect([await say(client, id, disposition), await find(email)]).toEqual([200, []])
  })
})

describe('a person who was erased', () => {
  async function erase(isTest: boolean) {
    const { key } = await app.newSource()
    const [email, phone] = isTest
      ? ['erased-test@example.com', '+12025550186']
      : ['erased@example.com', '+12025550187']
    const post = async () => {
      const body = newLead({ is_test: isTest, email, phone, state: 'VT' })
      return (await app.call('POST', '/api/v1/leads', { token: key, body })).json.lead_id
    }
    const id = await post()
    for (let time = 0; time < 2; time += 1)
      expect((await call('POST', `/api/v1/admin/leads/${id}/erase`, { reason: 'Asked for it' })).status).toBe(
        200,
      )
    return { found: [await find(email), await find(phone)], again: await post() }
  }

  test('is on the list, and a later lead with the same person is sold to nobody', async () => {
    const { found, again } = await erase(false)
    const entry = { reason: 'erased', created_by: app.admin.id }
    expect(found).toMatchObject([[entry], [entry]])
    const { db, market } = app.context
    await givenOrder(db, await givenBuyer(db), { states: ['VT'] })
    expect(await assignLeads(market, [again])).toEqual([])
    expect((await call('GET', `/api/v1/leads/${again}`)).json.status).toBe('rejected')
  })

  test('is not on the list if the lead was a test', async () => {
    expect((await erase(true)).found).toEqual([[], []])
  })
})

test('a lead whose second phone is on the list is sold to nobody', async () => {
  const { db, market } = app.context
  await givenOrder(db, await givenBuyer(db), { states: ['ME'] })
  await suppress('(202) 555-0172', 'opted_out')
  const { key } = await app.newSource()
  const body = newLead({
    email: 'second@example.com',
    phone: '2025550173',
    alt_phone: '2025550172',
    state: 'ME',
  })
  const id = (await app.call('POST', '/api/v1/leads', { token: key, body })).json.lead_id

  expect(await assignLeads(market, [id])).toEqual([])
  expect((await call('GET', `/api/v1/leads/${id}`)).json.status).toBe('rejected')
})
