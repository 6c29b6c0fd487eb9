import { expect, it } from 'vitest'
import { createLeeway } from '#core/fairness/leeway.ts'
import { LEEWAY } from '#core/fairness/limits.ts'

const TOLERABLE_MS = 8

function leewayWith({ isUsed = true } = {}) {
  let time = 0
  const leeway = createLeeway(() => time)
  const noteSingle = leeway.watch(TOLERABLE_MS)
  return {
    leeway,
    watch: leeway.watch,
    use: leeway.noteGiving,
    /** A fifth of a second in which single things took so long. */
    pass: (...tookMs: number[]): number => {
      for (const ms of tookMs) noteSingle(ms)
      if (isUsed) leeway.noteGiving()
      time += 200
      return leeway.share()
    },
  }
}

const many = (ms: number): number[] => Array<number>(20).fill(ms)

function shrunken() {
  const parts = leewayWith()
  for (let look = 0; look < 30; look += 1) parts.pass(...many(40 + look * 40))
  expect(parts.pass(...many(5000))).toBe(LEEWAY.least)
  return parts
}

it('leaves everything to those who give way while there is nobody to give way to', () => {
  const { pass } = leewayWith()
  expect([pass(), pass(), pass()]).toEqual([1, 1, 1])
})

it('begins small where somebody is about who is not to wait, and grows while he does not', () => {
  const { leeway, pass, use } = leewayWith({ isUsed: false })
  for (let look = 0; look < 10; look += 1) pass(...many(3))
  expect(leeway.share()).toBe(LEEWAY.start)
  use()
  expect(pass(...many(3))).toBeCloseTo(LEEWAY.start * LEEWAY.grow)
  use()
  expect(pass(...many(3))).toBeCloseTo(LEEWAY.start * LEEWAY.grow ** 2)
})

it('shrinks while single things take long, never so far that nothing would move', () => {
  const { pass } = leewayWith()
  pass(...many(3))
  const before = pass(...many(3))
  expect(pass(...many(40))).toBeCloseTo(before * LEEWAY.shrink)
  for (let look = 0; look < 30; look += 1) pass(...many(40))
  expect(pass(...many(40))).toBe(LEEWAY.least)
})

it('grows by leaps when nobody is about any more, though the last few were too few to judge by', () => {
  const { pass } = shrunken()
  pass(40, 40)
  for (let look = 0; look < 12; look += 1) pass()
  expect(pass()).toBe(1)
})

it('is not moved by one slow thing among many, nor by a few', () => {
  const { pass } = leewayWith()
  pass(...many(3))
  const share = pass(...many(3))
  expect(pass(...many(3), 400)).toBeGreaterThan(share)
  expect(pass(400, 400)).toBeGreaterThan(share)
})

it('does not hold a distant database against anybody', () => {
  const { pass } = leewayWith()
  for (let look = 0; look < 12; look += 1) pass(...many(30))
  expect(pass(...many(30))).toBe(1)
  expect(pass(...many(80))).toBeCloseTo(LEEWAY.shrink)
})

it('shrinks where one kind of single things takes long, however quick the other is', () => {
  const { watch, pass } = leewayWith()
  const noteOther = watch(TOLERABLE_MS)
  for (const ms of many(3)) noteOther(ms)
  const share = pass(...many(3))
  for (const ms of many(40)) noteOther(ms)
  expect(pass(...many(3))).toBeLessThan(share)
})

it('divides the least among the processes', () => {
  const { leeway, pass } = shrunken()
  leeway.among(4)
  for (let look = 0; look < 10; look += 1) pass(...many(9000))
  expect(leeway.share()).toBe(LEEWAY.least / 4)
})
