import { expect, test } from 'vitest'
import {
  judgeUndelivered,
  type UndeliveredLead,
  type UndeliveredVerdict,
} from '#core/domain/market/judge-undelivered.ts'

const BOUGHT = new Date('2026-11-01T12:00:00Z')
const HOUR = 3_600_000
const later = (hours: number): Date => new Date(BOUGHT.getTime() + hours * HOUR)

const REFUSED: UndeliveredLead = {
  at: later(1),
  policy: 'reoffer',
  assigned_at: BOUGHT,
  is_held: true,
  has_request: false,
  is_planned: true,
  has_arrived: false,
  failed: 1,
  is_waiting: false,
  held_until: later(24),
  bought: 1,
  taken_back: 0,
}

test.each<[string, Partial<UndeliveredLead>, UndeliveredVerdict]>([
  ['whose order keeps it, stays', { policy: 'keep' }, 'leave'],
  ['whose order returns it, is returned', { policy: 'return' }, 'return'],
  ['whose order passes it on, is offered again', {}, 'reoffer'],
  ['that would not be offered any more, is only returned', { at: later(24) }, 'return'],
  ['that is not its client’s any more, stays', { is_held: false }, 'leave'],
  ['whose return was asked for before, stays', { has_request: true }, 'leave'],
  ['that one webhook took, stays', { has_arrived: true, failed: 4 }, 'leave'],
  ['of which nothing failed, stays', { failed: 0, is_waiting: true }, 'leave'],
  ['that another webhook may take, waits', { is_waiting: true }, 'wait'],
  ['that is being planned, waits', { is_planned: false }, 'wait'],
  ['within its return window, is returned', { at: later(7 * 24) }, 'return'],
  ['past its return window, stays', { at: later(7 * 24 + 1) }, 'leave'],
  ['after two that came back, is returned', { bought: 3, taken_back: 2, policy: 'return' }, 'return'],
  ['after three of few that came back, is looked at', { bought: 4, taken_back: 3 }, 'ask'],
  ['beside a fifth that came back, is returned', { bought: 20, taken_back: 4, policy: 'return' }, 'return'],
  ['beside more than a fifth that came back, is looked at', { bought: 20, taken_back: 5 }, 'ask'],
])('an undelivered lead %s', (_what, facts, verdict) => {
  expect(judgeUndelivered({ ...REFUSED, ...facts })).toBe(verdict)
})
