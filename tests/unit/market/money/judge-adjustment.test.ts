import { expect, test } from 'vitest'
import { judgeConfirming, needsSecondPerson } from '#core/domain/market/judge-adjustment.ts'

test.each([
  ['500.00', '0.00', 500, false],
  ['500.01', '0.00', 500, true],
  ['-500.00', '0.00', 500, false],
  ['-500.01', '0.00', 500, true],
  ['0.01', '0.00', 0, true],
  ['-10000.00', '0.00', 10_000, false],
  ['200.00', '300.00', 500, false],
  ['-200.00', '300.01', 500, true],
])(
  'an adjustment of %s after %s with a limit of %i needs a second person: %s',
  (amount, recent, limit, isNeeded) => {
    expect(needsSecondPerson({ amount, recent, isOwn: false }, limit)).toBe(isNeeded)
  },
)

test('an adjustment of the own account always needs a second person', () => {
  expect(needsSecondPerson({ amount: '0.01', recent: '0.00', isOwn: true }, 10_000)).toBe(true)
})

test.each([
  ['another administrator', { asked_by: 'a', client_user_id: 'c' }, { user_id: 'b', others: 1 }, 'yes'],
  ['the asker among several', { asked_by: 'a', client_user_id: 'c' }, { user_id: 'a', others: 1 }, 'no'],
  [
    'the only administrator',
    { asked_by: 'a', client_user_id: 'c' },
    { user_id: 'a', others: 0 },
    'with_factor',
  ],
  ['the owner of the account', { asked_by: 'a', client_user_id: 'b' }, { user_id: 'b', others: 1 }, 'no'],
  [
    'the only administrator, for the own account',
    { asked_by: 'a', client_user_id: 'a' },
    { user_id: 'a', others: 0 },
    'no',
  ],
])('whether %s may confirm', (_who, adjustment, person, verdict) => {
  expect(judgeConfirming(adjustment, person)).toBe(verdict)
})
