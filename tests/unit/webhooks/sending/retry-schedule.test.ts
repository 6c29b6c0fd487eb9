import { describe, expect, it } from 'vitest'
import { loadConfig } from '#core/config/config.ts'
import {
  MAX_RETRY_AFTER_SECONDS,
  maxAttempts,
  readRetryAfter,
  secondsToNextAttempt,
} from '#core/domain/webhooks/retry-schedule.ts'

const { webhooks } = loadConfig({ DATABASE_URL: 'postgres://db/leadwire', REDIS_URL: 'redis://cache' })
const schedule = { stepSeconds: webhooks.retryScheduleSeconds, jitter: webhooks.retryJitter }
const now = new Date('2026-01-31T12:00:00Z')

describe('the wait after a failed attempt', () => {
  it('is the documented schedule by default: eight attempts', () => {
    const middle = [1, 2, 3, 4, 5, 6, 7].map((attempt) =>
      secondsToNextAttempt(schedule, attempt, undefined, 0.5),
    )
    expect(middle).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000])
    expect(maxAttempts(schedule)).toBe(8)
  })

  it('ends after the last attempt, whatever the endpoint asks for', () => {
    expect(secondsToNextAttempt(schedule, 8, undefined, 0.5)).toBeUndefined()
    expect(secondsToNextAttempt(schedule, 8, 60, 0.5)).toBeUndefined()
    expect(secondsToNextAttempt(schedule, 9, undefined, 0.5)).toBeUndefined()
    expect(secondsToNextAttempt({ stepSeconds: [], jitter: 0 }, 1, undefined, 0)).toBeUndefined()
  })

  it('stays within a fifth of its step', () => {
    for (const [index, step] of schedule.stepSeconds.entries()) {
      expect(secondsToNextAttempt(schedule, index + 1, undefined, 0)).toBeCloseTo(step * 0.8, 6)
      expect(secondsToNextAttempt(schedule, index + 1, undefined, 1 - 1e-12)).toBeCloseTo(step * 1.2, 3)
    }
  })

  it('is exactly its step without jitter', () => {
    const exact = { ...schedule, jitter: 0 }
    expect([0, 0.3, 0.999].map((random) => secondsToNextAttempt(exact, 2, undefined, random))).toEqual([
      300, 300, 300,
    ])
  })

  it.each([
    [0, 5],
    [1, 5],
    [60, 60],
    [86_400, 86_400],
    [86_401, MAX_RETRY_AFTER_SECONDS],
    [1e9, MAX_RETRY_AFTER_SECONDS],
    [Infinity, MAX_RETRY_AFTER_SECONDS],
  ])('with Retry-After %s is %s seconds: at least the step, at most a day', (asked, wait) => {
    expect(secondsToNextAttempt(schedule, 1, asked, 0.5)).toBe(wait)
  })
})

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120],
    [' 120 ', 120],
    ['007', 7],
    ['1000000000', 1e9],
    ['99999999999', 99_999_999_999],
    ['Sat, 31 Jan 2026 12:02:00 GMT', 120],
    ['Saturday, 31-Jan-26 12:02:00 GMT', 120],
    ['Sat Jan 31 12:02:00 2026', 120],
    ['Sun Feb  1 12:00:00 2026', 86_400],
    ['Sat, 31 Jan 2026 12:00:00 GMT', 0],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['Sat, 28 Feb 2026 12:00:00 GMT', 28 * 86_400],
  ])('reads %j as %s seconds', (value, seconds) => {
    expect(readRetryAfter(value, now)).toBe(seconds)
  })

  it('reads a date without a zone as UTC, whatever the machine’s zone', () => {
    const zone = process.env['TZ']
    process.env['TZ'] = 'America/Chicago'
    try {
      expect(now.getTimezoneOffset()).toBe(360)
      expect(readRetryAfter('Sat Jan 31 12:02:00 2026', now)).toBe(120)
    } finally {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    }
  })

  it('keeps a duration that is too large for a number, and the cap limits it', () => {
    expect(readRetryAfter('9'.repeat(400), now)).toBe(Infinity)
  })

  it.each([
    undefined,
    '',
    ' ',
    '-1',
    '+5',
    '1.5',
    '1e9',
    '0x10',
    '1,000',
    '5s',
    '5; 6',
    'soon',
    'NaN',
    'Infinity',
    'Mar 5',
    'Mon, 5',
    'Jan 31 2099',
    '2026-01-31T12:02:00Z',
    'Sat, 31 Jan 2026 12:02:00',
    'Sat, 31 Jan 2026 12:02:00 PST',
    'Sat, 31 Foo 2026 12:02:00 GMT',
    'Sat, 99 Jan 2026 99:02:00 GMT',
  ])('does not read %j', (value) => {
    expect(readRetryAfter(value, now)).toBeUndefined()
  })
})
