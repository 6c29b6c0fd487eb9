import { expect, it } from 'vitest'
import { createGivingPace } from '#server/admission/giving-pace.ts'

/** How long a piece of 10 ms took with its rest; the clock is the pace's own, the rest is real. */
async function timePiece(prepare: (pace: ReturnType<typeof createGivingPace>) => void): Promise<number> {
  let time = 0
  const pace = createGivingPace({ now: () => time, longestRestMs: 5000 })
  prepare(pace)
  const startedAt = performance.now()
  const result = await pace.piece(async () => {
    time += 10
    return await Promise.resolve('done')
  })
  expect(result).toBe('done')
  return performance.now() - startedAt
}

it('rests for several times as long as the piece took while somebody is about', async () => {
  expect(await timePiece((pace) => pace.noteSingle())).toBeGreaterThanOrEqual(49)
})

it('rests for as many times as it is told', async () => {
  const pace = createGivingPace({ now: () => performance.now(), longestRestMs: 100, restTimes: 1e6 })
  pace.noteSingle()
  const startedAt = performance.now()
  await pace.piece(async () => await Promise.resolve(performance.now()))
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(99)
})

it('does not rest with nobody about', async () => {
  expect(await timePiece(() => undefined)).toBeLessThan(49)
})

it('rests after a piece that failed, and passes the failure on', async () => {
  let time = 0
  const pace = createGivingPace({ now: () => time, longestRestMs: 5000 })
  pace.noteSingle()
  const startedAt = performance.now()
  await expect(
    pace.piece(() => {
      time += 10
      return Promise.reject(new Error('broke'))
    }),
  ).rejects.toThrow('broke')
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(49)
})

it('rests no longer than it may', async () => {
  let time = 0
  const pace = createGivingPace({ now: () => time, longestRestMs: 150 })
  pace.noteSingle()
  const startedAt = performance.now()
  await pace.piece(() => {
    time += 500
    return Promise.resolve()
  })
  const rested = performance.now() - startedAt
  expect(rested).toBeGreaterThanOrEqual(149)
  expect(rested).toBeLessThan(1000)
})

it('rests longer than it may after a piece that took longer, where each is to be followed by a rest', async () => {
  let time = 0
  const pace = createGivingPace({ now: () => time, longestRestMs: 1, leastRestTimes: 1 })
  pace.noteSingle()
  const startedAt = performance.now()
  await pace.piece(() => {
    time += 100
    return Promise.resolve()
  })
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(99)
})
