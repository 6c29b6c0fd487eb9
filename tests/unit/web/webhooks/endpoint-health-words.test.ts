import { expect, test } from 'vitest'
import { countWaiting, describeDay, describeLastResult } from '#web/webhooks/health/endpoint-health-words.ts'
import { describeUnsent } from '#web/components/describe-unsent.ts'
import { formatRate } from '#web/format/format-rate.ts'

test.each([
  [null, '–'],
  [1, '100%'],
  [0, '0%'],
  [0.99949, '99.9%'],
  [0.9999, '> 99.9%'],
  [0.35999, '36%'],
  [0.925, '92.5%'],
])('a success rate of %s is shown as %s', (rate, text) => {
  expect(formatRate(rate)).toBe(text)
})

const result = (last_status: number | null, last_error_class: string | null) =>
  describeLastResult({ last_attempt_at: '2026-11-01T08:00:00Z', last_status, last_error_class })

test('the last result is a code or the reason why there is none; before the first attempt it is empty', () => {
  expect(result(200, null)).toEqual({ text: '200', tone: 'success' })
  expect(result(200, 'rejected')).toEqual({ text: '200', tone: 'failure' })
  expect(result(200, 'refused_by_body')).toEqual({ text: '200, refused', tone: 'failure' })
  expect(result(200, 'reset')).toEqual({ text: '200, broken off', tone: 'failure' })
  expect(result(200, 'timeout')).toEqual({ text: '200, timed out', tone: 'failure' })
  expect(result(null, 'timeout')).toEqual({ text: 'Timed out', tone: 'failure' })
  expect(result(null, 'something new')).toEqual({ text: 'No answer', tone: 'failure' })
  expect(describeLastResult({ last_attempt_at: null, last_status: null, last_error_class: null })).toBeNull()
})

test('the sparkline is described in words', () => {
  const day = { lost: 0, tried: 0, skipped: 0, success_rate: null, p50_ms: null, p95_ms: null }
  expect(describeDay({ ...day, delivered: 1204, failed: 1 })).toBe(
    'Last 24 hours: 1,204 delivered, 1 failed attempt',
  )
  expect(describeDay({ ...day, delivered: 0, failed: 0 })).toBe('Last 24 hours: no attempts')
})

test('waiting deliveries are counted, with a plus sign above the limit', () => {
  expect(countWaiting({ waiting: 1, waiting_more: false })).toBe('1 delivery')
  expect(countWaiting({ waiting: 10_000, waiting_more: true })).toBe('10,000+ deliveries')
})

test.each([
  [0, false, 0, 'Nothing waits.'],
  [1, false, 0, '1 delivery waits; nothing is lost.'],
  [10_000, true, 0, '10,000+ deliveries wait; nothing is lost.'],
  [
    25,
    false,
    8,
    '25 deliveries wait; 8 failed for good in 24 hours: “Resend failed since…” in the log sends them again.',
  ],
  [
    0,
    false,
    1,
    'Nothing waits; 1 failed for good in 24 hours: “Resend failed since…” in the log sends it again.',
  ],
])(
  'with %s waiting (more: %s) and %s failed for good, the text gives the numbers and says how to send them',
  (waiting, more, lost, text) => {
    expect(describeUnsent({ waiting, waiting_more: more, day: { lost } })).toBe(text)
  },
)
