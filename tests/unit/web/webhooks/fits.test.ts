import { describe, expect, it } from 'vitest'
import { conditionsSchema } from '#core/contract/webhooks/conditions.ts'
import { findHoursFaults } from '#web/components/schedule/find-hours-faults.ts'
import { describeFits } from '#web/webhooks/dialog/fits/describe-fits.ts'
import { newFits, readFits, writeFits } from '#web/webhooks/dialog/fits/fit-values.ts'
import { readTyped } from '#web/webhooks/dialog/fits/read-typed.ts'
import { NEW_RULE, showRule, writeRule, type RuleDraft } from '#web/webhooks/dialog/fits/rule-draft.ts'
import { describeFit } from '#web/webhooks/dialog/template/describe-fit.ts'
import { describeFitsNow } from '#web/webhooks/health/describe-fits-now.ts'
import {
  NEW_WEBHOOK_VALUES,
  refusalOfField,
  webhookFormSchema,
} from '#web/webhooks/dialog/webhook-form-values.ts'

const WORK = { timezone: 'America/Chicago', schedule: { mon: [['09:00', '17:00']] } } as const
const hoursOf = (schedule: Record<string, [string, string][]>) => ({ timezone: 'UTC', schedule })
const withRules = (...rules: Partial<RuleDraft>[]) => ({
  ...newFits(),
  conditions: { match: 'all' as const, rules: rules.map((rule) => ({ ...NEW_RULE, ...rule })) },
})
const faultsOf = (fits: object) =>
  webhookFormSchema
    .safeParse({
      ...NEW_WEBHOOK_VALUES,
      webhook_name: 'CRM',
      endpoint_url: 'https://crm.example.com',
      ...fits,
    })
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []

describe('conditions and sending hours in the form', () => {
  it('are every lead at any hour by default', () => {
    expect(writeFits(newFits())).toEqual({ conditions: null, sending_hours: null })
    expect(describeFits(newFits())).toBe('Every lead · at any hour')
  })

  it('come back from the API unchanged, each kind of rule', () => {
    const conditions = conditionsSchema.parse({
      match: 'any',
      rules: [
        { field: 'lead_type', is: ['final_expense'] },
        { field: 'state', is_not: ['CA', 'TX'] },
        { field: 'source', is: ['a, b'] },
        { field: 'age', from: 50, to: null, accept_unknown: true },
        { field: 'is_test', is: false },
        { field: 'custom.plan', is: ['Gold'] },
      ],
    })
    expect(conditions.rules.map((rule) => writeRule(showRule(rule)))).toEqual(conditions.rules)
  })

  it('include values that are still being typed, and accept a state by its name', () => {
    const fits = withRules({ about: 'state', values: ['TX'], typed: ' california, ny' })
    expect(readFits(fits).conditions?.rules).toEqual([{ field: 'state', is: ['TX', 'CA', 'NY'] }])
    expect(
      describeFits({
        ...fits,
        sending_hours: { ...fits.sending_hours, ...WORK, schedule: { mon: [['09:00', '17:00']] } },
      }),
    ).toBe('State is TX, CA, or NY · Mon 9:00 AM to 5:00 PM (America/Chicago)')
    expect(readTyped('lead_type', 'Final expense; medicare')).toEqual(['final_expense', 'medicare'])
    expect(readTyped('source', 'one, with a comma')).toEqual(['one, with a comma'])
  })

  it('report at its field what is missing or wrong', () => {
    expect(
      faultsOf(
        withRules(
          {},
          { about: 'age' },
          { about: 'age', from: '80', to: '50' },
          { about: 'age', from: 'old' },
          { about: 'custom' },
          { about: 'custom', name: 'a b' },
          { about: 'custom', name: 'plan' },
          { values: ['TX'], typed: 'Ontario' },
        ),
      ),
    ).toEqual([
      'conditions.rules.0.values: Enter at least one value',
      'conditions.rules.1.from: Enter an age',
      'conditions.rules.2.to: Must not be below the first age',
      'conditions.rules.3.from: Must be a whole number',
      'conditions.rules.4.name: Enter its name',
      'conditions.rules.5.name: Letters, digits, _ . and - only, at most 64',
      'conditions.rules.6.values: Enter at least one value',
      'conditions.rules.7.values: “Ontario” is no state',
    ])
    expect(
      faultsOf({ sending_hours: { when_callable: false, timezone: 'Mars/Base', schedule: {} } }),
    ).toEqual([
      'sending_hours.timezone: No such time zone',
      'sending_hours.schedule: These hours cannot be used',
    ])
    expect(describeFits(withRules({}))).toBe('Conditions to be completed · at any hour')
    expect(findHoursFaults({})).toEqual({ all: 'Add hours on at least one day' })
    expect(
      findHoursFaults({
        mon: [['', '17:00']],
        tue: [
          ['09:00', '17:00'],
          ['16:00', '18:00'],
        ],
      }),
    ).toMatchObject({ mon: 'Enter both times' })
  })

  it("show a server's fault at its field", () => {
    const show = (path: string, message = 'No') => {
      const { field, message: shown } = refusalOfField({ path, message }) ?? {}
      return `${field}: ${shown}`
    }
    expect([
      show('conditions.rules.2.to', 'Must not be below from'),
      show('conditions.rules.0', 'is.3: Is too long (at most 200 characters)'),
      show('conditions.rules.1.is.0'),
      show('conditions'),
      show('sending_hours.timezone'),
      show('sending_hours.schedule.mon.1'),
    ]).toEqual([
      'conditions.rules.2.to: Must not be below the first age',
      'conditions.rules.0.values: Is too long (at most 200 characters)',
      'conditions.rules.1.values: No',
      'conditions.match: No',
      'sending_hours.timezone: No',
      'sending_hours.schedule: No',
    ])
  })

  it('say whether the preview’s lead would be sent, and from when', () => {
    const conditions = conditionsSchema.parse({ match: 'all', rules: [{ field: 'state', is: ['TX'] }] })
    const monday = new Date('2026-03-09T15:00:00Z')
    const said = (...given: Parameters<typeof describeFit>) => describeFit(...given)?.text
    const hours = hoursOf({ mon: [['10:00', '16:00']] })
    expect(said({ conditions: null, sending_hours: null }, [], monday)).toBeUndefined()
    expect(said({ conditions, sending_hours: null }, [], monday)).toBe('This lead would be sent at once.')
    expect(said({ conditions, sending_hours: null }, ['state'], monday)).toBe(
      'This lead would not be sent: state does not fit its conditions.',
    )
    expect(said({ conditions, sending_hours: hours }, [], new Date('2026-03-10T15:00:00Z'))).toMatch(
      /^This lead would be sent, and waits until Mon \d+:\d\d [AP]M\.$/,
    )
    const calls = { timezone: 'America/Chicago', schedule: null, when_callable: true }
    expect(said({ conditions: null, sending_hours: calls }, [], monday)).toBe(
      'This lead would be sent as soon as it may be called.',
    )
    const both = { ...hours, when_callable: true }
    expect(said({ conditions, sending_hours: both }, [], new Date('2026-03-10T15:00:00Z'))).toMatch(
      /^This lead would be sent, and waits until Mon \d+:\d\d [AP]M, and until it may be called\.$/,
    )
    expect(said({ conditions: undefined, sending_hours: null }, [], monday)).toContain('is complete')
  })

  it('show beside the webhook how many leads were skipped, and until when others wait', () => {
    const conditions = conditionsSchema.parse({ match: 'all', rules: [{ field: 'state', is: ['TX'] }] })
    const config = { conditions, sending_hours: hoursOf({ mon: [['10:00', '16:00']] }), is_active: true }
    const day = { skipped: 2 }
    const tuesday = new Date('2026-03-10T15:00:00Z')
    expect(describeFitsNow(config, { day }, tuesday, true)).toEqual([
      '2 leads skipped in 24 hours because they do not fit: State is TX.',
      expect.stringMatching(/^Outside its hours: leads wait until Mon \d+:\d\d [AP]M\.$/),
    ])
    expect(
      describeFitsNow(config, { day: { skipped: 10_000 } }, new Date('2026-03-09T12:00:00Z'), false),
    ).toEqual(['10,000+ leads skipped in 24 hours.'])
    expect(describeFitsNow({ ...config, is_active: false }, undefined, tuesday, true)).toEqual([])
  })
})
