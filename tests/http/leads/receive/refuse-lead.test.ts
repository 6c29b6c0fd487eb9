import { describe, expect, test } from 'vitest'
import { newLead } from '../../support/start-app.ts'
import { startWithSource } from './start-with-source.ts'

const { app, source, post, count } = await startWithSource()
const stored = (id: string) =>
  app.context.db.selectFrom('leads').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

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
      'Must be UTF-8: it holds half of a character, or bytes of another encoding',
    ],
    [
      'no name at all',
      { name: undefined, first_name: undefined, last_name: undefined },
      'name',
      'A name is required (name, first_name or last_name)',
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
    ['half a cent below the limit', { cost: 99_999_999.995 }, 'cost', 'Is too large'],
    ['a negative amount', { coverage_amount: -1 }, 'coverage_amount', 'Must not be negative'],
    ['an amount in words', { coverage_amount: 'lots' }, 'coverage_amount', 'Must be an amount'],
    ['a wrong type', { first_name: { a: 1 } }, 'first_name', 'Must be text'],
    ['a phone within a word', { phone: 'a5125550143a' }, 'phone', 'Is not a valid phone number'],
    ['a country code twice', { phone: '+117755555555' }, 'phone', 'Is not a valid phone number'],
    ['another state’s ZIP code', { state: 'TX', zip: '7501' }, 'zip', 'Must be a ZIP code of 5 or 9 digits'],
    ['a comma for a point', { coverage_amount: '0,500' }, 'coverage_amount', 'Must be an amount'],
    ['a comma out of place', { deal_size: '1234,567' }, 'deal_size', 'Must be an amount'],
    ['a domain of digits', { email: 'rosa@example.123' }, 'email', 'Is not a valid e-mail address'],
    [
      'a local part of 65 characters',
      { email: `${'r'.repeat(65)}@example.com` },
      'email',
      'Is not a valid e-mail address',
    ],
    [
      'a name of nothing visible',
      { name: '\u200b\u3164', first_name: '\ufeff', last_name: '\u2060 ' },
      'name',
      'A name is required (name, first_name or last_name)',
    ],
    [
      'nothing visible to reach the person by',
      { phone: '\u200e', email: '\u200b' },
      'phone',
      'A phone number or an e-mail address is required',
    ],
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
    [
      'a certificate of another host',
      { trustedform_cert_url: `https://cert.trustedform.com.example.com/${'a'.repeat(40)}` },
      'trustedform_cert_url',
      'Must be a TrustedForm certificate: https://cert.trustedform.com/ and 40 characters of 0-9 and a-f',
    ],
    [
      'a LeadiD that is none',
      { jornaya_leadid: 'A1B2C3' },
      'jornaya_leadid',
      'Must be a LeadiD token (a UUID)',
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

  test('is refused in the form that the description of the API names', async () => {
    const { json } = await app.call('GET', '/api/v1/openapi.json')
    const responses = json.paths['/api/v1/leads']?.['post']?.responses ?? {}

    expect(Object.keys(responses['422']?.content ?? {})).toEqual(['application/problem+json'])
    expect(JSON.stringify(responses['422'])).toContain('"const":"rejected"')
  })

  test('reports every fault at once', async () => {
    const { json } = await post({ name: 'x'.repeat(201), state: 'ZZ', email: 'nope' })

    expect(json.errors.map(({ path }) => path)).toEqual(['name', 'lead_type', 'email', 'state'])
  })
})

describe('a bad request', () => {
  test.each([
    ['broken JSON', '{"name":', {}, 400, 'malformed_body'],
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}, 400, 'malformed_body'],
    ['JSON nested a thousand deep', `${'['.repeat(1000)}${']'.repeat(1000)}`, {}, 400, 'malformed_body'],
    ['bytes that are no gzip', '{}', { 'content-encoding': 'gzip' }, 400, 'malformed_body'],
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

  test('with the names of prototype members changes nothing outside its own lead', async () => {
    const { status, json } = await post(
      `{"__proto__": {"is_test": true}, "constructor": "x", ${JSON.stringify(newLead()).slice(1)}`,
    )

    expect(status).toBe(201)
    expect((await stored(json.lead_id)).is_test).toBe(false)
    expect((await stored(json.lead_id)).custom).toEqual({ proto: '{"is_test":true}', constructor: 'x' })
    expect(({} as Record<string, unknown>)['is_test']).toBeUndefined()
  })

  test('without a key, with an unknown or a revoked one is refused before the body is read', async () => {
    const revoked = await app.newSource()
    await app.call('DELETE', `/api/v1/admin/sources/${revoked.id}`, { token: app.admin.token })
    const broken = '{"name":'

    const { json: keyless } = await app.call('POST', '/api/v1/leads', { body: broken })
    expect(keyless).toMatchObject({
      code: 'unauthenticated',
      detail: 'Send the API key of a source, or an access token, as `Authorization: Bearer …`.',
    })
    const unknown = await post(broken, {}, `lw_src_${'A'.repeat(43)}`)
    expect({ status: unknown.status, code: unknown.json.code }).toEqual({
      status: 401,
      code: 'invalid_api_key',
    })
    expect(unknown.headers.get('www-authenticate')).toBe('Bearer')
    expect((await post(broken, {}, revoked.key)).json.code).toBe('invalid_api_key')
  })

  test.each(['PUT', 'OPTIONS'])('with %s lists the allowed methods', async (method) => {
    const { status, json, headers } = await app.call(method, '/api/v1/leads', { token: source.key })

    expect({ status, json, allow: headers.get('allow') }).toMatchObject({
      status: 405,
      json: { code: 'method_not_allowed', detail: `${method} is not supported here; POST, GET, HEAD are.` },
      allow: 'POST, GET, HEAD',
    })
  })
})
