import { expect, test } from 'vitest'
import { secondsToMailServer } from '#core/domain/webhooks/by-mail/mail-server-retries.ts'
import { describeTestMailLimit } from '#core/domain/webhooks/by-mail/test-mail-limits.ts'

const NOW = new Date('2026-01-31T17:05:00Z')
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 24 * 3_600_000)
const EXACT = { jitter: 0, random: 0 }

test('tries a mail server that takes no mail after growing pauses, up to a quarter of an hour', () => {
  const waits = Array.from({ length: 11 }, (_, count) =>
    secondsToMailServer({ count, since: daysAgo(1) }, NOW, EXACT),
  )
  expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  expect(secondsToMailServer({ count: 5000, since: daysAgo(4.99) }, NOW, EXACT)).toBe(900)
  expect(secondsToMailServer({ count: 0, since: null }, NOW, { jitter: 0.2, random: 0 })).toBeCloseTo(1.6)
})

test('gives a mail up after five days', () => {
  expect(secondsToMailServer({ count: 480, since: daysAgo(5) }, NOW, EXACT)).toBeUndefined()
})

test('says when a test mail may be sent again', () => {
  expect(describeTestMailLimit(60)).toMatch(/ Try again in 1 minute\.$/)
  expect(describeTestMailLimit(3540.5)).toMatch(/ Try again in 60 minutes\.$/)
  expect(describeTestMailLimit(7 * 3600)).toMatch(/ Try again in 7 hours\.$/)
})
