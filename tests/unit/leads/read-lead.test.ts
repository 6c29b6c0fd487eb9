import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { leadReceiptSchema } from '#core/contract/leads/lead-ingest.ts'
import { readLead } from '#core/use-cases/ingest/read-lead.ts'
import { parseJson } from '#server/http/body/decode-body.ts'

const NOW = new Date('2026-01-31T12:00:00Z')
const SMALL = { lead_type: 'auto', name: 'Rosa Example', email: 'rosa@example.com' }

/** Posts a lead as its source does; members come before those of a small lead. */
function post(members: string, lead: object = SMALL) {
  const text = `{${members}${members === '' ? '' : ','}${JSON.stringify(lead).slice(1)}`
  const parsed = parseJson(text, { deepest: 64, values: 50_000, asWritten: true })
  if (!parsed.ok) throw new Error(parsed.fault)
  return readLead(parsed.value, NOW)
}

function keep(members: string, lead: object = SMALL) {
  const reading = post(members, lead)
  if (!reading.ok) throw new Error(JSON.stringify(reading.errors))
  return reading
}

const custom = (members: string) => JSON.stringify(keep(members).lead.custom)

describe('a number', () => {
  test.each(['7.10', '7.1', '7', '12345678901234567891', '1e5', '-0', '100.00', '0.30000000000000004441'])(
    'in an id field keeps its digits: %s',
    (digits) => {
      expect(keep(`"external_id":${digits}`).lead.external_id).toBe(digits)
      expect(keep(`"sub_id":${digits}`).lead.sub_id).toBe(digits)
    },
  )

  test.each([
    ['7.10', '7.10'],
    ['2500.00', '2500.00'],
    ['-3.50', '-3.50'],
    ['7', '7'],
    ['0.0', '0.0'],
    ['12345678901234567891', '"12345678901234567891"'],
    ['0.30000000000000004441', '"0.30000000000000004441"'],
    ['1e400', '"1e400"'],
    ['1e5', '"1e5"'],
    ['1e-7', '"1e-7"'],
    ['1e+21', '"1e+21"'],
    ['-0', '"-0"'],
    [`1.${'0'.repeat(60)}`, `"1.${'0'.repeat(60)}"`],
  ])('in a custom field is %s and stays %s', (digits, kept) => {
    expect(custom(`"score":${digits}`)).toBe(`{"score":${kept}}`)
    expect(custom(`"custom":{"score":${digits}}`)).toBe(`{"score":${kept}}`)
  })

  test('in a list keeps its digits', () => {
    expect(keep('"rates":[7.10,{"a":12345678901234567891}]').lead.custom['rates']).toBe(
      '[7.10,{"a":12345678901234567891}]',
    )
  })

  test.each([
    ['1.00499999999999999999', '1.00'],
    ['1.005', '1.01'],
    ['15000.00', '15000.00'],
    ['1.5e4', '15000.00'],
    ['"$1,234.50"', '1234.50'],
  ])('in an amount field is rounded by its written digits: %s', (written, amount) => {
    expect(keep(`"deal_size":${written}`).lead.deal_size).toBe(amount)
  })

  test('with .0 at its end is accepted as a phone, a ZIP code, an age and a yes', () => {
    expect(keep('"phone":2025550143.0,"zip":90210.0,"age":67.0,"tobacco":1.0').lead).toMatchObject({
      phone: '+12025550143',
      zip: '90210',
      age: 67,
      tobacco: true,
    })
  })
})

test('a phone or ZIP code in exponent notation is read as its digits', () => {
  expect(keep('"phone":2.025550143E9,"alt_phone":1.2025550144e10,"zip":9.021E4').lead).toMatchObject({
    phone: '+12025550143',
    alt_phone: '+12025550144',
    zip: '90210',
  })
})

describe('an unknown field', () => {
  test.each([
    ['"Current Insurance Company":"Acme"', { current_insurance_company: 'Acme' }],
    ['"what_is_your_current_carrier?":"Acme"', { what_is_your_current_carrier: 'Acme' }],
    ['"interests[]":["life","auto"]', { interests: '["life","auto"]' }],
    ['"_wpnonce":"a1"', { wpnonce: 'a1' }],
    ['"Compañía":"Acme"', { compania: 'Acme' }],
    [`"${'x'.repeat(65)}":"long"`, { ['x'.repeat(64)]: 'long' }],
    ['"list":[1,"a",null]', { list: '[1,"a",null]' }],
    ['"empty":{},"none":[]', { empty: '{}', none: '[]' }],
    ['"address":{"street":"Main"}', { address: '{"street":"Main"}' }],
    ['"colour":"red","colour":"blue"', { colour: '["red","blue"]' }],
    ['"colour":"red","custom":{"colour":"blue"}', { colour: '["red","blue"]' }],
    ['"custom":[]', {}],
    ['"custom":"free text"', { custom: 'free text' }],
    ['"custom":{"a":{"b":1}," x ":" kept "}', { a: '{"b":1}', x: ' kept ' }],
    ['"__proto__":{"is_test":true}', { proto: '{"is_test":true}' }],
    ['"rawJSON":{"rawJSON":"7"}', { rawJSON: '{"rawJSON":"7"}' }],
  ])('is kept: %s', (members, kept) => {
    const { lead, warnings } = keep(members)
    expect([lead.custom, warnings]).toEqual([kept, []])
  })

  test.each([
    ['"电话":"1"', '电话'],
    ['"???":"1"', '???'],
    ['"":"1"', '(no name)'],
    ['"note":"a\\u0000b"', 'note'],
    ['"note":"a\\ud800"', 'note'],
    ['"custom":{"":"1"}', 'custom.'],
    ['"a\\u0000b":"\\u0000"', 'a\ufffdb'],
    ['"custom":{"a\\u0000b":"\\ud800"}', 'custom.a\ufffdb'],
    [`"big":"${'x'.repeat(65_536)}"`, 'big'],
  ])('is left out with a warning if it cannot be kept: %j', (members, path) => {
    const { lead, warnings } = keep(`${members},"kept":1`)
    expect(lead.custom).toEqual({ kept: 1 })
    expect(warnings.map((warning) => warning.path)).toEqual([path])
    expect(warnings[0]?.message).toMatch(/^Was left out: /)
  })

  test('is left out above a hundred custom and utm fields, and named in a warning', () => {
    const many = Array.from({ length: 120 }, (_, at) => `"utm_${at}":"x","own_${at}":"x"`).join()
    const { lead, warnings } = keep(many)
    expect([Object.keys(lead.custom), Object.keys(lead.utm ?? {})].map(({ length }) => length)).toEqual([
      50, 50,
    ])
    expect(warnings).toHaveLength(100)
    expect(warnings[0]).toEqual({
      path: 'utm_50',
      message: 'Was left out: a lead keeps at most 100 fields beyond those that are known',
    })
  })

  test('counts only its own bytes towards the limit', () => {
    const short = Array.from({ length: 6 }, (_, at) => `"s${at}":"${'y'.repeat(60)}"`).join()
    expect(keep(`"big":"${'x'.repeat(65_000)}",${short}`).warnings).toEqual([])
  })

  test('never causes the lead to be refused, and never replaces a known field', () => {
    const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value))
    const members = fc.array(fc.tuple(fc.string({ unit: 'grapheme', maxLength: 80 }), json), {
      maxLength: 20,
    })
    fc.assert(
      fc.property(members, (all) => {
        const text = all.map(([name, value]) => `${JSON.stringify(`q ${name}`)}:${value}`).join()
        const { lead, warnings } = keep(text)
        expect(lead).toMatchObject({ name: 'Rosa Example', email: 'rosa@example.com', is_test: false })
        expect(
          leadReceiptSchema.parse({
            result: 'accepted',
            lead_id: '01920000-0000-7000-8000-000000000001',
            warnings,
          }),
        ).toBeDefined()
        for (const value of Object.values(lead.custom)) expect(JSON.stringify(value)).not.toMatch(/^[[{]/)
      }),
    )
  })
})

describe('a known field that is given more than once', () => {
  test.each([
    ['"phone":["(202) 555-0143","2025550143"]', { phone: '+12025550143' }],
    ['"state":"CA","state":"California"', { state: 'CA' }],
    ['"deal_size":["1,000","1000.00",1000]', { deal_size: '1000.00' }],
    ['"tobacco":[true,"yes"," "]', { tobacco: true }],
    ['"city":["","Fresno"]', { city: 'Fresno' }],
    ['"city":[]', { city: null }],
    ['"city":{}', { city: null }],
    ['"city":{},"city":"Fresno","county":[{},[]]', { city: 'Fresno', county: null }],
    ['"email":"ROSA@example.com"', { email: 'rosa@example.com' }],
  ])('is accepted if all values mean the same: %s', (members, kept) => {
    expect(keep(members).lead).toMatchObject(kept)
  })

  test.each([
    ['"phone":["2025550143","2025550144"]', 'phone'],
    ['"phone":["2025550143","12"]', 'phone'],
    ['"name":"Ana"', 'name'],
    ['"city":["Fresno","fresno"]', 'city'],
    ['"external_id":[7.1,7.10]', 'external_id'],
    [`"deal_size":[${Array.from({ length: 12 }, (_, at) => `1.${'0'.repeat(at + 1)}`).join()}]`, 'deal_size'],
  ])('is refused at its field if the values differ: %s', (members, path) => {
    expect(post(members)).toEqual({
      ok: false,
      errors: [{ path, message: 'Is given twice, with different values' }],
    })
  })

  test('is refused with the fault of its type if a list holds a wrong type', () => {
    expect(post('"city":[["Fresno"]]')).toEqual({
      ok: false,
      errors: [{ path: 'city', message: 'Must be text' }],
    })
  })
})

describe('a value that looks empty', () => {
  test('counts as not sent; invisible characters around other values are removed', () => {
    const { lead } = keep(
      '"city":"\\u200b\\u3164","county":"\\ufeffKern\\u200b","state":"CA\\u200b","zip":"90210\\u200b","phone":"\\u200e202\\u202f555\\u202f0143\\ufe0d"',
      { ...SMALL, email: '\ufeffrosa@example.com\u200d' },
    )
    expect(lead).toMatchObject({
      city: null,
      county: 'Kern',
      state: 'CA',
      zip: '90210',
      phone: '+12025550143',
      email: 'rosa@example.com',
    })
  })

  test('in custom and utm fields stays as it was sent', () => {
    const { lead } = keep('"custom":{"note":"\\u200b x "},"utm_term":" \\ufeff"')
    expect([lead.custom, lead.utm]).toEqual([{ note: '\u200b x ' }, { term: ' \ufeff' }])
  })
})

test('the extension of a phone becomes a custom field, unless the source sends a field of that name', () => {
  const { lead } = keep('"phone":"512-555-0143x61914","alt_phone":"512-555-0144 ext. 2"')
  expect([lead.phone, lead.alt_phone, lead.custom]).toEqual([
    '+15125550143',
    '+15125550144',
    { phone_extension: '61914', alt_phone_extension: '2' },
  ])
  expect(keep('"phone":"512-555-0143 x1","phone_extension":""').lead.custom).toEqual({ phone_extension: '1' })
  expect(keep('"phone":"512-555-0143 x1","phone_extension":"9"').lead.custom).toEqual({
    phone_extension: '9',
  })
})

test('URLs without a scheme are completed', () => {
  const { lead } = keep(
    `"consent_url":"example.com/quote?a=b","landing_page_url":"//www.example.com","trustedform_cert_url":"cert.trustedform.com/${'a'.repeat(40)}"`,
  )
  expect(lead).toMatchObject({
    consent_url: 'https://example.com/quote?a=b',
    landing_page_url: 'https://www.example.com',
    trustedform_cert_url: `https://cert.trustedform.com/${'a'.repeat(40)}`,
  })
  for (const none of ['javascript:alert(1)', 'N/A', '1.5', 'rosa@example.com', 'a b.com', 'localhost/x'])
    expect(post(`"consent_url":${JSON.stringify(none)}`)).toMatchObject({ errors: [{ path: 'consent_url' }] })
})
