import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scheduleSchema } from '#core/contract/market/schedule.ts'
import { addDays, localMoment, nextMonth, whenDateBegins } from '#core/domain/market/local-moment.ts'
import { findOpening, isScheduleOpen } from '#core/domain/market/schedule.ts'
import { CASES, moments, paintWeek, schedules, spell, weekMinute, zones } from './wall-clock.ts'

const NEW_YORK = 'America/New_York'

// Ten thousand cases take a while on a busy machine.
describe('the local time in a zone', { timeout: 180_000 }, () => {
  test('agrees with the wall clock and the calendar of the zone', () => {
    fc.assert(
      fc.property(zones, moments, (zone, at) => {
        const { date, minute, weekday, monday, firstOfMonth } = localMoment(zone, at)
        const clock = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0'))
        expect(`${date} ${clock.join(':')}`).toBe(spell(zone, at))
        expect(weekday).toBe(
          new Intl.DateTimeFormat('en-US', { timeZone: zone, weekday: 'short' }).format(at).toLowerCase(),
        )
        expect(new Date(monday).getUTCDay()).toBe(1)
        expect([monday <= date, addDays(monday, 7) > date]).toEqual([true, true])
        expect(firstOfMonth).toBe(date.replace(/..$/, '01'))
        expect(nextMonth(date) > date && nextMonth(date) <= addDays(firstOfMonth, 31)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('of a date is its first moment, even if the clocks skip midnight', () => {
    fc.assert(
      fc.property(zones, moments, (zone, at) => {
        const { date } = localMoment(zone, at)
        const begin = whenDateBegins(zone, date)
        expect(localMoment(zone, begin).date).toBe(date)
        expect(localMoment(zone, new Date(begin.getTime() - 1)).date < date).toBe(true)
      }),
      { numRuns: 2000 },
    )
    expect(whenDateBegins(NEW_YORK, '2026-03-09').toISOString()).toBe('2026-03-09T04:00:00.000Z')
    expect(whenDateBegins('Africa/Cairo', '2026-04-24').toISOString()).toBe('2026-04-23T22:00:00.000Z')
  })

  test('is UTC in an unknown zone', () => {
    const at = new Date('2026-11-30T23:59:59Z')
    expect(localMoment('Mars/Olympus', at)).toEqual({
      date: '2026-11-30',
      weekday: 'mon',
      minute: 1439,
      monday: '2026-11-30',
      firstOfMonth: '2026-11-01',
    })
  })
})

describe('a schedule', { timeout: 180_000 }, () => {
  test('is open exactly in the minutes of its windows, even when clocks change', () => {
    fc.assert(
      fc.property(schedules, zones, moments, (schedule, zone, at) => {
        expect(isScheduleOpen(schedule, localMoment(zone, at))).toBe(
          paintWeek(schedule).has(weekMinute(zone, at)),
        )
      }),
      CASES,
    )
  })

  test('opens at its first open minute', () => {
    const within = fc.integer({ min: 0, max: 90 }).map((minutes) => minutes * 60_000)
    fc.assert(
      fc.property(schedules, zones, moments, within, (schedule, zone, at, withinMs) => {
        const open = paintWeek(schedule)
        let expected: Date | undefined
        const begin = Math.ceil(at.getTime() / 60_000) * 60_000
        for (let time = begin; time <= at.getTime() + withinMs && expected === undefined; time += 60_000)
          if (open.has(weekMinute(zone, new Date(time)))) expected = new Date(time)
        expect(findOpening(schedule, zone, at, withinMs)).toEqual(expected)
      }),
      CASES,
    )
  })

  test('opens at its first open minute, even days later', () => {
    const within = fc.integer({ min: 0, max: 3 * 1440 }).map((minutes) => minutes * 60_000)
    fc.assert(
      fc.property(schedules, zones, moments, within, (schedule, zone, at, withinMs) => {
        const open = paintWeek(schedule)
        let time = Math.ceil(at.getTime() / 60_000) * 60_000
        while (time <= at.getTime() + withinMs && !open.has(weekMinute(zone, new Date(time)))) time += 60_000
        const expected = time <= at.getTime() + withinMs ? new Date(time) : undefined
        expect(findOpening(schedule, zone, at, withinMs)).toEqual(expected)
      }),
      // Each case walks through several days.
      { numRuns: 300 },
    )
  })

  test('finds the next opening from any day of the week, and none without a window', () => {
    const friday = new Date('2026-03-06T23:00:00Z')
    expect(findOpening({ fri: [['09:00', '18:00']] }, NEW_YORK, friday)?.toISOString()).toBe(
      '2026-03-13T13:00:00.000Z',
    )
    expect(findOpening({}, NEW_YORK, friday)).toBeUndefined()
    // 02:15 to 02:45 is skipped on that Sunday.
    expect(findOpening({ sun: [['02:15', '02:45']] }, NEW_YORK, friday, 3 * 86_400_000)).toBeUndefined()
    expect(findOpening({ sun: [['02:15', '05:00']] }, NEW_YORK, friday)?.toISOString()).toBe(
      '2026-03-08T07:00:00.000Z',
    )
  })

  test('counts a window past midnight to the day on which it began', () => {
    const nights = { fri: [['22:00', '02:00']] } satisfies Record<string, [string, string][]>
    const isOpen = (at: string): boolean => isScheduleOpen(nights, localMoment('UTC', new Date(at)))
    expect(['2026-11-27T21:59Z', '2026-11-27T22:00Z', '2026-11-28T01:59Z'].map(isOpen)).toEqual([
      false,
      true,
      true,
    ])
    expect(['2026-11-28T02:00Z', '2026-11-27T01:00Z', '2026-11-28T22:30Z'].map(isOpen)).toEqual([
      false,
      false,
      false,
    ])
  })

  test('is refused if it names no valid day or time', () => {
    for (const wrong of [{ monday: [] }, { mon: [['9:00', '18:00']] }, { mon: [['24:00', '24:00']] }])
      expect(scheduleSchema.safeParse(wrong).success).toBe(false)
    expect(scheduleSchema.safeParse({ mon: [['09:00', '24:00']], sun: [] }).success).toBe(true)
  })
})
