import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newLead, startApp, type Person, type TestApp, type TestSource } from './start-app.ts'

let app: TestApp
let client: Person
let source: TestSource
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
  source = await app.newSource()
})
afterAll(() => app.close())

const post = (body: unknown, headers: Record<string, string> = {}, key = source.key) =>
  app.call('POST', '/api/v1/leads', { token: key, body, headers })
const count = async (table: 'leads' | 'events') =>
  Number(
    (
      await app.context.db
        .selectFrom(table)
        .select((row) => row.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )
const stored = (id: string) =>
  app.context.db.selectFrom('leads').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('a good lead', () => {
  test('is stored with its event and answered with 201', async () => {
    const { status, json } = await post(newLead())

    expect({ status, result: json.result }).toEqual({ status: 201, result: 'accepted' })
    const events = await app.context.db
      .selectFrom('events')
      .select('type')
      .where('lead_id', '=', json.lead_id)
      .execute()
    expect(events).toEqual([{ type: 'lead.created' }])
  })

  test('is normalised: phone, e-mail, state, amounts, dates, names', async () => {
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

  test('may come as a form, with custom and utm members', async () => {
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
  ])('keeps %s as they are', async (_what, name) => {
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

describe('a lead that was sent before', () => {
  test('is a duplicate by its external id, even with other values', async () => {
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

  test('with an Idempotency-Key that another lead used is rejected', async () => {
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

  test('is stored once when twenty requests race', async () => {
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

  test('of one source is new to another', async () => {
    const lead = newLead()
    const other = await app.newSource()

    expect([(await post(lead)).status, (await post(lead, {}, other.key)).status]).toEqual([201, 201])
  })
})

describe('a bad lead', () => {
  test.each([
    [
      'a name of 10,000 characters',
      { name: 'x'.repeat(10_000) },
      'name',
      'Is too long (at most 200 characters)',
    ],
    ['NUL', { city: 'Fres\0no' }, 'city', 'Must not contain a NUL character'],
    [
      'half a surrogate pair',
      { city: 'Fresno \ud83d' },
      'city',
      'Contains half of a character (a lone surrogate)',
    ],
    ['an unknown state', { state: 'ZZ' }, 'state', 'State must be a US state or territory code'],
    ['an impossible phone', { phone: '123' }, 'phone', 'Is not a valid phone number'],
    [
      'a toll-free phone',
      { phone: '800-234-5678' },
      'phone',
      'Is a toll-free number, which nobody can be called back on',
    ],
    ['a bad e-mail', { email: 'rosa@' }, 'email', 'Is not a valid e-mail address'],
    [
      'a day that is none',
      { date_of_birth: '1958-02-30' },
      'date_of_birth',
      'Must be a date of birth like 1958-03-14 or 03/14/1958',
    ],
    [
      'a time before the calendar',
      { consent_at: '0000-01-01T00:00:00Z' },
      'consent_at',
      'Must be a time like 2026-01-31T17:05:00Z',
    ],
    [
      'a time that its zone carries past the year 9999',
      { consent_at: '9999-12-31T23:59:00-12:00' },
      'consent_at',
      'Must be a time like 2026-01-31T17:05:00Z',
    ],
    ['a number of six digits', { phone: '+491161' }, 'phone', 'Is not a valid phone number'],
    [
      'an amount that rounds up to the limit',
      { coverage_amount: 999_999_999_999.999 },
      'coverage_amount',
      'Is too large',
    ],
    ['a deal that rounds up to the limit', { deal_size: 9_999_999_999.999 }, 'deal_size', 'Is too large'],
    ['a cost that rounds up to the limit', { cost: '99999999.999' }, 'cost', 'Is too large'],
    ['a negative amount', { coverage_amount: -1 }, 'coverage_amount', 'Must not be negative'],
    ['an amount in words', { coverage_amount: 'lots' }, 'coverage_amount', 'Must be an amount'],
    [
      'a nested custom field',
      { custom: { a: { b: 1 } } },
      'custom.a',
      'Must be text, a number, true, false or null',
    ],
    ['a wrong type', { first_name: { a: 1 } }, 'first_name', 'Must be text'],
    ['no lead type', { lead_type: null }, 'lead_type', 'A lead type is required'],
    [
      'neither phone nor e-mail',
      { phone: '', email: '' },
      'phone',
      'A phone number or an e-mail address is required',
    ],
    [
      'a script as a web address',
      { consent_url: 'javascript:alert(1)' },
      'consent_url',
      'Must be a web address that begins with https:// or http://',
    ],
  ])('with %s is rejected at its field, and nothing is stored', async (_what, fields, path, message) => {
    const before = await count('leads')
    const { status, json, headers } = await post(newLead(fields))

    expect({ status, result: json.result, errors: json.errors }).toEqual({
      status: 422,
      result: 'rejected',
      errors: [{ path, message }],
    })
    expect(headers.get('content-type')).toContain('application/problem+json')
    expect(await count('leads')).toBe(before)
  })

  test.each([
    ['external_id', '"external_id":12345678901234567891'],
    ['custom.policy', '"custom":{"policy":12345678901234567891}'],
    ['custom.score', '"custom":{"score":1e400}'],
  ])('with a number in %s that JSON cannot hold is rejected, not rounded', async (path, member) => {
    const { external_id: _id, ...lead } = newLead()
    const { status, json } = await post(`{${member},${JSON.stringify(lead).slice(1)}`)

    expect({ status, errors: json.errors }).toEqual({
      status: 422,
      errors: [{ path, message: 'Must be text in quotes: a number this large loses digits' }],
    })
  })

  test('is told every fault at once', async () => {
    const { json } = await post({ name: 'x'.repeat(201), state: 'ZZ', email: 'nope' })

    expect(json.errors.map(({ path }) => path)).toEqual(['name', 'lead_type', 'email', 'state'])
  })
})

describe('a bad request', () => {
  test.each([
    ['broken JSON', '{"name":', {}, 400, 'malformed_body'],
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}, 400, 'malformed_body'],
    ['JSON nested a thousand deep', `${'['.repeat(1000)}${']'.repeat(1000)}`, {}, 400, 'malformed_body'],
    ['XML', '<lead/>', { 'content-type': 'text/xml' }, 415, 'unsupported_media_type'],
    ['more than 1 MiB', JSON.stringify({ name: 'x'.repeat(1_100_000) }), {}, 413, 'body_too_large'],
    ['a list', '[]', {}, 422, 'validation_failed'],
    ['a bare null', 'null', {}, 422, 'validation_failed'],
    ['an unusable Idempotency-Key', '{}', { 'Idempotency-Key': 'x'.repeat(300) }, 422, 'validation_failed'],
  ])('with %s is a problem', async (_what, body, headers, status, code) => {
    const before = await count('leads')
    const answer = await post(body, headers)

    expect({ status: answer.status, code: answer.json.code }).toEqual({ status, code })
    expect(await count('leads')).toBe(before)
  })

  test('with prototype keys changes nothing but its own lead', async () => {
    const { status, json } = await post(
      `{"__proto__": {"is_test": true}, "constructor": "x", ${JSON.stringify(newLead()).slice(1)}`,
    )

    expect(status).toBe(422)
    expect(json.errors[0]?.path).toBe('__proto__')
    expect(({} as Record<string, unknown>)['is_test']).toBeUndefined()
  })

  test('without a key, with an unknown or a revoked one is refused before the body is read', async () => {
    const revoked = await app.newSource()
    await app.call('DELETE', `/api/v1/admin/sources/${revoked.id}`, { token: app.admin.token })
    const broken = '{"name":'

    expect((await app.call('POST', '/api/v1/leads', { body: broken })).json.code).toBe('unauthenticated')
    const unknown = await post(broken, {}, `lw_src_${'A'.repeat(43)}`)
    expect({ status: unknown.status, code: unknown.json.code }).toEqual({
      status: 401,
      code: 'invalid_api_key',
    })
    expect(unknown.headers.get('www-authenticate')).toBe('Bearer')
    expect((await post(broken, {}, revoked.key)).json.code).toBe('invalid_api_key')
  })

  test('with another method is told which ones there are', async () => {
    const { status, json, headers } = await app.call('PUT', '/api/v1/leads', { token: source.key, body: {} })

    expect({ status, code: json.code, allow: headers.get('allow') }).toEqual({
      status: 405,
      code: 'method_not_allowed',
      allow: 'POST, GET, HEAD',
    })
  })
})

test('the use of a key is noted', async () => {
  const fresh = await app.newSource()
  await post(newLead(), {}, fresh.key)

  const { json } = await app.call('GET', '/api/v1/admin/sources', { token: app.admin.token })
  const listed = json.data.find(({ id }) => id === fresh.id)
  expect(Date.parse(listed?.last_used_at ?? '')).toBeGreaterThan(Date.now() - 60_000)
})
