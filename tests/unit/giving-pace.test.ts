import { expect, it } from 'vitest'
import { createGivingPace } from '#core/giving-pace.ts'

/** How long a piece of 40 ms took with its rest; the clock is the pace's own, the rest is real. */
async function timePiece(prepare: (pace: ReturnType<typeof createGivingPace>) => void): Promise<number> {
  let time = 0
  const pace = createGivingPace({ now: () => time, longestRestMs: 250 })
  prepare(pace)
  const startedAt = performance.now()
  const result = await pace.piece(
    async () => {
      time += 40
      return await Promise.resolve('done')
    },
    () => true,
  )
  expect(result).toBe('done')
  return performance.now() - startedAt
}

it('rests for several times as long as the piece took while somebody is about', async () => {
  expect(await timePiece((pace) => pace.noteSingle())).toBeGreaterThanOrEqual(159)
})

it('does not rest with nobody about', async () => {
  expect(await timePiece(() => undefined)).toBeLessThan(159)
})

it('rests after a piece that failed, and passes the failure on', async () => {
  let time = 0
  const pace = createGivingPace({ now: () => time, longestRestMs: 250 })
  pace.noteSingle()
  const startedAt = performance.now()
  await expect(
    pace.piece(
      () => {
        time += 40
        return Promise.reject(new Error('broke'))
      },
      () => true,
    ),
  ).rejects.toThrow('broke')
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(159)
})

it('rests longer after a piece that took longer than the quickest, and never longer than it may', async () => {
  let time = 0
  const pace = createGivingPace({ now: () => time, longestRestMs: 250 })
  pace.noteSingle()
  const timeRest = async (ms: number, isFull = true): Promise<number> => {
    const startedAt = performance.now()
    await pace.piece(
      () => {
        time += ms
        return Promise.resolve()
      },
      () => isFull,
    )
    return performance.now() - startedAt
  }
  expect(await timeRest(5)).toBeLessThan(100)
  // A part of a piece is quick because it is small.
  expect(await timeRest(1, false)).toBeLessThan(100)
  // Three times as long as the quickest: 15 ms × 4 × 3.
  expect(await timeRest(15)).toBeGreaterThanOrEqual(175)
  pace.noteSingle()
  const capped = await timeRest(500)
  expect(capped).toBeGreaterThanOrEqual(249)
  expect(capped).toBeLessThan(1000)
})
