import { expect, test } from 'vitest'
import { askTogether } from '#core/concurrency/ask-together.ts'

test('callers during one question share its answer, and later callers ask again', async () => {
  let asked = 0
  const ask = askTogether(() => Promise.resolve((asked += 1)))
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
  expect(await ask()).toBe(2)
})

test('a failure reaches all callers, and the next caller asks again', async () => {
  let asked = 0
  const ask = askTogether(() => {
    asked += 1
    return asked === 1 ? Promise.reject(new Error('away')) : Promise.resolve(asked)
  })
  const first = await Promise.allSettled([ask(), ask()])
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await ask()).toBe(2)
})
