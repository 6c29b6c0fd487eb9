import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { refuseTemplate } from '#core/domain/webhooks/template/check-template.ts'
import { FORMATS } from '#core/domain/webhooks/template/formats/formats.ts'
import { compileTemplate } from '#core/domain/webhooks/template/compile-template.ts'
import { vocabularyOf } from '#core/domain/webhooks/template/event-vocabulary.ts'
import { renderCompiled, renderPayload } from '#core/domain/webhooks/template/render-template.ts'
import type { PlaceholderValues } from '#core/domain/webhooks/template/placeholder-value.ts'
import { sampleValues } from '#core/domain/leads/sample-lead.ts'

const values: PlaceholderValues = {
  created_at: '2026-03-08T07:59:30.125Z',
  date_of_birth: '1958-03-04',
  name: "maría o'brien-SMITH",
  email: 'Ada@Example.com',
  phone: '+15125550143',
  alt_phone: '+442079460958',
  city: null,
  comments: '  ',
  state: 'CA',
  age: null,
  coverage_amount: 15000.5,
  price: 0,
  tobacco: true,
  consent_given: null,
  'custom.plan': 'Gold',
  'custom.due': '2026-02-01T09:30:00-05:00',
  'custom.day': '02/01/2026',
  'custom.tel': '(512) 555-0143',
  'custom.sum': '$1,234.5',
}
const render = (inner: string, type: 'JSON' | 'FORM' = 'JSON') =>
  renderPayload(JSON.stringify({ v: `{{${inner}}}` }), type, values).body
const value = (inner: string): unknown => (JSON.parse(render(inner)) as { v: unknown }).v
const fault = (inner: string) => refuseTemplate(JSON.stringify({ a: [{ b: `{{${inner}}}` }] }))

describe('a format', () => {
  it.each([
    ['created_at | date: MM/DD/YYYY, America/Chicago', '03/08/2026'],
    // Before and after the change of clocks on 8 March at 2 AM, and the evening before in the west.
    ['created_at | date: YYYY-MM-DDTHH:mm:ss.SSSZ, America/Chicago', '2026-03-08T01:59:30.125-06:00'],
    ['created_at | date: M/D/YY h:mm A, America/Los_Angeles', '3/7/26 11:59 PM'],
    ['created_at|date:dddd, MMMM D [at] hh a', 'Sunday, March 8 at 07 am'],
    ['created_at | date: unix', 1772956770],
    ['date_of_birth | date: MM/DD/YYYY', '03/04/1958'],
    ['date_of_birth | date: ddd D MMM', 'Tue 4 Mar'],
    ['custom.due | date: YYYYMMDD HHmm, America/New_York', '20260201 0930'],
    ['custom.day | date: YYYY-MM-DD, America/New_York', '2026-02-01'],
    ['custom.plan | date: YYYY', 'Gold'],
    ['phone | phone: e164', '+15125550143'],
    ['phone | phone: digits', '15125550143'],
    ['phone | phone: ten', '5125550143'],
    ['phone | phone: national', '(512) 555-0143'],
    ['custom.tel | phone: dashed', '512-555-0143'],
    ['phone | phone: dotted', '512.555.0143'],
    ['alt_phone | phone: national', '+442079460958'],
    ['alt_phone | phone: digits', '442079460958'],
    ['custom.plan | phone: digits', 'Gold'],
    ['name | upper', "MARÍA O'BRIEN-SMITH"],
    ['email | lower', 'ada@example.com'],
    ['name | title', "María O'Brien-Smith"],
    ['city | default: unknown', 'unknown'],
    ['city | default: Austin, TX', 'Austin, TX'],
    ["city | default: 'a | b: ''c'''", "a | b: 'c'"],
    ["city | default: don't know", "don't know"],
    ['comments | default: none', 'none'],
    ['state | default: none', 'CA'],
    ['age | default: 0', 0],
    ['age | default: unknown | upper', 'UNKNOWN'],
    ['consent_given | default: false', false],
    ["city | default: ''", ''],
    ['coverage_amount | money', '$15,000.50'],
    ['coverage_amount | money: plain', '15000.50'],
    ['coverage_amount | money: whole', '$15,001'],
    ['coverage_amount | money: cents', 1500050],
    ['custom.sum | money', '$1,234.50'],
    ['custom.plan | money', 'Gold'],
    ['price | money', '$0.00'],
    ['state | map: CA=California, TX=Texas', 'California'],
    ["state | map: TX → Texas, CA → 'California = west'", 'California = west'],
    ['state | map: CA = a → b', 'a → b'],
    ['state | map: TX=Texas', 'CA'],
    ['state | map: TX=Texas, *=Other', 'Other'],
    ["state | map: ca='Golden, isn''t it', TX=Texas", "Golden, isn't it"],
    ['tobacco | map: true=Y, false=N', 'Y'],
    ['city | map: *=somewhere', null],
    ['city | map: *=somewhere | default: nowhere', 'nowhere'],
    ['lead.state | map: CA=California | upper', 'CALIFORNIA'],
    ['state | if: = ca, West, East', 'West'],
    ['state | if: != CA, West, East', 'East'],
    ["state | if: = 'C, A', 1, 'it''s, 2'", "it's, 2"],
    ['city | if: empty, lead.name, lead.city', "maría o'brien-SMITH"],
    ['comments | if: not empty, yes, no', 'no'],
    ['alt_phone | if: empty, lead.phone, lead.alt_phone', '+442079460958'],
    ['age | if: empty, 0, lead.age', 0],
    ['price | if: = 0, true, false', true],
    ['tobacco | if: = TRUE, lead.coverage_amount, null', 15000.5],
    ['tobacco | if: = false, lead.coverage_amount, null', null],
    ['state | if: = CA, null, x | default: none', 'none'],
    ["state | if: = CA, '1', 2", '1'],
    ["state | if: = CA, '', 2", ''],
    ['state | if: = CA, 1.5, 2', 1.5],
    ['state | if: = CA, 02134, 2', '02134'],
    ['state | if: = CA, lead.city, x', null],
    ['state | if: = CA, lead, x', 'lead'],
    ["state | if: = CA, 'lead.nobody', x", 'lead.nobody'],
    ['state | if: = CA, lead.custom.plan, x | upper', 'GOLD'],
    ['created_at | date: dddd, America/Chicago | if: = Sunday, 7, 0', 7],
    ['phone | if: empty, lead.alt_phone, lead.phone | phone: ten', '5125550143'],
  ])('renders %s as %j', (inner, expected) => {
    expect(fault(inner)).toBeUndefined()
    expect(value(inner)).toEqual(expected)
    expect(new URLSearchParams(render(inner, 'FORM')).get('v')).toBe(String(expected ?? ''))
  })

  it.each([
    ['name | uper', 'There is no format "uper". Did you mean upper?'],
    ['name | reverse', 'There is no format "reverse". Formats are date, phone, upper'],
    ['name |', 'A format is missing after |.'],
    ['name | upper: x', 'stand alone, without a colon'],
    ['created_at | date', 'date needs a form, like {{created_at | date:'],
    ['created_at | date: yyyy-MM-DD', '"yyyy" is no part of a date. Did you mean YYYY?'],
    ['created_at | date: Q', '"Q" is no part of a date. There are YYYY, YY'],
    [
      'created_at | date: MM/DD/YYYY, America/Chicgo',
      'There is no time zone "America/Chicgo". Did you mean America/Chicago?',
    ],
    ['date_of_birth | date: YYYY HH', 'A date has no time of day: take HH out'],
    ['date_of_birth | date: YYYY, America/Chicago', 'A date is the same in every zone: leave the zone out'],
    ['name | date: YYYY', 'date is for times and dates'],
    ['phone | phone', 'phone needs a shape: e164, digits, ten, national, dashed, dotted'],
    ['phone | phone: dahsed', 'There is no phone shape "dahsed". Did you mean dashed?'],
    ['city | phone: ten', 'phone is for phone numbers'],
    ['age | upper', 'A number has no upper and lower case'],
    ['tobacco | lower', 'Use map, like {{tobacco | map: true=Y, false=N}}'],
    ['name | money', 'money is for amounts'],
    ['price | money: eur', 'There is no money shape "eur". There are usd, plain, whole, cents'],
    ['city | default:', "'' is empty text"],
    ['state | map: CA', '"CA" is none'],
    ['state | map: CA=1, ca=2', '"ca" stands twice in map'],
    ['state | if', 'if needs a test and two results, like {{state | if: = CA, West, East}}'],
    ['state | if: = CA, West', 'if needs a test and two results'],
    ['state | if: = CA, Austin, TX, East', 'Put a text with a comma into single quotes'],
    ['state | if: CA, West, East', '"CA" is no test. There are empty, not empty, = value and != value'],
    ['state | if: =, West, East', 'A value is missing after =. For no value write empty or not empty'],
    ["state | if: != '', West, East", 'A value is missing after !=.'],
    ['state | if: empty, , East', "A result of if is missing; '' is empty text"],
    ['state | if: empty, lead.phnoe, East', 'There is no placeholder "phnoe". Did you mean lead.phone?'],
    ['state | if: empty, lead.of, East', "Put a text into single quotes: 'lead.…'"],
    ['state | if: empty, a, b | if: empty, a, b', 'A value takes one if'],
    ['age | if: empty, 0, lead.age | upper', 'A number has no upper and lower case'],
  ])('refuses %s at its place', (inner, reason) => {
    expect(fault(inner)).toContain(reason)
    expect(fault(inner)?.startsWith(`{{${inner}}} (a[0].b): `)).toBe(true)
    // Formats that were stored before they were checked still render empty, and are named.
    expect(value(inner)).toBe('')
  })

  it('is refused with its line, and a number of an if keeps its digits', () => {
    expect(refuseTemplate('{\n "a": "x",\n "b": ["{{state | uper}}"]\n}')).toBe(
      '{{state | uper}} (line 3, b[0]): There is no format "uper". Did you mean upper?',
    )
    expect(render('state | if: = CA, 7.10, 0')).toBe('{"v":7.10}')
    const custom = { ...values, 'custom.sum': JSON.rawJSON('12345678901234567890.10') }
    const template = '{"v":"{{state | if: = CA, lead.custom.sum, 0 | default: 1}}"}'
    expect(renderPayload(template, 'JSON', custom).body).toBe('{"v":12345678901234567890.10}')
  })

  it('of the kind if names the values of an event in its templates', () => {
    const vocabulary = vocabularyOf(new Map([['reason', { kind: 'text', means: 'Why', isOptional: true }]]))
    const { tree, unknownPlaceholders } = compileTemplate(
      '["{{reason | if: empty, none, event.reason}}","{{reason | if: empty, lead.name, event.reasn}}"]',
      vocabulary,
    )
    expect(unknownPlaceholders).toEqual(['reason | if: empty, lead.name, event.reasn'])
    const compiled = { tree, unknownPlaceholders }
    expect(renderCompiled(compiled, 'JSON', { reason: 'fake' }).body).toBe('["fake",""]')
    expect(renderCompiled(compiled, 'JSON', {}).body).toBe('["none",""]')
  })

  it('of the kind if sends exactly one of its results, with its type, and the other one for the opposite test', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((some) => some.replaceAll(/[{}]/g, ''))
    const fixed = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null))
    const write = (result: unknown) =>
      typeof result === 'string' ? `'${result.replaceAll("'", "''")}'` : String(result)
    fc.assert(
      fc.property(text, text, fixed, fixed, (given, wanted, first, second) => {
        fc.pre(wanted.trim() !== '')
        const read = (test: string) => {
          const inner = `custom.a | if: ${test}, ${write(first)}, ${write(second)}`
          const template = JSON.stringify({ v: `{{${inner}}}` })
          expect(refuseTemplate(template)).toBeUndefined()
          const { body } = renderPayload(template, 'JSON', { 'custom.a': given })
          return (JSON.parse(body) as { v: unknown }).v
        }
        const isEqual = given.trim().toLowerCase() === wanted.trim().toLowerCase()
        expect(read(`= ${write(wanted)}`)).toEqual(isEqual ? first : second)
        expect(read(`!= ${write(wanted)}`)).toEqual(isEqual ? second : first)
        expect(read('empty')).toEqual(given.trim() === '' ? first : second)
        expect(read('not empty')).toEqual(given.trim() === '' ? second : first)
      }),
    )
  })

  it('uses the same clock for a zone, however its name is written', () => {
    const inner = (zone: string) => `created_at | date: HH:mm, ${zone}`
    expect(value(inner('US/Central'))).toBe('01:59')
    const made = vi.spyOn(Intl, 'DateTimeFormat')
    onTestFinished(() => made.mockRestore())
    for (const zone of ['us/central', 'america/CHICAGO', 'America/chicago', 'AMERICA/CHICAGO'])
      expect(value(inner(zone))).toBe('01:59')
    // One each, to look up the zone.
    expect(made).toHaveBeenCalledTimes(4)
  })

  it('reports an unknown value, not the formats after it', () => {
    const { unknownPlaceholders } = renderPayload('{"a":"{{nmae | upper}}"}', 'JSON', values)
    expect(unknownPlaceholders).toEqual(['nmae'])
  })

  it('counts the characters that capitals and long maps may add to a payload', () => {
    const many = (inner: string) => JSON.stringify({ v: Array.from({ length: 200 }, () => `{{${inner}}}`) })
    expect(refuseTemplate(many('comments'))).toBeUndefined()
    expect(refuseTemplate(many('comments | upper'))).toContain('too large a payload')
  })

  it('has a working example in the palette', () => {
    const sample = sampleValues('test', new Date('2026-01-31T12:00:00Z'))
    const shown = FORMATS.map(({ example }) => {
      expect(refuseTemplate(JSON.stringify({ example }))).toBeUndefined()
      return JSON.parse(renderPayload(JSON.stringify([example]), 'JSON', sample).body) as unknown[]
    })
    expect(shown.flat()).toEqual([
      '01/01/2026',
      '202-555-0143',
      'LOS ANGELES',
      'test.lead@example.com',
      'Test Lead',
      'Los Angeles',
      '$15,000.00',
      'California',
      '+12025550143',
    ])
  })
})
