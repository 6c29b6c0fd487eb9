import { expect, it } from 'vitest'
import { createGiveWay } from '#core/fairness/give-way.ts'
import { GIVE_WAY } from '#core/fairness/limits.ts'

function giveWayOf(most: number) {
  let time = 0
  const giveWay = createGiveWay({ most, least: 50, now: () => time })
  return {
    /** A fifth of a second in which first attempts waited so long. */
    pass: (...waits: number[]): number => {
      for (const ms of waits) giveWay.noteFirst('modest', ms)
      const allowed = giveWay.decide()
      time += 200
      return allowed
    },
  }
}

const many = (ms: number): number[] => Array<number>(20).fill(ms)

it('leaves everything to those who give way while there is nobody to give way to', () => {
  expect(giveWayOf(900).pass()).toBe(900)
})

it('shrinks while first attempts wait, never so far that nothing would move', () => {
  const giveWay = giveWayOf(900)
  giveWay.pass(...many(5))
  expect(giveWay.pass(...many(40))).toBe(450)
  expect(giveWay.pass(...many(40))).toBe(225)
  for (let turn = 0; turn < 20; turn += 1) giveWay.pass(...many(40))
  expect(giveWay.pass(...many(40))).toBe(50)
})

it('grows again slowly while first attempts are quick, and at once when they stop', () => {
  const giveWay = giveWayOf(900)
  giveWay.pass(...many(5))
  for (let turn = 0; turn < 20; turn += 1) giveWay.pass(...many(40))
  expect(giveWay.pass(...many(3))).toBeCloseTo(55)
  expect(giveWay.pass(...many(3))).toBeCloseTo(60.5)
  for (let turn = 0; turn < 5; turn += 1) expect(giveWay.pass()).toBeCloseTo(60.5)
  expect([giveWay.pass(), giveWay.pass(), giveWay.pass(), giveWay.pass()]).toEqual([
    expect.closeTo(121),
    expect.closeTo(242),
    expect.closeTo(484),
    900,
  ])
})

it('grows when first attempts stop, though the last few of them were too few to judge by', () => {
  const giveWay = giveWayOf(900)
  giveWay.pass(...many(5))
  for (let turn = 0; turn < 20; turn += 1) giveWay.pass(...many(40))
  giveWay.pass(40, 40)
  for (let turn = 0; turn < 12; turn += 1) giveWay.pass()
  expect(giveWay.pass()).toBe(900)
})

it('is not moved by one slow attempt among many, nor by a few', () => {
  expect(giveWayOf(900).pass(...many(3), 400)).toBe(900)
  expect(giveWayOf(900).pass(400, 400)).toBe(900)
})

it('does not hold a distant database against anybody', () => {
  const giveWay = giveWayOf(900)
  for (let turn = 0; turn < 10; turn += 1) expect(giveWay.pass(...many(30))).toBe(900)
  expect(giveWay.pass(...many(80))).toBe(450)
})

it('lets begin at the rate that is allowed, and never many at once after a rest', () => {
  let time = 0
  const giveWay = createGiveWay({ most: 200, least: 50, now: () => time })
  expect(giveWay.allowance()).toBe(Infinity)
  for (const ms of many(5)) giveWay.noteFirst('modest', ms)
  giveWay.decide()
  for (const ms of many(40)) giveWay.noteFirst('modest', ms)
  expect(giveWay.decide()).toBe(100)
  giveWay.spend(giveWay.allowance())
  expect(giveWay.allowance()).toBe(0)
  // One each 10 ms.
  time += 75
  expect(giveWay.allowance()).toBe(7)
  giveWay.spend(4)
  expect(giveWay.allowance()).toBe(3)
  time += 60_000
  expect(giveWay.allowance()).toBe(GIVE_WAY.atOnce)
})

it('is not moved by what a client waits for who has much under way himself, until he has it no more', () => {
  let time = 0
  const giveWay = createGiveWay({ most: 900, least: 50, now: () => time })
  const look = (client: string, ms: number): number => {
    for (let first = 0; first < 20; first += 1) giveWay.noteFirst(client, ms)
    time += 200
    return giveWay.decide()
  }
  look('his own', 3)
  giveWay.noteMuch('his own')
  expect(look('his own', 400)).toBe(900)
  expect(look('another', 400)).toBe(450)
  time += 1001
  expect(look('his own', 400)).toBe(225)
})
