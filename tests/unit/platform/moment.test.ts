import { expect, test } from 'vitest'
import { momentSchema } from '#core/contract/moment.ts'

const read = (given: unknown) => momentSchema('Must be a moment').safeParse(given)

test.each([
  ['2026-12-01', '2026-12-01T00:00:00.000Z'],
  ['2026-12-01T09:00', '2026-12-01T09:00:00.000Z'],
  ['2026-12-01T09:00:00Z', '2026-12-01T09:00:00.000Z'],
  ['2026-12-01T09:00:00.123456z', '2026-12-01T09:00:00.123Z'],
  ['2026-12-01T09:00:00-05:00', '2026-12-01T14:00:00.000Z'],
  ['2026-12-01T09:00:00+0530', '2026-12-01T03:30:00.000Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
])('reads %s, in UTC if it names no zone', (given, moment) => {
  expect(read(given).data?.toISOString()).toBe(moment)
})

test.each([
  ['a day that no month has', '2026-02-30'],
  ['the same with a time', '2026-11-31T10:00:00Z'],
  ['an hour that no day has', '2026-12-01T25:00:00Z'],
  ['another form, which each machine would read in its own zone', '12/01/2026'],
  ['words', 'December 1, 2026'],
  ['a number', '1764547200000'],
  ['nothing', ''],
  ['no text', null],
  ['a year before all that is kept', '1899-12-31'],
  ['the last year of four digits, which is over elsewhere', '9999-12-31T23:59:59Z'],
])('refuses %s', (_what, given) => {
  expect(read(given).error?.issues.map(({ message }) => message)).toEqual(['Must be a moment'])
})
