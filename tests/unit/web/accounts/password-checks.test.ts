import { expect, test } from 'vitest'
import { checkPassword, rateStrength } from '#web/accounts/fields/password-checks.ts'

const met = (password: string) => checkPassword(password).map(({ isMet }) => isMet)

test('an empty password meets no rule', () => {
  expect(met('')).toEqual([false, false, false])
})

test.each([
  ['aB3$', [false, true, true]],
  ['quartzlantern58-', [true, false, true]],
  ['Password-lamp-58', [true, true, false]],
  [`aB3$${'xY7-'.repeat(32)}`, [false, true, true]],
  ['Quartz-Lantern-58', [true, true, true]],
])('%s', (password, expected) => {
  expect(met(password)).toEqual(expected)
})

test.each([
  ['Quartz-58', 'Fair'],
  ['Quartz-Lamp-58', 'Good'],
  ['Quartz-Lantern-58', 'Strong'],
  ['quartz', 'Too weak'],
])('%s is %s', (password, strength) => {
  expect(rateStrength(password)).toBe(strength)
})
