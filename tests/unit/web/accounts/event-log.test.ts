import { describe, expect, test } from 'vitest'
import { severityOf, type SecurityEvent } from '#core/contract/accounts/security-event.ts'
import { reachesAlert } from '#web/session/security/reaches-alert.ts'

const NOW = Date.UTC(2026, 10, 21)
const event = (type: string, minutesAgo: number): SecurityEvent => ({
  id: '0193a3f0-0000-7000-8000-000000000000',
  type,
  timestamp: new Date(NOW - minutesAgo * 60_000).toISOString(),
  userAgent: '',
  url: '',
  details: {},
  severity: severityOf(type),
})
const events = (type: string, count: number, minutesAgo = 0) =>
  Array.from({ length: count }, () => event(type, minutesAgo))

test.each([
  ['low', ['login_success', 'logout']],
  ['medium', ['failed_login', 'password_change', 'session_timeout', 'failed_signup', 'constructor']],
  ['high', ['mfa_failure', 'force_logout', 'suspicious_request']],
  ['critical', ['security_alert']],
])('events of severity %s', (severity, types) => {
  expect(types.map(severityOf)).toEqual(types.map(() => severity))
})

describe('an alert', () => {
  test.each([
    ['failed_login', 5],
    ['password_change', 2],
    ['suspicious_request', 10],
  ])('is raised by %s after %i events within five minutes, and not again', (type, threshold) => {
    expect(reachesAlert(events(type, threshold - 1), type, NOW)).toBe(false)
    expect(reachesAlert(events(type, threshold), type, NOW)).toBe(true)
    expect(reachesAlert(events(type, threshold + 1), type, NOW)).toBe(false)
  })

  test('is not raised by older events', () => {
    const log = [...events('failed_login', 1, 5), ...events('failed_login', 4)]
    expect(reachesAlert(log, 'failed_login', NOW)).toBe(false)
  })

  test('is not raised by events of other types', () => {
    expect(reachesAlert(events('logout', 50), 'logout', NOW)).toBe(false)
  })
})
