import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { refuseTemplate } from '#core/domain/webhooks/template/check-template.ts'
import { FORMATS } from '#core/domain/webhooks/template/formats/formats.ts'
import { renderPayload } from '#core/domain/webhooks/template/render-template.ts'
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
  ])('refuses %s at its place', (inner, reason) => {
    expect(fault(inner)).toContain(reason)
    expect(fault(inner)?.startsWith(`{{${inner}}} (a[0].b): `)).toBe(true)
    // Formats that were stored before they were checked still render empty, and are named.
    expect(value(inner)).toBe('')
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
    ])
  })
})
