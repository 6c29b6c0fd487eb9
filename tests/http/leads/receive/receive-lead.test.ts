import { describe, expect, test } from 'vitest'
import { newLead } from '../../support/start-app.ts'
import { startWithSource } from './start-with-source.ts'

const { app, post, count } = await startWithSource()
const client = await app.newClient()
const stored = (id: string) =>
  app.context.db.selectFrom('leads').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('a good lead', () => {
  test('is stored with its event, and answered with 201', async () => {
    const { status, json } = await post(newLead())

    expect({ status, result: json.result }).toEqual({ status: 201, result: 'accepted' })
    const events = await app.context.db
      .selectFrom('events')
      .select('type')
      .where('lead_id', '=', json.lead_id)
      .execute()
    expect(events).toEqual([{ type: 'lead.created' }])
  })

  test('is normalised in phone, e-mail, state, amounts, dates and names', async () => {
    const { json } = await post(
      newLead({
        name: 'Ana Maria Example',
        first_name: '',
        last_name: null,
        phone: '1-202-555-0143 ',
        email: ' Ana@Example.COM ',
        state: 'district of columbia',
        zip: '902101234',
        coverage_amount: '$15,000.50',
        date_of_birth: '03/14/1958',
        tobacco: 'no',
        consent_given: 1,
        consent_at: '2026-01-02T03:04:05-05:00',
      }),
    )

    expect(await stored(json.lead_id)).toMatchObject({
      name: 'Ana Maria Example',
      first_name: 'Ana',
      last_name: 'Maria Example',
      phone: '+12025550143',
      phone_raw: '1-202-555-0143',
      email: 'ana@example.com',
      state: 'DC',
      zip: '90210-1234',
      coverage_amount: '15000.50',
      date_of_birth: '1958-03-14',
      tobacco: false,
      consent_given: true,
      consent_at: new Date('2026-01-02T08:04:05.000Z'),
      source: 'Landing page',
      status: 'new',
    })
  })

  test.each([
    [1.005, '1.01'],
    ['8.575', '8.58'],
    ['$1,255.255', '1255.26'],
    [1.004, '1.00'],
    [1e-7, '0.00'],
  ])('has its amounts rounded to cents by their written digits: %j', async (sent, kept) => {
    const { json } = await post(newLead({ deal_size: sent, coverage_amount: sent, cost: sent }))

    expect(await stored(json.lead_id)).toMatchObject({ deal_size: kept, coverage_amount: kept, cost: kept })
  })

  test('may be sent as a form, with custom and utm members', async () => {
    const form = new URLSearchParams({
      lead_type: 'auto',
      name: 'Form Example',
      phone: '2025550144',
      'custom.plan': 'gold',
      utm_source: 'newsletter',
      favourite_colour: 'teal',
    })
    const { status, json } = await post(form.toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })

    expect(status).toBe(201)
    expect(await stored(json.lead_id)).toMatchObject({
      custom: { plan: 'gold', favourite_colour: 'teal' },
      utm: { source: 'newsletter' },
    })
  })

  test.each([
    ['quotes and backslashes', `Ana "Nana" O'Brien \\ {{name}}`],
    ['line breaks', 'Ana\nExample'],
    ['emoji', 'Ana 👩‍👩‍👧 Example'],
    ['right-to-left text', 'שלום עולם'],
  ])('keeps %s unchanged', async (_what, name) => {
    const { json } = await post(newLead({ name, first_name: undefined, last_name: undefined }))

    expect((await stored(json.lead_id)).name).toBe(name)
  })

  test('from a source that names its client is assigned in the same transaction', async () => {
    const owned = await app.newSource({ owner: client })
    const { json } = await post(newLead(), {}, owned.key)

    expect(await stored(json.lead_id)).toMatchObject({
      status: 'assigned',
      assigned_to: client.id,
      user_id: client.id,
    })
    const events = await app.context.db
      .selectFrom('events')
      .select(['type', 'client_user_id'])
      .where('lead_id', '=', json.lead_id)
      .execute()
    expect(events).toHaveLength(2)
    expect(events).toContainEqual({ type: 'lead.assigned', client_user_id: client.id })
  })
})

describe('a lead that is sent again', () => {
  test('is a duplicate by its external id, even with different values', async () => {
    const lead = newLead()
    const first = await post(lead)
    const second = await post({ ...lead, city: 'Oakland' })

    expect({ status: second.status, json: second.json }).toEqual({
      status: 200,
      json: { result: 'duplicate', lead_id: first.json.lead_id },
    })
  })

  test('is a duplicate by its Idempotency-Key', async () => {
    const lead = newLead({ external_id: undefined })
    const headers = { 'Idempotency-Key': 'order-77' }
    const first = await post(lead, headers)
    const second = await post(lead, headers)

    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.json.lead_id).toBe(first.json.lead_id)
  })

  test('with the Idempotency-Key of another lead is rejected', async () => {
    const headers = { 'Idempotency-Key': 'order-78' }
    await post(newLead({ external_id: undefined }), headers)
    const { status, json } = await post(newLead({ external_id: undefined, city: 'Oakland' }), headers)

    expect({ status, result: json.result, code: json.code, path: json.errors[0]?.path }).toEqual({
      status: 422,
      result: 'rejected',
      code: 'idempotency_key_reused',
      path: 'Idempotency-Key',
    })
  })

  test('is stored once, even in twenty simultaneous requests', async () => {
    const lead = newLead()
    const before = { leads: await count('leads'), events: await count('events') }
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(lead)))

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19)
    expect(new Set(answers.map(({ json }) => json.lead_id)).size).toBe(1)
    expect({ leads: await count('leads'), events: await count('events') }).toEqual({
      leads: before.leads + 1,
      events: before.events + 1,
    })
  })

  test('from another source is a new lead', async () => {
    const lead = newLead()
    const other = await app.newSource()

    expect([(await post(lead)).status, (await post(lead, {}, other.key)).status]).toEqual([201, 201])
  })
})

test('the last use of a key is recorded', async () => {
  const fresh = await app.newSource()
  await post(newLead(), {}, fresh.key)

  const { json } = await app.call('GET', '/api/v1/admin/sources', { token: app.admin.token })
  const listed = json.data.find(({ id }) => id === fresh.id)
  expect(Date.parse(listed?.last_used_at ?? '')).toBeGreaterThan(Date.now() - 60_000)
})
