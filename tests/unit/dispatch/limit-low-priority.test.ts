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

it('leaves everything to low priority while there is nobody else', () => {
  const { lowPriority, pass } = startGiveWay()
  expect(pass(PLENTY)).toBe(Infinity)
  expect(lowPriority.allowance()).toBe(Infinity)
  expect(lowPriority.restMs(25)).toBe(0)
})

it('grows for as long as what may begin begins and first attempts are quick', () => {
  const { pass } = startGiveWay()
  expect(pass(PLENTY, ...QUICK)).toBeCloseTo(110)
  expect(pass(PLENTY, ...QUICK)).toBeCloseTo(121)
  for (let look = 0; look < 40; look += 1) pass(PLENTY, ...QUICK)
  expect(pass(PLENTY, ...QUICK)).toBe(MOST)
})

it('goes back to where it starts when nobody makes use of it', () => {
  const { pass } = startGiveWay()
  for (let look = 0; look < 40; look += 1) pass(PLENTY, ...QUICK)
  expect(pass(0, ...QUICK)).toBeCloseTo(MOST / 1.1)
  for (let look = 0; look < 40; look += 1) pass(0, ...QUICK)
  expect(pass(0, ...QUICK)).toBe(START)
})

it('shrinks while first attempts wait, never so far that nothing would move, and grows back', () => {
  const { pass } = startGiveWay()
  for (let look = 0; look < 40; look += 1) pass(PLENTY, ...QUICK)
  expect(pass(PLENTY, ...LATE)).toBe(MOST / 2)
  expect(pass(PLENTY, ...LATE)).toBe(MOST / 4)
  for (let look = 0; look < 20; look += 1) pass(PLENTY, ...LATE)
  expect(pass(PLENTY, ...LATE)).toBe(LEAST)
  expect(pass(0, ...QUICK)).toBeCloseTo(62.5)
})

it('is free a second after the last first attempt, and then begins where it starts', () => {
  const { lowPriority, wait, pass } = startGiveWay()
  for (let look = 0; look < 40; look += 1) pass(PLENTY, ...QUICK)
  wait(LOW_PRIORITY.quietMs)
  expect(lowPriority.adjust()).toBe(Infinity)
  for (let look = 0; look < 40; look += 1) pass(PLENTY)
  expect(pass(0, ...QUICK)).toBe(START)
})

it('makes nobody wait for what began while nobody was about', () => {
  const { lowPriority, wait } = startGiveWay()
  lowPriority.spend(20_000)
  lowPriority.noteActive('modest')
  wait(LOW_PRIORITY.adjustEveryMs)
  expect(lowPriority.allowance()).toBe(LOW_PRIORITY.atOnce)
})

it('knows that somebody is about before his first attempt has ended, but not of who has much under way', () => {
  const { lowPriority } = startGiveWay()
  lowPriority.noteAboveShare('much')
  lowPriority.noteActive('much')
  expect(lowPriority.adjust()).toBe(Infinity)
  lowPriority.noteActive('modest')
  expect(lowPriority.adjust()).toBe(START)
})

it('holds back nobody for the sake of his own first few', () => {
  const { lowPriority } = startGiveWay()
  lowPriority.noteActive('his own')
  lowPriority.noteFirstAttempt('his own', 3)
  lowPriority.noteAboveShare('his own')
  expect(lowPriority.allowance()).toBe(Infinity)
  lowPriority.noteActive('another')
  lowPriority.noteAboveShare('his own')
  expect(lowPriority.allowance()).toBeLessThan(Infinity)
})

it('judges by a few first attempts, but only after a second', () => {
  const { pass } = startGiveWay()
  for (let look = 0; look < 40; look += 1) pass(PLENTY, ...QUICK)
  for (let look = 0; look < 4; look += 1) expect(pass(PLENTY, 400)).toBe(MOST)
  expect(pass(PLENTY)).toBe(MOST / 2)
})

it('makes up for the time that it waited for a judgement', () => {
  const { pass } = startGiveWay()
  for (let look = 0; look < 4; look += 1) expect(pass(PLENTY, 3)).toBe(START)
  expect(pass(PLENTY)).toBeCloseTo(START * 1.1 ** 5)
})

it('is not moved by one slow attempt among many', () => {
  const { pass } = startGiveWay()
  expect(pass(PLENTY, ...QUICK, 400)).toBeCloseTo(110)
})

it('does not hold a distant database against anybody', () => {
  const { pass } = startGiveWay()
  let before = 0
  for (let look = 0; look < 10; look += 1) {
    const after = pass(PLENTY, ...many(50))
    expect(after).toBeGreaterThan(before)
    before = after
  }
  expect(pass(PLENTY, ...many(80))).toBeLessThan(before)
})

it('lets begin at the rate that is allowed, and never many at once after a rest', () => {
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

it('lets bursts be planned no faster than they may begin', () => {
  const { lowPriority } = startGiveWay()
  lowPriority.noteFirstAttempt('modest', 3)
  expect(lowPriority.restMs(25)).toBe(250)
})

it('shares what it starts with, and the least, with the other workers', () => {
  const { lowPriority, pass } = startGiveWay()
  lowPriority.setWorkerCount(2)
  expect(pass(0, ...QUICK)).toBe(START / 2)
  for (let look = 0; look < 20; look += 1) pass(PLENTY, ...LATE)
  expect(pass(PLENTY, ...LATE)).toBe(LEAST / 2)
})

it('ignores the waits of a client that has many deliveries in flight, until it no longer has', () => {
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
