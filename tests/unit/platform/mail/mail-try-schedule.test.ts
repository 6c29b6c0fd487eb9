import { expect, test } from 'vitest'
import { judgeMailTry, secondsToNextTry } from '#core/domain/mail/try-schedule.ts'

const now = new Date('2026-11-01T09:00:00.000Z')
const later = new Date('2026-11-01T09:05:00.000Z')

test('a notice is tried eight times within 23 hours', () => {
  const waits = Array.from({ length: 8 }, (_, index) =>
    secondsToNextTry({ tries: index + 1, expiresAt: undefined }),
  )
  expect(waits.slice(0, 3)).toEqual([60, 300, 900])
  expect(waits.at(-1)).toBeUndefined()
  expect(waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0)).toBeLessThan(23 * 3600)
})

test('a mail that a person waits for is tried five times within the life of a code, and again until it expires', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 2000].map((tries) => secondsToNextTry({ tries, expiresAt: later }))
  expect(waits).toEqual([10, 20, 40, 80, 160, 300, 300, 300])
})

test('an expired mail, a mail without a recipient and a notice after its last try are not sent', () => {
  const made = { tries: 1, address: 'client@example.com', expiresAt: undefined, now }
  expect(judgeMailTry(made)).toBe('send')
  expect(judgeMailTry({ ...made, tries: 8 })).toBe('send')
  expect(judgeMailTry({ ...made, tries: 9 })).toBe('interrupted')
  expect(judgeMailTry({ ...made, tries: 9, expiresAt: later })).toBe('send')
  expect(judgeMailTry({ ...made, expiresAt: now })).toBe('expired')
  expect(judgeMailTry({ ...made, address: '' })).toBe('no_address')
})
