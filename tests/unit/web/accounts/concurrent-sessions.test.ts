import { expect, test } from 'vitest'
import { addSession } from '#web/session/security/concurrent-sessions.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 10, 21)
const session = (sessionId: string, hoursAgo: number) => ({
  sessionId,
  timestamp: NOW - hoursAgo * HOUR,
  userAgent: 'Chrome',
})
const ids = (sessions: readonly { sessionId: string }[]) => sessions.map(({ sessionId }) => sessionId)

test('keeps the three newest sessions', () => {
  const kept = [session('a', 3), session('b', 2), session('c', 1)]
  expect(ids(addSession(kept, session('d', 0), NOW))).toEqual(['b', 'c', 'd'])
})

test('drops sessions older than 24 hours', () => {
  expect(ids(addSession([session('a', 24), session('b', 23.9)], session('c', 0), NOW))).toEqual(['b', 'c'])
})

test('a known session is not counted twice', () => {
  expect(ids(addSession([session('a', 2), session('b', 1)], session('a', 0), NOW))).toEqual(['b', 'a'])
})
