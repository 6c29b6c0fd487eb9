import { expect, it } from 'vitest'
import { createLowPriorityLimiter } from '#worker/dispatch/limit-low-priority.ts'
import { LOW_PRIORITY } from '#core/fairness/limits.ts'

const START = 100
const LEAST = 50
const MOST = 900

function startGiveWay() {
  let time = 0
  const lowPriority = createLowPriorityLimiter({ most: MOST, start: START, least: LEAST, now: () => time })
  const wait = (ms: number): void => {
    time += ms
  }
  /** Simulates a fifth of a second with these waits of first attempts and this many low-priority starts. */
  const pass = (begun: number, ...waits: number[]): number => {
    lowPriority.spend(begun)
    for (const ms of waits) lowPriority.noteFirstAttempt('modest', ms)
    wait(LOW_PRIORITY.adjustEveryMs)
    return lowPriority.adjust()
  }
  return { lowPriority, wait, pass }
}

const many = (ms: number): number[] => Array<number>(20).fill(ms)
const [QUICK, LATE] = [many(3), many(60)]
const PLENTY = 1000

it('does not limit low priority while no other client sends', () => {
  const { lowPriority, pass } = startGiveWay()
  expect(pass(PLENTY)).toBe(Infinity)
  expect(lowPriority.allowance()).toBe(Infinity)
  expect(lowPriority.restMs(25)).toBe(0)
})

it('raises the rate while it is used up and first attempts are quick', () => {
  const { pass } = startGiveWay()
  expect(pass(PLENTY, ...QUICK)).toBeCloseTo(110)
  expect(pass(PLENTY, ...QUICK)).toBeCloseTo(121)
  for (let look = 0; look < 40; look += 1) pass(PLENTY, ...QUICK)
  expect(pass(PLENTY, ...QUICK)).toBe(MOST)
})

it('lowers the rate to its starting value while it is not used', () => {
  const { pass } = startGiveWay()
  for (let look = 0; look < 40; look += 1) pass(PLENTY, ...QUICK)
  expect(pass(0, ...QUICK)).toBeCloseTo(MOST / 1.1)
  for (let look = 0; look < 40; look += 1) pass(0, ...QUICK)
  expect(pass(0, ...QUICK)).toBe(START)
})

it('lowers the rate while first attempts wait, down to a minimum, and raises it again', () => {
  const { pass } = startGiveWay()
  for (let look = 0; look < 40; look += 1) pass(PLENTY, ...QUICK)
  expect(pass(PLENTY, ...LATE)).toBe(MOST / 2)
  expect(pass(PLENTY, ...LATE)).toBe(MOST / 4)
  for (let look = 0; look < 20; look += 1) pass(PLENTY, ...LATE)
  expect(pass(PLENTY, ...LATE)).toBe(LEAST)
  expect(pass(0, ...QUICK)).toBeCloseTo(62.5)
})

it('lifts the limit a second after the last first attempt, and then begins at the starting rate', () => {
  const { lowPriority, wait, pass } = startGiveWay()
  for (let look = 0; look < 40; look += 1) pass(PLENTY, ...QUICK)
  wait(LOW_PRIORITY.quietMs)
  expect(lowPriority.adjust()).toBe(Infinity)
  for (let look = 0; look < 40; look += 1) pass(PLENTY)
  expect(pass(0, ...QUICK)).toBe(START)
})

it('does not charge for starts from a time when nobody else was present', () => {
  const { lowPriority, wait } = startGiveWay()
  lowPriority.spend(20_000)
  lowPriority.noteActive('modest')
  wait(LOW_PRIORITY.adjustEveryMs)
  expect(lowPriority.allowance()).toBe(LOW_PRIORITY.atOnce)
})

it('knows a client before its first attempt has ended, unless the client is above its share', () => {
  const { lowPriority } = startGiveWay()
  lowPriority.noteAboveShare('much')
  lowPriority.noteActive('much')
  expect(lowPriority.adjust()).toBe(Infinity)
  lowPriority.noteActive('modest')
  expect(lowPriority.adjust()).toBe(START)
})

it('does not limit a client because of its own first attempts', () => {
  const { lowPriority } = startGiveWay()
  lowPriority.noteActive('his own')
  lowPriority.noteFirstAttempt('his own', 3)
  lowPriority.noteAboveShare('his own')
  expect(lowPriority.allowance()).toBe(Infinity)
  lowPriority.noteActive('another')
  lowPriority.noteAboveShare('his own')
  expect(lowPriority.allowance()).toBeLessThan(Infinity)
})

it('judges by a few first attempts only after a second', () => {
  const { pass } = startGiveWay()
  for (let look = 0; look < 40; look += 1) pass(PLENTY, ...QUICK)
  for (let look = 0; look < 4; look += 1) expect(pass(PLENTY, 400)).toBe(MOST)
  expect(pass(PLENTY)).toBe(MOST / 2)
})

it('adjusts the rate several times at once after a late judgement', () => {
  const { pass } = startGiveWay()
  for (let look = 0; look < 4; look += 1) expect(pass(PLENTY, 3)).toBe(START)
  expect(pass(PLENTY)).toBeCloseTo(START * 1.1 ** 5)
})

it('ignores one slow attempt among many', () => {
  const { pass } = startGiveWay()
  expect(pass(PLENTY, ...QUICK, 400)).toBeCloseTo(110)
})

it('raises the rate although a distant database makes every attempt slower', () => {
  const { pass } = startGiveWay()
  let before = 0
  for (let look = 0; look < 10; look += 1) {
    const after = pass(PLENTY, ...many(50))
    expect(after).toBeGreaterThan(before)
    before = after
  }
  expect(pass(PLENTY, ...many(80))).toBeLessThan(before)
})

it('starts deliveries at the current rate, without a large burst after a rest', () => {
  const { lowPriority, wait } = startGiveWay()
  lowPriority.noteFirstAttempt('modest', 3)
  lowPriority.spend(lowPriority.allowance())
  expect(lowPriority.allowance()).toBe(0)
  // One every 10 ms.
  wait(75)
  expect(lowPriority.allowance()).toBe(7)
  lowPriority.spend(4)
  expect(lowPriority.allowance()).toBe(3)
  wait(LOW_PRIORITY.quietMs - 75)
  expect(lowPriority.allowance()).toBe(LOW_PRIORITY.atOnce)
})

it('plans bursts no faster than their deliveries may begin', () => {
  const { lowPriority } = startGiveWay()
  lowPriority.noteFirstAttempt('modest', 3)
  expect(lowPriority.restMs(25)).toBe(250)
})

it('divides the starting rate and the minimum among all workers', () => {
  const { lowPriority, pass } = startGiveWay()
  lowPriority.setWorkerCount(2)
  expect(pass(0, ...QUICK)).toBe(START / 2)
  for (let look = 0; look < 20; look += 1) pass(PLENTY, ...LATE)
  expect(pass(PLENTY, ...LATE)).toBe(LEAST / 2)
})

it('ignores the waits of a client with many deliveries in flight, until it has few', () => {
  const { lowPriority, wait } = startGiveWay()
  const look = (client: string, ms: number): number => {
    for (let first = 0; first < 20; first += 1) lowPriority.noteFirstAttempt(client, ms)
    lowPriority.spend(PLENTY)
    wait(LOW_PRIORITY.adjustEveryMs)
    return lowPriority.adjust()
  }
  for (let turn = 0; turn < 40; turn += 1) look('another', 3)
  lowPriority.noteAboveShare('his own')
  expect(look('his own', 400)).toBe(MOST)
  expect(look('another', 400)).toBe(MOST / 2)
  wait(LOW_PRIORITY.quietMs)
  expect(look('his own', 400)).toBe(MOST / 4)
})
