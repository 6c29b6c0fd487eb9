import { expect, it } from 'vitest'
import { createGiveWay } from '#worker/give-way.ts'

function giveWayOf(most: number) {
  let time = 0
  const giveWay = createGiveWay({ most, least: 6, now: () => time })
  return {
    /** A fifth of a second in which first attempts waited so long. */
    pass: (...waits: number[]): number => {
      for (const ms of waits) giveWay.noteFirst(ms)
      const allowed = giveWay.decide()
      time += 200
      return allowed
    },
  }
}

it('leaves everything to those who give way while there is nobody to give way to', () => {
  expect(giveWayOf(50).pass()).toBe(50)
})

const many = (ms: number): number[] => Array<number>(20).fill(ms)

it('shrinks while first attempts wait, never to so few that hanging endpoints could hold all', () => {
  const giveWay = giveWayOf(50)
  giveWay.pass(...many(5))
  expect(giveWay.pass(...many(40))).toBe(33)
  expect(giveWay.pass(...many(40))).toBe(22)
  for (let turn = 0; turn < 20; turn += 1) giveWay.pass(...many(40))
  expect(giveWay.pass(...many(40))).toBe(6)
})

it('grows again by one while first attempts are quick, and at once when they stop', () => {
  const giveWay = giveWayOf(50)
  giveWay.pass(...many(5))
  for (let turn = 0; turn < 20; turn += 1) giveWay.pass(...many(40))
  expect(giveWay.pass(...many(3))).toBe(7)
  expect(giveWay.pass(...many(3))).toBe(8)
  for (let turn = 0; turn < 5; turn += 1) expect(giveWay.pass()).toBe(8)
  expect([giveWay.pass(), giveWay.pass(), giveWay.pass(), giveWay.pass()]).toEqual([16, 32, 50, 50])
})

it('is not moved by one slow attempt among many, nor by a few', () => {
  expect(giveWayOf(50).pass(...many(3), 400)).toBe(50)
  expect(giveWayOf(50).pass(400, 400)).toBe(50)
})

it('does not hold a distant database against anybody', () => {
  const giveWay = giveWayOf(50)
  for (let turn = 0; turn < 10; turn += 1) expect(giveWay.pass(...many(30))).toBe(50)
  expect(giveWay.pass(...many(80))).toBe(33)
})
