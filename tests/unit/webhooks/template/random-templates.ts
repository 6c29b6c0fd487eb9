import fc from 'fast-check'
import type { LeadForPayload } from '#core/contract/leads/lead-for-payload.ts'
import { SAMPLE_LEAD } from '#core/domain/leads/sample-lead.ts'
import { PLACEHOLDERS } from '#core/domain/webhooks/template/placeholders.ts'

const ZONES = Intl.supportedValuesOf('timeZone')
const zone = fc.oneof(fc.constantFrom('America/Chicago', 'Australia/Lord_Howe'), fc.constantFrom(...ZONES))
const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    'Texas',
    "it's",
    'a, b',
    '{{name}}',
    '"},"x":{"',
    '\\',
    '\u2028',
    "'quoted'",
    'ß',
    '+1 (512) 555-0143',
  ),
)
const inFormat = words.map((text) => text.replaceAll(/[{}]/g, ''))

const dateForm = fc
  .tuple(
    fc.constantFrom(
      'MM/DD/YYYY',
      'YYYY-MM-DDTHH:mm:ssZ',
      'ddd D MMM YY, h:mm a',
      'unix',
      'dddd [the] D',
      'Q',
    ),
    fc.option(zone),
  )
  .map(([form, where]) => (where === null ? form : `${form}, ${where}`))
const format = fc.oneof(
  dateForm.map((form) => `date: ${form}`),
  fc
    .constantFrom('e164', 'digits', 'ten', 'national', 'dashed', 'dotted', 'wrong')
    .map((shape) => `phone: ${shape}`),
  fc.constantFrom(
    'upper',
    'lower',
    'title',
    'money',
    'money: cents',
    'money: plain',
    'money: whole',
    'nonsense',
  ),
  inFormat.map((text) => `default: ${text}`),
  fc
    .tuple(
      fc.constantFrom('empty', 'not empty', '= CA', "!= 'true'", 'wrong'),
      fc.constantFrom('lead.age', 'lead.custom.a', 'lead.city', 'lead.nobody', '1.50', 'true', 'null'),
      inFormat,
    )
    .map(([test, first, second]) => `if: ${test}, ${first}, ${second}`),
  fc
    .uniqueArray(fc.tuple(fc.constantFrom('CA', 'TX', 'true', 'false', '*', 'x'), inFormat), {
      selector: ([from]) => from,
      minLength: 1,
      maxLength: 3,
    })
    .map((pairs) => `map: ${pairs.map(([from, to]) => `${from}='${to.replaceAll("'", "''")}'`).join(', ')}`),
)
const name = fc.oneof(
  fc.constantFrom(...PLACEHOLDERS.map((placeholder) => placeholder.name)),
  fc.constantFrom('custom.a', 'custom.when', 'custom.none', 'lead.name', 'nobody'),
)
const placeholder = fc
  .tuple(name, fc.array(format, { maxLength: 3 }))
  .map(([value, formats]) => `{{${[value, ...formats].join(' | ')}}}`)
const text = fc
  .array(fc.oneof({ weight: 3, arbitrary: placeholder }, words), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(''))
const leaf = fc.oneof({ weight: 4, arbitrary: text }, fc.constantFrom(null, true, 0, 10.5))
const value = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(words, leaf, { maxKeys: 3 }))

/** Templates as clients write them, with right and wrong formats. */
export const templates = fc
  .dictionary(words, value, { minKeys: 1, maxKeys: 4 })
  .map((tree) => JSON.stringify(tree))

const some = <T>(given: fc.Arbitrary<T>) => fc.option(given, { freq: 4 })
const moment = fc.integer({ min: 1_600_000_000_000, max: 1_900_000_000_000 }).map((at) => new Date(at))

/** Leads with arbitrary values in every field. */
export const leads: fc.Arbitrary<LeadForPayload> = fc
  .record({
    name: some(words),
    first_name: some(words),
    email: some(words),
    city: some(words),
    comments: some(words),
    state: some(fc.constantFrom('CA', 'TX', 'FL')),
    phone: some(fc.constantFrom('+15125550143', '+442079460958')),
    alt_phone: some(fc.constant('+12025550199')),
    date_of_birth: some(fc.constantFrom('1958-03-14', '2000-02-29')),
    age: some(fc.integer({ min: 0, max: 120 })),
    tobacco: some(fc.boolean()),
    coverage_amount: some(fc.constantFrom('15000.00', '0.10', '999999999999.99')),
    custom: fc.record({
      a: fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null)),
      when: fc.oneof(
        words,
        moment.map((at) => at.toISOString()),
      ),
    }),
    created_at: moment,
    assigned_at: some(moment),
  })
  .map((fields) => ({ ...SAMPLE_LEAD, ...fields }))
