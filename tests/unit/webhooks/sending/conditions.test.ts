import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findPlace } from '#core/zip-table/zip-table.ts'
import type { LeadFacts } from '#core/contract/webhooks/asked-delivery.ts'
import { conditionsSchema, newConditionsSchema, type Conditions } from '#core/contract/webhooks/conditions.ts'
import { judgeConditions, listUnmet } from '#core/domain/webhooks/conditions/judge-conditions.ts'
import { readStates } from '#core/domain/webhooks/conditions/read-states.ts'
import { wordConditions, wordMisfit } from '#core/domain/webhooks/conditions/word-conditions.ts'

const AT = new Date('2026-03-14T12:00:00Z')
const word = fc.constantFrom('CA', 'ca ', 'TX', 'gold', 'Gold', '1', 'true', 'x y')
const words = fc.uniqueArray(word, { minLength: 1, maxLength: 3 })
const isOrNot = (field: fc.Arbitrary<string>) =>
  fc
    .tuple(field, words, fc.boolean())
    .map(([name, values, is]) => ({ field: name, ...(is ? { is: values } : { is_not: values }) }))
const age = fc.option(fc.integer({ min: 0, max: 120 }))
const rule = fc.oneof(
  isOrNot(fc.constantFrom('lead_type', 'source', 'state', 'custom.plan', 'custom.none', 'custom.toString')),
  fc.tuple(age, age, fc.boolean()).map(([from, to, accept]) => ({
    field: 'age',
    from: from === null && to === null ? 50 : from !== null && to !== null ? Math.min(from, to) : from,
    to: from !== null && to !== null ? Math.max(from, to) : to,
    accept_unknown: accept,
  })),
  fc.boolean().map((is) => ({ field: 'is_test', is })),
)
const conditions = fc
  .record({ match: fc.constantFrom('all', 'any'), rules: fc.array(rule, { minLength: 1, maxLength: 4 }) })
  .map((given) => conditionsSchema.parse(given))
const leads: fc.Arbitrary<LeadFacts> = fc.record({
  lead_type: word,
  source: fc.option(word),
  state: fc.option(fc.constantFrom('CA', 'TX', 'FL')),
  age: fc.option(fc.integer({ min: 0, max: 120 })),
  date_of_birth: fc.option(fc.constantFrom('1958-03-14', '1958-03-15', '2030-01-01', '2000-02-29')),
  is_test: fc.boolean(),
  custom: fc.oneof(
    fc.constant({}),
    fc.record({ plan: fc.oneof(word, fc.constantFrom(1, true, null, 'Gold ')) }),
  ),
  zip: fc.constant(null),
  timezone: fc.constant(null),
  phone: fc.constant(null),
})

/** Slow and plain: rule by rule, value by value, with birthdays counted year by year. */
function fitsPlainly({ match, rules }: Conditions, lead: LeadFacts): boolean {
  const plain = (value: unknown) => String(value).trim().toLowerCase()
  const results: boolean[] = []
  for (const one of rules) {
    if (one.field === 'is_test') results.push(lead.is_test === one.is)
    else if (one.field === 'age') {
      let years = lead.age
      if (years === null && lead.date_of_birth !== null && lead.date_of_birth <= '2026-03-14') {
        years = 0
        const [born, day] = [Number(lead.date_of_birth.slice(0, 4)), lead.date_of_birth.slice(4)]
        while (`${born + years + 1}${day}` <= '2026-03-14') years += 1
      }
      results.push(years === null ? one.accept_unknown : years >= (one.from ?? 0) && years <= (one.to ?? 999))
    } else {
      const known: Record<string, unknown> = {
        lead_type: lead.lead_type,
        source: lead.source,
        state: lead.state,
      }
      const value = one.field.startsWith('custom.')
        ? (Object.entries(lead.custom).find(([key]) => `custom.${key}` === one.field)?.[1] ?? null)
        : known[one.field]
      const isAmong = value !== null && (one.is ?? one.is_not ?? []).map(plain).includes(plain(value))
      results.push(one.is === undefined ? !isAmong : isAmong)
    }
  }
  return match === 'all' ? !results.includes(false) : results.includes(true)
}

describe('conditions', { timeout: 60_000 }, () => {
  it('match the same leads as a simple reference, in 10,000 random cases', () => {
    fc.assert(
      fc.property(conditions, leads, (given, lead) => {
        const fit = judgeConditions(given, lead, AT)
        return fit.fits === fitsPlainly(given, lead) && (fit.fits || listUnmet(fit).length > 0)
      }),
      { numRuns: 10_000 },
    )
  })

  it('that are absent match every lead', () => {
    fc.assert(
      fc.property(leads, (lead) => judgeConditions(null, lead, AT).fits),
      { numRuns: 100 },
    )
  })

  it.each([
    [{ match: 'all', rules: [] }, 'Needs a rule'],
    [{ match: 'some', rules: [{ field: 'is_test', is: true }] }, 'Must be all or any'],
    [
      { match: 'all', rules: [{ field: 'phone', is: ['1'] }] },
      'Must be a rule about lead_type, source, state, zip, age',
    ],
    [{ match: 'all', rules: [{ field: 'custom.a b', is: ['1'] }] }, 'Must be a rule about'],
    [{ match: 'all', rules: [{ field: 'state', is: ['CA'], is_not: ['TX'] }] }, 'Needs one of is and is_not'],
    [{ match: 'all', rules: [{ field: 'state', is: [] }] }, 'Name at least one value'],
    [{ match: 'all', rules: [{ field: 'age' }] }, 'Needs from or to'],
    [{ match: 'all', rules: [{ field: 'age', from: 80, to: 50 }] }, 'Must not be below from'],
    [{ match: 'all', rules: [{ field: 'age', from: 1.5 }] }, 'Must be a whole number'],
    [{ match: 'all', rules: [{ field: 'is_test', is: 'yes' }] }, 'Must be true or false'],
    [
      { match: 'all', rules: Array.from({ length: 21 }, () => ({ field: 'is_test', is: true })) },
      'At most 20 rules',
    ],
  ])('%j are refused: %s', (given, reason) => {
    expect(conditionsSchema.safeParse(given).error?.issues[0]?.message).toContain(reason)
  })

  it('have a limit of characters in all values when saved, and are read above it', () => {
    const many = (extra: string[]) => ({
      match: 'any',
      rules: Array.from({ length: 4 }, (_rule, index) => ({
        field: 'source',
        is: [
          ...Array.from({ length: 32 }, (_value, at) => String(at).padStart(128, '0')),
          ...(index === 0 ? extra : []),
        ],
      })),
    })
    expect(newConditionsSchema.safeParse(many([])).success).toBe(true)
    expect(newConditionsSchema.safeParse(many(['x'])).error?.issues[0]?.message).toBe(
      'All values together are too long (at most 16,384 characters)',
    )
    expect(conditionsSchema.safeParse(many(['x'])).success).toBe(true)
  })

  it.each([
    ['Bogotá', 'Bogotá'.normalize('NFD')],
    ['Bogotá'.normalize('NFD'), 'BOGOTÁ'],
    ['\u200bBogotá\ufeff ', 'bogotá'],
    ['Bogotá\u200b', 'Bogotá\u200b'],
    ['Bogotá', '\u2068Bogotá\u2069'],
    ['Bogotá', 'Bogo\u00adtá '],
  ])('with %j match %j, in either Unicode form', (named, source) => {
    const given = newConditionsSchema.parse({ match: 'all', rules: [{ field: 'source', is: [named] }] })
    const lead = {
      lead_type: 'auto',
      source,
      state: null,
      age: null,
      date_of_birth: null,
      is_test: false,
      custom: {},
      zip: null,
      timezone: null,
      phone: null,
    }
    expect(judgeConditions(given, lead, AT).fits).toBe(true)
  })

  it('store a state by its code, however it was given, and keep every other value', () => {
    const given = newConditionsSchema.parse({
      match: 'any',
      rules: [
        { field: 'state', is: ['California', 'ca', ' new  YORK ', 'TX'] },
        { field: 'state', is_not: ['district of columbia'] },
        { field: 'source', is: ['California'] },
        { field: 'lead_type', is_not: ['Final Expense'] },
        { field: 'is_test', is: false },
      ],
    })
    const { conditions: read, errors } = readStates(given)
    expect(errors).toEqual([])
    expect(read).toEqual({
      match: 'any',
      rules: [
        { field: 'state', is: ['CA', 'NY', 'TX'] },
        { field: 'state', is_not: ['DC'] },
        ...given.rules.slice(2),
      ],
    })
  })

  it('with an unknown state are refused at its place, but still read if they were stored before', () => {
    const given = conditionsSchema.parse({
      match: 'all',
      rules: [
        { field: 'is_test', is: false },
        { field: 'state', is: ['CA', 'Ontario', 'Quebec'] },
        { field: 'state', is_not: ['Calif.'] },
      ],
    })
    expect(readStates(given).errors).toEqual([
      { path: 'conditions.rules.1.is.1', message: '“Ontario” is no state' },
      { path: 'conditions.rules.2.is_not.0', message: '“Calif.” is no state' },
    ])
  })

  it('are described in one line without a value of the lead, like the reason for not sending', () => {
    const given = conditionsSchema.parse({
      match: 'all',
      rules: [
        { field: 'state', is: ['CA', 'TX', 'FL', 'NY', 'WA'] },
        { field: 'age', from: 50, to: 80, accept_unknown: true },
        { field: 'lead_type', is_not: ['final_expense'] },
        { field: 'is_test', is: false },
        { field: 'custom.plan', is: ['Gold', 'Silver'] },
      ],
    })
    expect(wordConditions(given)).toBe(
      'State is CA, TX, FL or 2 more, and age is 50 to 80 or not known, and type is not Final expense, and it is no test lead, and plan is Gold or Silver',
    )
    expect(wordMisfit(['state'])).toBe('state does not fit its conditions')
    expect(wordMisfit(['state', 'age', 'custom.plan'])).toBe('state, age, and plan do not fit its conditions')
  })
})

it.each([
  [7.1, '7.10', true],
  [JSON.rawJSON('7.10'), '7.1', true],
  [JSON.rawJSON('7.10'), '7.10', true],
  [2500, '2500.00', true],
  ['7.1', '7.10', false],
  [7.1, '7.11', false],
  [71, '7.10', false],
])('the custom field %j is named by %s: %j', (rate, named, fits) => {
  const lead = {
    lead_type: 'auto',
    source: null,
    state: null,
    age: null,
    date_of_birth: null,
    is_test: false,
    zip: null,
    timezone: null,
    phone: null,
  }
  const rules = conditionsSchema.parse({ match: 'all', rules: [{ field: 'custom.rate', is: [named] }] })
  expect(judgeConditions(rules, { ...lead, custom: { rate } }, AT).fits).toBe(fits)
})

it.each([
  [['752'], '75201-1234', true],
  [['75201'], '75202', false],
  [['Within 35 miles of 75201'], '76102', true],
  [['within 25 miles of 75201', '761'], '76102', true],
  [['within 1 mile of 75201'], '76102', false],
  [['752'], null, false],
])('a rule about ZIP codes %j asks whether %s is among them', (named, zip, isThere) => {
  const lead = {
    lead_type: 'auto',
    source: null,
    state: null,
    age: null,
    date_of_birth: null,
    is_test: false,
    custom: {},
    zip,
    timezone: null,
    phone: null,
  }
  const fits = (side: 'is' | 'is_not') =>
    judgeConditions(
      newConditionsSchema.parse({ match: 'all', rules: [{ field: 'zip', [side]: named }] }),
      lead,
      AT,
      findPlace,
    ).fits
  expect([fits('is'), fits('is_not')]).toEqual([isThere, !isThere])
})

it('a rule about ZIP codes refuses other texts', () => {
  const refuse = (value: string) =>
    newConditionsSchema.safeParse({ match: 'all', rules: [{ field: 'zip', is: [value] }] }).success
  expect(['75', '752011', 'Dallas', 'within 0 miles of 75201', 'within 5 miles of 752'].map(refuse)).toEqual(
    Array(5).fill(false),
  )
})
