import { expect, test } from 'vitest'
import { describeNarrowing } from '#web/leads/describe-narrowing.ts'

const FROM = '2026-11-23T05:00:00.000Z'
const TO = '2026-11-24T05:00:00.000Z'
const none = { from: '', to: '', is_test: '' }

test('the filters in a link are described in words', () => {
  expect(describeNarrowing(none)).toBe('')
  expect(describeNarrowing({ ...none, from: FROM, is_test: 'false' })).toMatch(
    /^Since Nov 2\d, .+, without test leads$/,
  )
  expect(describeNarrowing({ ...none, from: FROM, to: TO })).toMatch(/^Nov 2\d, .+ to Nov 2\d, /)
  expect(describeNarrowing({ ...none, to: TO })).toMatch(/^Before Nov /)
  expect(describeNarrowing({ ...none, is_test: 'true' })).toBe('Test leads only')
  expect(describeNarrowing({ ...none, from: 'yesterday', is_test: 'perhaps' })).toBe('')
})
