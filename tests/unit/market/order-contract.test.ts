import { expect, test } from 'vitest'
import { newOrderSchema, orderChangeSchema } from '#core/contract/market/order.ts'
import { findOrderFaults, findStateFaults } from '#core/domain/market/orders/check-order.ts'

const LEAST = { name: 'Texas seniors', lead_type: 'final_expense', timezone: 'America/Chicago' }
const read = (given: Record<string, unknown>) => newOrderSchema.safeParse({ ...LEAST, ...given })

test('an order needs a name and a type, and begins without limits, paused', () => {
  expect(read({ name: ' Texas seniors ' }).data).toMatchObject({
    ...LEAST,
    states: [],
    max_lead_age_minutes: null,
    daily_cap: null,
    schedule: null,
    when_undelivered: 'keep',
    active: false,
  })
})

test('states are unique codes in order, money has two decimals, and times are in UTC', () => {
  const { data } = read({
    states: ['tx', ' CA', 'TX'],
    daily_budget: 250,
    monthly_budget: '5000.5',
    starts_at: '2026-12-01T09:00:00-06:00',
  })
  expect(data).toMatchObject({
    states: ['CA', 'TX'],
    daily_budget: '250.00',
    monthly_budget: '5000.50',
    starts_at: '2026-12-01T15:00:00.000Z',
  })
})

test.each([
  ['night shift', { mon: [['22:00', '06:00']], tue: [['06:00', '07:00']] }],
  [
    'two of one day that only seem to meet',
    {
      mon: [
        ['22:00', '02:00'],
        ['01:00', '03:00'],
      ],
    },
  ],
  ['Sunday into Monday', { sun: [['20:00', '02:00']], mon: [['02:00', '03:00']] }],
  ['four a day', { wed: ['01', '02', '03', '04'].map((hour) => [`${hour}:00`, `${hour}:30`]) }],
  ['the whole day', { sat: [['00:00', '24:00']], sun: [['00:00', '00:00']] }],
])('a schedule may contain: %s', (_what, schedule) => {
  expect(read({ schedule }).success).toBe(true)
})

const windows = (...list: [string, string][]) => ({ schedule: { mon: list } })
test.each<[Record<string, unknown>, string]>([
  [{ name: ' ' }, 'name'],
  [{ name: 'x'.repeat(81) }, 'name'],
  [{ states: ['Texas'] }, 'states.0'],
  [{ states: 'TX' }, 'states'],
  [{ age_min: -1 }, 'age_min'],
  [{ age_max: 121 }, 'age_max'],
  [{ age_max: 60.5 }, 'age_max'],
  [{ max_lead_age_minutes: 0 }, 'max_lead_age_minutes'],
  [{ max_lead_age_minutes: 1.5 }, 'max_lead_age_minutes'],
  [{ max_lead_age_minutes: '15' }, 'max_lead_age_minutes'],
  [{ max_lead_age_minutes: 43_201 }, 'max_lead_age_minutes'],
  [{ daily_cap: 0 }, 'daily_cap'],
  [{ daily_cap: 1.5 }, 'daily_cap'],
  [{ daily_cap: '10' }, 'daily_cap'],
  [{ weekly_cap: 100_001 }, 'weekly_cap'],
  [{ daily_budget: 25.005 }, 'daily_budget'],
  [{ daily_budget: -5 }, 'daily_budget'],
  [{ daily_budget: 0 }, 'daily_budget'],
  [{ daily_budget: 1e9 }, 'daily_budget'],
  [{ monthly_budget: 'many' }, 'monthly_budget'],
  [{ timezone: 'Mars/Olympus' }, 'timezone'],
  [{ timezone: '+05:00' }, 'timezone'],
  [{ timezone: 'AST' }, 'timezone'],
  [{ timezone: 'pst' }, 'timezone'],
  [{ timezone: 'SystemV/AST4' }, 'timezone'],
  [{ timezone: '' }, 'timezone'],
  [{ starts_at: 'tomorrow' }, 'starts_at'],
  [{ starts_at: 1_800_000_000 }, 'starts_at'],
  [{ excluded_sources: ['landing'] }, 'excluded_sources.0'],
  [{ when_undelivered: 'burn' }, 'when_undelivered'],
  [{ schedule: {} }, 'schedule'],
  [{ schedule: { mon: [] } }, 'schedule'],
  [{ schedule: { monday: [['09:00', '18:00']], mon: [['09:00', '18:00']] } }, 'schedule'],
  [windows(['9:00', '18:00']), 'schedule.mon.0.0'],
  [windows(['09:00', '25:00']), 'schedule.mon.0.1'],
  [windows(['09:00', '18:00'], ['17:59', '20:00']), 'schedule.mon.1'],
  [windows(['09:00', '18:00'], ['09:00', '10:00']), 'schedule.mon.1'],
  [{ schedule: { sun: [['20:00', '02:00']], mon: [['01:59', '03:00']] } }, 'schedule.mon.0'],
  [
    { schedule: { mon: [['00:00', '00:00']], tue: [['00:00', '01:00']], sun: [['23:00', '00:01']] } },
    'schedule.mon.0',
  ],
  [
    { schedule: { fri: ['01', '02', '03', '04', '05'].map((hour) => [`${hour}:00`, `${hour}:30`]) } },
    'schedule.fri',
  ],
])('refuses %j at %s', (given, path) => {
  expect(read(given).error?.issues.map((issue) => issue.path.join('.'))).toEqual([path])
})

test('schedules with the same hours are equal, in any order and with any empty days', () => {
  const schedule = {
    tue: [
      ['13:00', '18:00'],
      ['09:00', '12:00'],
    ],
    sat: [],
    mon: [['09:00', '18:00']],
  }
  expect(JSON.stringify(read({ schedule }).data?.schedule)).toBe(
    '{"mon":[["09:00","18:00"]],"tue":[["09:00","12:00"],["13:00","18:00"]]}',
  )
})

test('a change needs the version that was read, and leaves other fields unchanged', () => {
  expect(orderChangeSchema.safeParse({ name: 'Other' }).success).toBe(false)
  expect(orderChangeSchema.parse({ version: 3, daily_cap: null })).toEqual({ version: 3, daily_cap: null })
})

test('minimum and maximum of ages and dates are in order, and states need a licence', () => {
  const none = {
    age_min: null,
    age_max: null,
    starts_at: null,
    ends_at: null,
    near_zip: null,
    near_miles: null,
  }
  expect(findOrderFaults(none)).toEqual([])
  expect(findOrderFaults({ ...none, near_zip: '75201' })[0]?.path).toBe('near_miles')
  expect(findOrderFaults({ ...none, near_miles: 5 })[0]?.path).toBe('near_zip')
  const wrong = { ...none, age_min: 70, age_max: 60, starts_at: '2026-12-01T00:00:00.000Z' }
  const faults = findOrderFaults({ ...wrong, ends_at: '2026-12-01T00:00:00.000Z' })
  expect(faults.map(({ path }) => path)).toEqual(['age_max', 'ends_at'])
  expect(findStateFaults(['CA', 'PR', 'ZZ'], [])).toEqual([
    { path: 'states.2', message: 'ZZ is no US state or territory' },
  ])
  expect(findStateFaults(['CA', 'TX'], ['TX'])).toEqual([
    { path: 'states.0', message: 'Your account has no licence for California' },
  ])
})
