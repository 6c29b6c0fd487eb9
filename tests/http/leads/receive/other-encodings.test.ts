import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newLead, startApp, type Person, type TestApp, type TestSource } from '../../support/start-app.ts'

let app: TestApp
let client: Person
let source: TestSource
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
  source = await app.newSource({ owner: client })
})
afterAll(() => app.close())

const NOT_UTF8 = 'Must be UTF-8: it holds half of a character, or bytes of another encoding'
const FORM = 'application/x-www-form-urlencoded'
const GOOD = 'lead_type=auto&phone=2025550144'
const post = (body: string | Uint8Array, type: string, token = source.key) =>
  app.call('POST', '/api/v1/leads', { token, body, headers: { 'content-type': type } })
const countLeads = async () => {
  const counted = await app.context.db
    .selectFrom('leads')
    .select((row) => row.fn.countAll().as('n'))
    .executeTakeFirstOrThrow()
  return Number(counted.n)
}
const nameOf = async (id: string) => {
  const { name } = await app.context.db
    .selectFrom('leads')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return name
}

describe('a form', () => {
  test.each([
    ['a byte that is no UTF-8', 'name=A%FFB', 'name', NOT_UTF8],
    ['Latin-1', 'name=Jos%E9', 'name', NOT_UTF8],
    ['Latin-1 without escapes', Buffer.from(`${GOOD}&name=Jos\u00e9`, 'latin1'), 'name', NOT_UTF8],
    ['half of a character', 'name=A%ED%A0%80', 'name', NOT_UTF8],
    ['an overlong NUL', 'name=A%C0%80', 'name', NOT_UTF8],
    ['a NUL', 'name=A%00B', 'name', 'Must not contain a NUL character'],
    ['Latin-1 in an address', 'name=Ana&email=jos%E9@example.com', 'email', NOT_UTF8],
    ['Latin-1 in a number', 'name=Ana&age=%E9', 'age', NOT_UTF8],
  ])('with %s is refused at its field, and nothing is stored', async (_what, fields, path, message) => {
    const before = await countLeads()
    const { status, json } = await post(typeof fields === 'string' ? `${GOOD}&${fields}` : fields, FORM)

    expect({ status, result: json.result, errors: json.errors }).toEqual({
      status: 422,
      result: 'rejected',
      errors: [{ path, message }],
    })
    expect(await countLeads()).toBe(before)
  })

  test.each([
    ['a custom field', 'custom.note=caf%E9', ['custom.note']],
    ['a field without a column', 'colour=caf%E9', ['colour']],
    ['a campaign', 'utm_source=caf%E9', ['utm_source']],
    ['the name of a field', 'caf%E9=noir', []],
  ])('with Latin-1 in %s becomes a lead without that value', async (_what, fields, paths) => {
    const { status, json } = await post(`${GOOD}&name=Ana&${fields}`, FORM)

    expect({ status, warnings: json.warnings }).toEqual({
      status: 201,
      warnings:
        paths.length === 0
          ? undefined
          : paths.map((path) => ({ path, message: `Was left out: m${NOT_UTF8.slice(1)}` })),
    })
  })

  test.each([
    ['in escapes', 'name=Jos%C3%A9+%F0%9F%98%80', 'José 😀'],
    ['in bytes', 'name=José 😀', 'José 😀'],
    ['with the sign that replaces others', 'name=A%EF%BF%BD', 'A\ufffd'],
    ['with a percent sign that begins no escape', 'name=100%+%zz', '100% %zz'],
  ])('that is UTF-8, %s, is kept as it is', async (_what, fields, name) => {
    const { status, json } = await post(`${GOOD}&${fields}`, FORM)

    expect(status).toBe(201)
    expect(await nameOf(json.lead_id)).toBe(name)
  })

  test('reports every fault at once', async () => {
    const { json } = await post('name=Jos%E9&city=M%E9xico&state=ZZ', FORM)

    expect(json.errors.map(({ path }) => path)).toEqual(['name', 'city', 'lead_type', 'phone', 'state'])
  })

  test('of a client’s test lead is refused in the same way', async () => {
    const { status, json } = await post('city=M%E9xico', FORM, client.token)

    expect({ status, errors: json.errors }).toEqual({
      status: 422,
      errors: [{ path: 'city', message: NOT_UTF8 }],
    })
  })
})

test('a known field with two different values is refused, in any notation', async () => {
  const errors = async (body: string, type = 'application/json') => (await post(body, type)).json.errors
  const twice = (path: string) => [{ path, message: 'Is given twice, with different values' }]

  expect(await errors(`${GOOD}&name=Ana&name=Eva`, FORM)).toEqual(twice('name'))
  expect(await errors(JSON.stringify({ ...newLead(), ' city ': 'Oakland' }))).toEqual(twice('city'))
  expect(await errors(JSON.stringify({ ...newLead(), city: ['Oakland', 'Fresno'] }))).toEqual(twice('city'))
  expect(await errors(`${JSON.stringify(newLead()).slice(0, -1)},"city":"Oakland"}`)).toEqual(twice('city'))
  expect(await errors(`{"external_id":7.10,"external_id":7.1,${JSON.stringify(newLead()).slice(1)}`)).toEqual(
    twice('external_id'),
  )
})

test('a known field with the same value twice is accepted, and blank values do not count', async () => {
  const form = await post(`${GOOD}&name=Ana&name=Ana+&name=&consent_given=&consent_given=1`, FORM)
  const list = await post(JSON.stringify({ ...newLead(), name: ['Ana', ''] }), 'application/json')
  const again = await post(
    `${JSON.stringify(newLead({ name: 'Ana' })).slice(0, -1)},"name":"Ana"}`,
    'application/json',
  )

  for (const { status, json } of [form, list, again]) {
    expect({ status, warnings: json.warnings }).toEqual({ status: 201, warnings: undefined })
    expect(await nameOf(json.lead_id)).toBe('Ana')
  }
})

test('a lead with half of a surrogate pair fails alone in its batch', async () => {
  const { json } = await app.call('POST', '/api/v1/leads/batch', {
    token: source.key,
    body: [newLead(), newLead({ comments: 'a\udc00', custom: { note: '\ud800' } }), newLead()],
  })

  expect(json.results.map(({ result, errors }) => ({ result, errors }))).toEqual([
    { result: 'accepted', errors: undefined },
    {
      result: 'rejected',
      errors: [{ path: 'comments', message: NOT_UTF8 }],
    },
    { result: 'accepted', errors: undefined },
  ])
})

describe('a body that claims to be', () => {
  test.each([
    ['JSON in Latin-1', 'application/json; charset=latin1'],
    ['JSON in UTF-16', 'application/json;charset="utf-16"'],
    ['a form in Latin-1', `${FORM}; charset=ISO-8859-1`],
    ['a form in Windows’ alphabet', `${FORM}; a=b; Charset=windows-1252`],
    ['plain text', 'text/plain'],
    ['a form of many parts', 'multipart/form-data; boundary=x'],
  ])('%s is refused for that reason', async (_what, type) => {
    const { status, json } = await post(JSON.stringify(newLead()), type)

    expect({ status, code: json.code }).toEqual({ status: 415, code: 'unsupported_media_type' })
  })

  test.each(['utf-8', 'UTF-8', '"utf-8"', 'utf8', 'us-ascii'])('in %s is read', async (charset) => {
    const { status } = await post(JSON.stringify(newLead()), `application/json; charset=${charset}`)

    expect(status).toBe(201)
  })

  test('a batch in Latin-1 is refused for that reason', async () => {
    const { status, json } = await app.call('POST', '/api/v1/leads/batch', {
      token: source.key,
      body: JSON.stringify(newLead()),
      headers: { 'content-type': 'application/x-ndjson; charset=latin1' },
    })

    expect({ status, detail: json.detail }).toEqual({ status: 415, detail: 'Send the body in UTF-8.' })
  })
})

describe('a search', () => {
  test.each([
    ['Latin-1', 'Jos%E9', NOT_UTF8],
    ['a NUL', '%00', 'Must not contain a NUL character'],
  ])('for %s is refused at its field', async (_what, search, message) => {
    const { status, json } = await app.call('GET', `/api/v1/leads?search=${search}`, { token: client.token })

    expect({ status, errors: json.errors }).toEqual({ status: 422, errors: [{ path: 'search', message }] })
  })

  test('finds matching leads', async () => {
    const { json } = await post(`${GOOD}&name=Zo%C3%AB+Example`, FORM)
    const found = await app.call('GET', '/api/v1/leads?search=zo%c3%ab+ex', { token: client.token })

    expect(found.json.data.map(({ id }) => id)).toEqual([json.lead_id])
  })
})
