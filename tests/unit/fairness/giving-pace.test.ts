import { expect, it } from 'vitest'
import { createGivingPace } from '#core/fairness/giving-pace.ts'

/** Does a piece that takes `tookMs` by the pace's own clock; the rest after it is real. */
async function timePiece(share: number, longestRestMs: number, tookMs = 10, fails = false): Promise<number> {
  let time = 0
  const leeway = {
    noteGiving: () => undefined,
    share: () => share,
    watch: () => () => undefined,
    among: () => undefined,
  }
  const pace = createGivingPace({ leeway, tolerableMs: 8, longestRestMs, now: () => time })
  const startedAt = performance.now()
  const piece = pace.piece(() => {
    time += tookMs
    return fails ? Promise.reject(new Error('broke')) : Promise.resolve('done')
  })
  await (fails ? expect(piece).rejects.toThrow('broke') : expect(piece).resolves.toBe('done'))
  return performance.now() - startedAt
}

it('rests after each piece, so long that it took but its share of the time', async () => {
  expect(await timePiece(0.05, 5000)).toBeGreaterThanOrEqual(189)
})

it('does not rest with nobody about', async () => {
  expect(await timePiece(1, 5000)).toBeLessThan(189)
})

it('rests after a piece that failed, and passes the failure on', async () => {
  expect(await timePiece(0.05, 5000, 10, true)).toBeGreaterThanOrEqual(189)
})

it('rests no longer than it may', async () => {
  const rested = await timePiece(0.05, 150, 500)
  expect(rested).toBeGreaterThanOrEqual(149)
  expect(rested).toBeLessThan(1000)
})

it('notes how long single things take, those that fail too', async () => {
  let time = 0
  const noted: number[] = []
  const leeway = {
    noteGiving: () => undefined,
    share: () => 1,
    watch: () => (ms: number) => noted.push(ms),
    among: () => undefined,
  }
  const pace = createGivingPace({ leeway, tolerableMs: 8, longestRestMs: 0, now: () => time })
  await pace.single(async () => {
    time += 7
    return await Promise.resolve()
  })
  const fails = pace.single(() => {
    time += 9
    return Promise.reject(new Error('broke'))
  })
  await expect(fails).rejects.toThrow('broke')
  expect(noted).toEqual([7, 9])
})
