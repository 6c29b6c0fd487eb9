import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { MOST_WINDOWS, orderScheduleSchema } from '#core/contract/market/order-schedule.ts'
import type { Schedule } from '#core/contract/market/schedule.ts'
import { sendingHoursSchema, type SendingHours } from '#core/contract/webhooks/sending-hours.ts'
import {
  findSendingTime,
  isOpening,
  isSendingTime,
} from '#core/domain/webhooks/sending-hours/find-sending-time.ts'
import { retimeDelivery } from '#core/domain/webhooks/sending-hours/retime-delivery.ts'
import { wordHours } from '#core/domain/webhooks/sending-hours/word-hours.ts'
import { moments, paintWeek, schedules, weekMinute } from '../../market/wall-clock.ts'

const MINUTE = 60_000
const WORK = sendingHoursSchema.parse({
  timezone: 'America/Chicago',
  schedule: Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, [['09:00', '17:00']]])),
})
const fractions = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 8 })
// Zones for each way in which clocks change; tests/unit/market/schedule.test.ts covers every zone.
const zones: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('America/New_York', 'America/Chicago', 'America/Phoenix', 'Pacific/Honolulu', 'UTC'),
  fc.constantFrom('Australia/Lord_Howe', 'America/St_Johns', 'Asia/Kathmandu', 'Africa/Casablanca'),
)
const hours: fc.Arbitrary<SendingHours & { schedule: Schedule }> = fc
  .tuple(
    zones,
    schedules.map((schedule) => orderScheduleSchema.safeParse(leaveOutOverlaps(schedule)).data),
  )
  .filter((pair): pair is [string, Schedule] => pair[1] !== undefined)
  .map(([timezone, schedule]) => ({ timezone, schedule }))

/** Removes overlaps. Most random schedules have some, and redrawing them would take most of the time. */
function leaveOutOverlaps(schedule: Schedule): Schedule {
  const issues = orderScheduleSchema.safeParse(schedule).error?.issues ?? []
  const refused = new Set(issues.map(({ path }) => path.join(' ')))
  const days = Object.entries(schedule).map(([day, windows]) => [
    day,
    windows.filter((_window, index) => !refused.has(`${day} ${index}`)),
  ])
  return Object.fromEntries(days) as Schedule
}

/** Decides by the wall clock and a week of marked minutes. */
const isOpenThere = ({ timezone, schedule }: SendingHours & { schedule: Schedule }, at: Date): boolean =>
  paintWeek(schedule).has(weekMinute(timezone, at))

describe('sending hours', { timeout: 120_000 }, () => {
  it('open when the wall clock says so, in 10,000 random zones, weeks and days of changing clocks', () => {
    fc.assert(
      fc.property(hours, moments, fractions, (given, from, places) => {
        const found = findSendingTime(given, null, from)
        if (isOpenThere(given, from)) return found === from
        const wait = found.getTime() - from.getTime()
        const between = [...places.map((place) => from.getTime() + place * wait), found.getTime() - 1]
        return (
          isOpenThere(given, found) &&
          found.getTime() % MINUTE === 0 &&
          isOpening(given, found) &&
          !between.some((time) => isOpenThere(given, new Date(time)))
        )
      }),
      { numRuns: 10_000 },
    )
  })

  it.each([
    // Mon–Fri 9 to 5 in Chicago: before, inside, the second at which they end, and a Friday evening.
    ['2026-03-05T14:59:30Z', '2026-03-05T15:00:00.000Z'],
    ['2026-03-05T15:00:00Z', '2026-03-05T15:00:00.000Z'],
    ['2026-03-05T22:59:59Z', '2026-03-05T22:59:59.000Z'],
    ['2026-03-05T23:00:00Z', '2026-03-06T15:00:00.000Z'],
    // The clocks go forward on Sunday: nine on Monday is an hour earlier in UTC.
    ['2026-03-06T23:00:00Z', '2026-03-09T14:00:00.000Z'],
  ])('of a working week: a delivery due at %s is sent at %s', (from, opens) => {
    expect(findSendingTime(WORK, null, new Date(from)).toISOString()).toBe(opens)
    expect(isOpening(WORK, new Date(opens))).toBe(from !== opens && opens.endsWith(':00:00.000Z'))
  })

  it('over midnight belong to the day on which they begin', () => {
    const night = sendingHoursSchema.parse({
      timezone: 'America/New_York',
      schedule: { fri: [['22:00', '02:00']] },
    })
    const at = (text: string) => isSendingTime(night, null, new Date(text))
    expect([
      at('2026-03-07T02:59Z'),
      at('2026-03-07T03:00Z'),
      at('2026-03-07T06:59Z'),
      at('2026-03-07T07:00Z'),
    ]).toEqual([false, true, true, false])
  })

  it('of a minute that the clocks skip open a week later', () => {
    const gap = sendingHoursSchema.parse({
      timezone: 'America/Chicago',
      schedule: { sun: [['02:15', '02:45']] },
    })
    expect(findSendingTime(gap, null, new Date('2026-03-08T08:00Z')).toISOString()).toBe(
      '2026-03-15T07:15:00.000Z',
    )
  })

  it('that change move waiting deliveries, but keep the time of a retry that still fits', () => {
    const now = new Date('2026-03-05T02:00:00Z')
    const opening = new Date('2026-03-05T15:00:00Z')
    const retry = new Date('2026-03-05T18:30:15.250Z')
    const early = sendingHoursSchema.parse({ timezone: 'UTC', schedule: { thu: [['05:00', '12:00']] } })
    const move = (planned: Date, after: SendingHours | null) =>
      retimeDelivery(planned, { before: WORK, after, now })
    expect(move(opening, null)).toEqual(now)
    expect(move(opening, early).toISOString()).toBe('2026-03-05T05:00:00.000Z')
    expect(move(retry, null)).toEqual(retry)
    expect(move(retry, early).toISOString()).toBe('2026-03-12T05:00:00.000Z')
    expect(retimeDelivery(retry, { before: null, after: WORK, now })).toEqual(retry)
    // Saving unchanged hours moves nothing: this delivery waits for the opening of a later day.
    const later = new Date('2026-03-06T15:00:00Z')
    expect(move(later, { ...WORK })).toEqual(later)
  })

  it('are described in one line', () => {
    expect(wordHours(WORK)).toBe('Mon–Fri 9:00 AM to 5:00 PM (America/Chicago)')
    const mixed = {
      mon: [['00:00', '24:00']],
      wed: [
        ['09:00', '12:00'],
        ['13:00', '17:30'],
      ],
    }
    expect(wordHours(sendingHoursSchema.parse({ timezone: 'UTC', schedule: mixed }))).toBe(
      'Mon 12:00 AM to 12:00 AM, Wed 9:00 AM to 12:00 PM and 1:00 PM to 5:30 PM (UTC)',
    )
  })

  it.each([5, 13])('with %i windows in a day are refused, and the limit is named', (count) => {
    const mon = Array.from({ length: count }, (_, hour) => {
      const begin = String(hour).padStart(2, '0')
      return [`${begin}:00`, `${begin}:30`]
    })
    const { error } = sendingHoursSchema.safeParse({ timezone: 'America/Chicago', schedule: { mon } })
    expect(error?.issues.map(({ path, message }) => ({ path, message }))).toEqual([
      { path: ['schedule', 'mon'], message: `At most ${MOST_WINDOWS} windows a day` },
    ])
  })

  it('have the limit of windows a day in their JSON Schema', () => {
    const described = z.toJSONSchema(sendingHoursSchema, { io: 'input', unrepresentable: 'any' })
    expect(JSON.stringify(described)).toContain(`"maxItems":${MOST_WINDOWS},"type":"array"`)
  })
})
