import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Whereabouts } from '#core/domain/leads/call-zones.ts'
import { FEDERAL_RULE, ruleOf, STATE_RULES } from '#core/domain/leads/calling/call-rules.ts'
import { STATE_SOURCES } from '#core/domain/leads/calling/call-sources.ts'
import {
  findCallableTime,
  findCallingWindow,
  isCallable,
  writeCallTimes,
} from '#core/domain/leads/calling/calling-window.ts'
import { STATE_ZONES } from '#core/domain/leads/us-zones.ts'

const of = (state: string | null, more: Partial<Whereabouts> = {}): Whereabouts => ({
  timezone: null,
  zip: null,
  state,
  ...more,
})
const timesOf = (where: Whereabouts, at: string) => {
  const { callable_from: from, callable_until: until } = writeCallTimes(where, new Date(at))
  return [from, until]
}

describe('the present or the next calling hours', () => {
  it.each([
    [
      'a state without a rule has the federal hours',
      'CA',
      '2026-06-10T20:00Z',
      '2026-06-10T08:00:00-07:00',
      '2026-06-10T21:00:00-07:00',
    ],
    [
      'Florida ends at eight',
      'FL',
      '2026-06-11T01:00Z',
      '2026-06-11T09:00:00-04:00',
      '2026-06-11T20:00:00-04:00',
    ],
    [
      'Oklahoma ends at eight',
      'OK',
      '2026-06-11T01:30Z',
      '2026-06-11T08:00:00-05:00',
      '2026-06-11T20:00:00-05:00',
    ],
    [
      'Alabama has none on a Sunday',
      'AL',
      '2026-06-14T16:00Z',
      '2026-06-15T08:00:00-05:00',
      '2026-06-15T20:00:00-05:00',
    ],
    [
      'nor on its own holidays',
      'AL',
      '2026-04-27T16:00Z',
      '2026-04-28T08:00:00-05:00',
      '2026-04-28T20:00:00-05:00',
    ],
    [
      'Rhode Island has none over Thanksgiving',
      'RI',
      '2026-11-26T16:00Z',
      '2026-11-27T09:00:00-05:00',
      '2026-11-27T18:00:00-05:00',
    ],
    [
      'and short ones on Saturday',
      'RI',
      '2026-11-28T16:00Z',
      '2026-11-28T10:00:00-05:00',
      '2026-11-28T17:00:00-05:00',
    ],
    [
      'Utah rests on Pioneer Day',
      'UT',
      '2026-07-24T18:00Z',
      '2026-07-25T08:00:00-06:00',
      '2026-07-25T21:00:00-06:00',
    ],
    [
      'Pennsylvania on Election Day',
      'PA',
      '2026-11-03T18:00Z',
      '2026-11-04T09:00:00-05:00',
      '2026-11-04T19:00:00-05:00',
    ],
    [
      'Michigan begins at nine, in both of its zones',
      'MI',
      '2026-06-10T12:30Z',
      '2026-06-10T10:00:00-04:00',
      '2026-06-10T21:00:00-04:00',
    ],
    [
      'a year ends with a holiday',
      'AL',
      '2026-01-01T02:30Z',
      '2026-01-02T08:00:00-06:00',
      '2026-01-02T20:00:00-06:00',
    ],
    [
      'spring: the day of the change',
      'CA',
      '2026-03-08T09:00Z',
      '2026-03-08T08:00:00-07:00',
      '2026-03-08T21:00:00-07:00',
    ],
    [
      'autumn: the day of the change',
      'CA',
      '2026-11-01T08:30Z',
      '2026-11-01T08:00:00-08:00',
      '2026-11-01T21:00:00-08:00',
    ],
  ])('%s', (_what, state, at, from, until) => {
    expect(timesOf(of(state), at)).toEqual([from, until])
  })

  it('Texas begins at noon on Sundays, and needs both of its zones unless ZIP or area code decides', () => {
    const sunday = '2026-06-14T15:00Z'
    expect(timesOf(of('TX', { zip: '75201' }), sunday)[0]).toBe('2026-06-14T12:00:00-05:00')
    expect(timesOf(of('TX'), sunday)).toEqual(['2026-06-14T13:00:00-05:00', '2026-06-14T21:00:00-05:00'])
    expect(timesOf(of('TX', { phone: '+19155550143' }), sunday)).toEqual([
      '2026-06-14T12:00:00-06:00',
      '2026-06-14T21:00:00-06:00',
    ])
    // A number of another state may have moved.
    expect(timesOf(of('TX', { phone: '+13055550143' }), sunday)[0]).toBe('2026-06-14T13:00:00-05:00')
  })

  it('Arizona keeps two clocks in summer, unless ZIP or area code says that it is not the Navajo Nation', () => {
    const evening = '2026-07-02T02:30Z'
    expect(timesOf(of('AZ', { zip: '85004' }), evening)[1]).toBe('2026-07-01T21:00:00-07:00')
    expect(timesOf(of('AZ', { phone: '+16025550143' }), evening)[1]).toBe('2026-07-01T21:00:00-07:00')
    expect(timesOf(of('AZ'), evening)[1]).toBe('2026-07-01T20:00:00-07:00')
    expect(timesOf(of('AZ'), '2026-01-14T18:00Z')[1]).toBe('2026-01-14T21:00:00-07:00')
  })

  it('is unknown without a place, and then holds nothing back', () => {
    const at = new Date('2026-06-14T03:00Z')
    expect(writeCallTimes(of(null), at)).toEqual({
      callable_from: null,
      callable_until: null,
      local_time: null,
    })
    expect(findCallableTime(of('AE'), at)).toEqual(at)
  })

  it('gives the local time with its offset', () => {
    expect(writeCallTimes(of('HI'), new Date('2027-01-01T05:59:59Z')).local_time).toBe(
      '2026-12-31T19:59:59-10:00',
    )
  })
})

it('agrees with itself in every state at any moment: open inside the window, and at its opening', () => {
  const states = fc.constantFrom(...Object.keys(STATE_ZONES))
  const moments = fc.date({ min: new Date('2025-12-20'), max: new Date('2028-01-10'), noInvalidDate: true })
  fc.assert(
    fc.property(states, moments, (state, at) => {
      const where = of(state)
      const window = findCallingWindow(where, at)
      if (window === undefined) throw new Error('no window')
      expect(window.isOpen).toBe(isCallable(where, at))
      expect(window.until.getTime()).toBeGreaterThan(at.getTime())
      expect(isCallable(where, window.from)).toBe(true)
      expect(isCallable(where, window.until)).toBe(false)
      const callable = findCallableTime(where, at)
      expect(callable).toEqual(window.isOpen ? at : window.from)
    }),
    { numRuns: 400 },
  )
})

it('no rule is wider than the federal one, and each names its law, page and date', () => {
  for (const state of Object.keys(STATE_RULES)) {
    const { weekdays, saturday, sunday } = ruleOf(state)
    const { law, url, checked } = STATE_SOURCES[state] ?? { law: '', url: '', checked: '' }
    for (const hours of [weekdays, saturday, sunday]) {
      if (hours === null) continue
      expect(hours[0]).toBeGreaterThanOrEqual(8)
      expect(hours[1]).toBeLessThanOrEqual(21)
    }
    expect([law.length > 5, URL.canParse(url), /^\d{4}-\d{2}-\d{2}$/.test(checked)]).toEqual([
      true,
      true,
      true,
    ])
  }
  expect(ruleOf('CA')).toBe(FEDERAL_RULE)
  expect(ruleOf('toString')).toBe(FEDERAL_RULE)
})
