import { expect, it } from 'vitest'
import { createGiveWay } from '#core/fairness/give-way.ts'
import { ROUNDS } from '#core/fairness/limits.ts'

it('lets begin at the rate that is allowed, and never many at once after a rest', () => {
  let time = 0
  let share = 1
  const leeway = {
    noteGiving: () => undefined,
    share: () => share,
    watch: () => () => undefined,
    among: () => undefined,
  }
  const giveWay = createGiveWay({ most: 200, leeway, now: () => time })
  expect(giveWay.allowance()).toBe(Infinity)
  share = 0.5
  giveWay.spend(giveWay.allowance())
  expect(giveWay.allowance()).toBe(0)
  // One each 10 ms.
  time += 105
  expect(giveWay.allowance()).toBe(10)
  giveWay.spend(4)
  expect(giveWay.allowance()).toBe(6)
  time += 60_000
  expect(giveWay.allowance()).toBe(ROUNDS.most)
})
