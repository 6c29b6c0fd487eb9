import { expect, test } from 'vitest'
import { keepReading } from '#core/concurrency/keep-reading.ts'

/** A reading that takes as long as it says, by a clock that the test sets. */
function makeReading(tookMs: number) {
  const clock = { now: 0, reads: 0 }
  const { get, forget } = keepReading(
    async () => {
      clock.reads += 1
      clock.now += tookMs
      await Promise.resolve()
      return clock.reads
    },
    () => clock.now,
  )
  return { clock, get, forget }
}

test('a reading is shared for ten times as long as it took', async () => {
  const { clock, get } = makeReading(20)
  expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1])
  clock.now += 179
  expect(await get()).toBe(1)
  expect(clock.reads).toBe(1)
})

test('an older one is shown once more while it is read again, and one of a minute is not shown', async () => {
  const { clock, get } = makeReading(20)
  await get()
  clock.now += 1000
  expect(await get()).toBe(1)
  await new Promise(setImmediate)
  expect(await get()).toBe(2)
  clock.now += 60_001
  expect(await get()).toBe(3)
})

test('a change is seen by the next caller, also if a reading has begun before it', async () => {
  const { get, forget } = makeReading(20)
  const before = get()
  forget()
  expect(await get()).toBe(2)
  await before
  expect(await get()).toBe(2)
})

test('a failed reading is not kept', async () => {
  let fails = true
  const { get } = keepReading(async () => {
    await Promise.resolve()
    if (fails) throw new Error('away')
    return 1
  })
  await expect(get()).rejects.toThrow('away')
  fails = false
  expect(await get()).toBe(1)
})
