import { expect, it } from 'vitest'
import { AppError } from '#core/errors.ts'
import { QUEUES } from '#server/admission/limits.ts'
import { createLongWork } from '#server/admission/long-work.ts'
import { NO_RESTS } from './given-queues.ts'

it('refuses a new batch while the queue of chunks is full, and continues batches that have begun', async () => {
  const turns = createLongWork(NO_RESTS)
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiting = Array.from({ length: QUEUES.longest + 1 }, () => {
    turns.admitBatch()
    return turns.inBatchQueue(() => promise)
  })
  const begun = turns.inBatchQueue(async () => await Promise.resolve('taken'))

  expect(() => turns.admitBatch()).toThrow(
    new AppError('unavailable', 'Too many batches are waiting. Nothing of this one was stored.'),
  )
  resolve()
  await Promise.all(waiting)
  expect(await begun).toBe('taken')
  expect(() => turns.admitBatch()).not.toThrow()
})

it('runs one chunk of a replay at a time, and no chunk waits for a batch', async () => {
  const turns = createLongWork(NO_RESTS)
  const { promise, resolve } = Promise.withResolvers<void>()
  const batch = turns.inBatchQueue(() => promise)
  let running = 0
  let mostRunning = 0
  const piece = async (): Promise<string> => {
    running += 1
    mostRunning = Math.max(mostRunning, running)
    await Promise.resolve()
    running -= 1
    return 'made'
  }
  const pieces = Array.from({ length: 5 }, () => turns.inReplayQueue(piece))

  expect(await Promise.all(pieces)).toEqual(pieces.map(() => 'made'))
  expect(mostRunning).toBe(1)
  resolve()
  await batch
})
