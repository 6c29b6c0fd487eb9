import { expect, it } from 'vitest'
import { AppError } from '#core/errors.ts'
import { LINES } from '#server/admission/limits.ts'
import { createPriorities } from '#server/admission/turns.ts'
import { NO_RESTS } from './given-lines.ts'

it('sends a new batch away while a whole line of pieces waits, and none that has begun', async () => {
  const turns = createPriorities(NO_RESTS)
  const { promise, resolve } = Promise.withResolvers<void>()
  const line = Array.from({ length: LINES.longest + 1 }, () => {
    turns.admitBatch()
    return turns.inTurnOfBatches(() => promise)
  })
  const begun = turns.inTurnOfBatches(async () => await Promise.resolve('taken'))

  expect(() => turns.admitBatch()).toThrow(
    new AppError('unavailable', 'Too many batches are waiting. Nothing of this one was stored.'),
  )
  resolve()
  await Promise.all(line)
  expect(await begun).toBe('taken')
  expect(() => turns.admitBatch()).not.toThrow()
})

it('lets one piece of a replay run at a time, and none waits for a batch', async () => {
  const turns = createPriorities(NO_RESTS)
  const { promise, resolve } = Promise.withResolvers<void>()
  const batch = turns.inTurnOfBatches(() => promise)
  let running = 0
  let mostRunning = 0
  const piece = async (): Promise<string> => {
    running += 1
    mostRunning = Math.max(mostRunning, running)
    await Promise.resolve()
    running -= 1
    return 'made'
  }
  const pieces = Array.from({ length: 5 }, () => turns.inTurnOfReplays(piece))

  expect(await Promise.all(pieces)).toEqual(pieces.map(() => 'made'))
  expect(mostRunning).toBe(1)
  resolve()
  await batch
})
