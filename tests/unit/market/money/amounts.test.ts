import { expect, test } from 'vitest'
import { z } from 'zod'
import { amountSchema } from '#core/contract/market/money/money.ts'
import { versionConflictSchema } from '#core/contract/market/version-conflict.ts'
import { answerVersionConflict } from '#server/http/errors/answer-version-conflict.ts'

const bodySchema = z.object({ amount: amountSchema(50, 10_000) })

test.each([
  [50, '50.00'],
  ['50', '50.00'],
  [99.5, '99.50'],
  ['10000.00', '10000.00'],
])('an amount of %j is read as %s', (amount, read) => {
  expect(bodySchema.parse({ amount })).toEqual({ amount: read })
})

test.each([
  25.001,
  100.001,
  0.1 + 0.2,
  -50,
  0,
  49.99,
  10_000.01,
  1e9,
  1e21,
  '1e3',
  ' 50 ',
  '',
  '050',
  null,
  true,
  [50],
  {},
])('an amount of %j is refused at its path', (amount) => {
  const { error } = bodySchema.safeParse({ amount })
  expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([
    [['amount'], 'Must be an amount from 50 to 10,000 with at most two decimals'],
  ])
})

test('a body without its amount is refused at its path', () => {
  expect(bodySchema.safeParse({}).error?.issues).toMatchObject([{ path: ['amount'] }])
})

test('a change of an earlier version is refused with both values, and names the differences', () => {
  const current = { id: 'a', version: 3, phone: null, states: ['CA'] }
  const answer = answerVersionConflict(current, { phone: '+12025550143', states: ['CA'] })
  expect(answer).toMatchObject({ status: 409, type: 'application/problem+json' })
  expect(versionConflictSchema(z.looseObject({})).parse(answer.json)).toMatchObject({
    code: 'version_conflict',
    errors: [{ path: 'phone' }],
    current,
    yours: { phone: '+12025550143', states: ['CA'] },
  })
})
