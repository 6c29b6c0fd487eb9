import { expect, it } from 'vitest'
import { createRests, type Rests } from '#server/admission/rests.ts'

const FIVE_TIMES = { times: 5, longestMs: 5000 }

/** Measures how long a chunk of 10 ms takes with its rest; the clock is a fake, the rest is real. */
async function timePiece(prepare: (rests: Rests) => void): Promise<number> {
  let time = 0
  const rests = createRests(() => time)
  prepare(rests)
  const startedAt = performance.now()
  const result = await rests.after(FIVE_TIMES, async () => {
    time += 10
    return await Promise.resolve('done')
  })
  expect(result).toBe('done')
  return performance.now() - startedAt
}

it('rests several times as long as the chunk took while other requests are present', async () => {
  expect(await timePiece((rests) => rests.noteSingle())).toBeGreaterThanOrEqual(49)
})

it('rests for the given multiple', async () => {
  const rests = createRests(() => performance.now())
  rests.noteSingle()
  const startedAt = performance.now()
  await rests.after({ times: 1e6, longestMs: 100 }, async () => await Promise.resolve(performance.now()))
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(99)
})

it('does not rest when nobody else is present', async () => {
  expect(await timePiece(() => undefined)).toBeLessThan(49)
})

it('rests after a chunk that failed, and reports the failure', async () => {
  let time = 0
  const rests = createRests(() => time)
  rests.noteSingle()
  const startedAt = performance.now()
  await expect(
    rests.after(FIVE_TIMES, () => {
      time += 10
      return Promise.reject(new Error('broke'))
    }),
  ).rejects.toThrow('broke')
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(49)
})

it('rests no longer than the limit', async () => {
  let time = 0
  const rests = createRests(() => time)
  rests.noteSingle()
  const startedAt = performance.now()
  await rests.after({ times: 5, longestMs: 150 }, () => {
    time += 50
    return Promise.resolve()
  })
  const rested = performance.now() - startedAt
  expect(rested).toBeGreaterThanOrEqual(149)
  expect(rested).toBeLessThan(1000)
})

it('rests as long as the chunk took, if that is above the limit', async () => {
  let time = 0
  const rests = createRests(() => time)
  rests.noteSingle()
  const startedAt = performance.now()
  await rests.after({ times: 5, longestMs: 1 }, () => {
    time += 100
    return Promise.resolve()
  })
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(99)
})

it('ends the current rest and begins no other when the server stops', async () => {
  let time = 0
  const rests = createRests(() => time)
  rests.noteSingle()
  const minute = { times: 1, longestMs: 60_000 }
  const piece = async (): Promise<void> => {
    time += 900
    await Promise.resolve()
  }
  const rested = rests.after(minute, piece)
  rests.stop()
  await rested
  await rests.after(minute, piece)
})
