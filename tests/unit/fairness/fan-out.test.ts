import { expect, it } from 'vitest'
import { createFanOut } from '#core/fairness/fan-out.ts'
import { FAN_OUT } from '#core/fairness/limits.ts'

const { atOnce, perSecond } = FAN_OUT

function given() {
  let ms = 0
  const fanOut = createFanOut(() => ms)
  return {
    ...fanOut,
    wait: (seconds: number) => {
      ms += seconds * 1000
    },
  }
}

it('never lists a client with one webhook, however many leads arrive', () => {
  const { note, beyond } = given()
  for (let lead = 0; lead < 10_000; lead += 1) note('one webhook', 0)
  expect(beyond()).toEqual([])
})

it('lists a client that planned more than its tokens, until they have refilled', () => {
  const { note, beyond, wait } = given()
  note('many', atOnce)
  note('few', 1)
  expect(beyond()).toEqual([])
  note('many', perSecond)
  expect(beyond()).toEqual(['many'])
  wait(0.5)
  expect(beyond()).toEqual(['many'])
  wait(0.5)
  expect(beyond()).toEqual([])
})

it('lets a client plan at the refill rate without end', () => {
  const { note, beyond, wait } = given()
  let atOnceOf = 0
  for (let tick = 0; tick < 1000; tick += 1) {
    if (beyond().length === 0) {
      note('many', 9)
      atOnceOf += 9
    }
    wait(0.1)
  }
  expect(atOnceOf).toBeGreaterThan(100 * perSecond * 0.95)
  expect(atOnceOf).toBeLessThan(atOnce + 100 * perSecond * 1.05)
})

it('divides the tokens among all workers', () => {
  const { note, beyond, wait, setWorkerCount } = given()
  setWorkerCount(5)
  note('many', atOnce / 5)
  expect(beyond()).toEqual([])
  note('many', perSecond / 5)
  expect(beyond()).toEqual(['many'])
  wait(1)
  expect(beyond()).toEqual([])
})
