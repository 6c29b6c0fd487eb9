import { expect, test } from 'vitest'
import { validatePassword } from '#core/domain/accounts/validate-password.ts'
import { makePassword } from '#scripts/start/keep-secrets.ts'
import { judge, lastLine, sum } from '#scripts/test/tally.ts'

const green = { passed: 3, failed: 0, skipped: 1, failures: [] }

test('a run whose report and exit status agree is counted as reported', () => {
  expect(judge('unit', green, 0)).toEqual(green)
})

test('a runner that crashes after a green report counts as a failure', () => {
  expect(judge('unit', green, 1)).toMatchObject({ passed: 3, failed: 1 })
})

test('a runner without a report counts as a failure, whatever its exit status', () => {
  expect(judge('unit', undefined, 0)).toMatchObject({ passed: 0, failed: 1 })
})

test('a suite in which no test was found counts as a failure', () => {
  expect(judge('unit', { passed: 0, failed: 0, skipped: 0, failures: [] }, 0)).toMatchObject({ failed: 1 })
})

test('the last line names skipped tests only where there are some', () => {
  expect(lastLine(sum([green, green]))).toBe('6 passed, 0 failed, 2 skipped')
  expect(lastLine({ ...green, skipped: 0 })).toBe('3 passed, 0 failed')
})

test('generated demo passwords keep the rules for passwords', () => {
  const passwords = Array.from({ length: 500 }, makePassword)
  expect(passwords.flatMap(validatePassword)).toEqual([])
  expect(new Set(passwords).size).toBe(500)
})
