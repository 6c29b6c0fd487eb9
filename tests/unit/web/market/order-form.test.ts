import { expect, test } from 'vitest'
import type { Order } from '#core/contract/market/order.ts'
import {
  changedTerms,
  editOrderValues,
  newOrderValues,
  readTerms,
} from '#web/market/orders/order-form-values.ts'
import { sayDates, sayLimits, saySchedule, sayStates, sayTypedAges } from '#web/market/orders/say-terms.ts'
import { sayWeekCost } from '#web/market/orders/say-week-cost.ts'
import { groupStates, STATE_COUNT } from '#web/components/states/state-groups.ts'

const ORDER: Order = {
  id: '00000000-0000-7000-8000-000000000001',
  client_user_id: '00000000-0000-7000-8000-000000000002',
  name: 'Texas seniors',
  lead_type: 'final_expense',
  lead_type_label: 'Final expense',
  states: ['TX'],
  age_min: 50,
  age_max: null,
  accept_unknown_age: true,
  excluded_sources: ['00000000-0000-7000-8000-000000000003'],
  max_lead_age_minutes: null,
  zip_codes: ['752', '75001'],
  near_zip: '76102',
  near_miles: 20,
  daily_cap: 10,
  weekly_cap: null,
  monthly_cap: null,
  total_cap: null,
  daily_budget: '250.00',
  monthly_budget: null,
  schedule: { mon: [['22:00', '24:00']] },
  timezone: 'America/Chicago',
  starts_at: '2026-12-01T15:30:00.000Z',
  ends_at: '2027-01-01T06:00:00.000Z',
  when_undelivered: 'keep',
  price: '25.00',
  highest_price: '25.00',
  paused_by: null,
  paused_by_client: false,
  pause_reason: null,
  state: { code: 'active', sentence: 'Receiving leads', until: null },
  tallies: {
    today: { leads: 0, spent: '0.00' },
    week: { leads: 0 },
    month: { leads: 0, spent: '0.00' },
    total: { leads: 0 },
    last_assigned_at: null,
  },
  member_user_id: null,
  version: 1,
  created_at: '2026-11-20T00:00:00.000Z',
  updated_at: '2026-11-20T00:00:00.000Z',
}

test('an untouched form changes nothing, even for values that it cannot show', () => {
  const values = editOrderValues(ORDER)
  expect(values).toMatchObject({ starts_at: '2026-12-01', ends_at: '2026-12-31', daily_budget: '250.00' })
  expect(changedTerms(values, editOrderValues(ORDER))).toEqual({})
})

test('only changed values are sent, in the API’s form', () => {
  const before = editOrderValues(ORDER)
  const values = {
    ...before,
    name: ' Texans ',
    states: { all: true, codes: ['TX'] },
    daily_cap: '1,200',
    daily_budget: '$1,000',
    monthly_cap: '',
    ends_at: '2026-12-30',
  }
  expect(changedTerms(values, before)).toEqual({
    name: 'Texans',
    states: [],
    daily_cap: 1200,
    daily_budget: '1000.00',
    ends_at: '2026-12-31T06:00:00.000Z',
  })
})

test('a mistyped value is reported at its field', () => {
  const values = {
    ...newOrderValues({ leadType: 'final_expense', timezone: 'America/Chicago', active: false }),
    name: 'Order',
    daily_cap: 'ten',
    ends_at: '2026-12-01',
  }
  const read = (given: object) => {
    const result = readTerms({ ...values, ...given })
    return result.ok ? [] : result.errors.map(({ path }) => path)
  }
  expect(read({})).toEqual(['daily_cap'])
  expect(read({ daily_cap: '', starts_at: '2026-12-02' })).toEqual(['ends_at'])
  expect(read({ daily_cap: '', starts_at: '2026-12-01' })).toEqual([])
  expect(read({ daily_cap: '', states: { all: false, codes: [] } })).toEqual(['states'])
  expect(read({ daily_cap: '', schedule: { mon: [['', '18:00']] } })).toEqual(['schedule.mon.0.0'])
})

test('a week’s cost counts the days of its hours, and the first limit that ends it', () => {
  const read = readTerms({
    ...newOrderValues({ leadType: 'final_expense', timezone: 'America/Chicago', active: true }),
    name: 'Order',
  })
  if (!read.ok) throw new Error('The defaults are valid')
  const price = { price: '25.00', highest_price: '25.00' }
  const say = (changed: object, prices = price) => sayWeekCost({ ...read.terms, ...changed }, prices)
  expect(say({})).toBe('10 a day at $25: up to $1,250 a week')
  expect(say({ schedule: null })).toBe('10 a day at $25: up to $1,750 a week')
  // Friday's window ends on Saturday, which has a day's cap of its own.
  expect(say({ schedule: { fri: [['22:00', '02:00']] } })).toBe('10 a day at $25: up to $500 a week')
  expect(say({ schedule: { fri: [['22:00', '00:00']] } })).toBe('10 a day at $25: up to $250 a week')
  expect(say({ weekly_cap: 20 })).toBe('10 a day at $25: up to $500 a week')
  expect(say({ daily_cap: null, monthly_cap: 1000 })).toBe('1,000 a month at $25: up to $25,000 a week')
  expect(say({ daily_budget: '100.00' })).toBe('10 a day at $25, within your budget: up to $500 a week')
  expect(say({ daily_cap: null, monthly_budget: '99.50' })).toBe(
    'Leads at $25, within your budget: up to $99.50 a week',
  )
  expect(say({}, { price: '19.50', highest_price: '40.00' })).toBe(
    '10 a day at $19.50 to $40: up to $2,000 a week',
  )
  expect(say({ daily_cap: null })).toBe('$25 a lead, without a limit: only your balance ends it')
})

test('a folded part of the form says what it holds', () => {
  const none = { weekly_cap: '', monthly_cap: '', total_cap: '', daily_budget: '', monthly_budget: '' }
  expect(sayLimits(none)).toBe('No other cap · no budget')
  expect(sayLimits({ ...none, weekly_cap: '50', daily_budget: '$100' })).toBe('50 a week, $100 a day')
  expect(sayTypedAges('', '', true)).toBe('Any age')
  expect(sayTypedAges('50', ' 85 ', true)).toBe('Ages 50 to 85, or not given')
  expect(sayTypedAges('50', '', false)).toBe('Ages from 50')
  expect(sayDates('', '')).toBe('From now on')
  expect(sayDates('2026-12-01', '2026-12-31')).toBe('From 2026-12-01 until 2026-12-31')
})

test('hours and states are described briefly, and every state belongs to a group', () => {
  expect(saySchedule(null)).toBe('At all hours')
  expect(
    saySchedule({
      mon: [['09:00', '18:00']],
      tue: [['09:00', '18:00']],
      fri: [
        ['09:00', '12:00'],
        ['22:00', '02:00'],
      ],
    }),
  ).toBe('Mon–Tue 09:00–18:00; Fri 09:00–12:00, 22:00–02:00')
  expect(sayStates(['AL', 'AK', 'AZ', 'AR', 'CA', 'CO', 'CT'])).toBe('AL, AK, AZ, AR, CA and 2 more')
  const all = groupStates('').flatMap(({ states }) => states.map(({ code }) => code))
  expect([all.length, new Set(all).size]).toEqual([STATE_COUNT, STATE_COUNT])
  expect(groupStates('new').flatMap(({ states }) => states.map(({ code }) => code))).toEqual([
    'NH',
    'NJ',
    'NY',
    'NM',
  ])
  expect(groupStates('zz')).toEqual([])
})

test('a list of states finds each of them, by code or name', () => {
  const find = (search: string) => groupStates(search).flatMap(({ states }) => states.map(({ code }) => code))
  expect(find('TX, FL,ohio')).toEqual(['OH', 'FL', 'TX'])
  expect(find(' tx fl  in ')).toEqual(['IN', 'FL', 'TX'])
  expect(find('in, me')).toEqual(['ME', 'IN'])
  expect(find('new york')).toEqual(['NY'])
})
