import { expect, it } from 'vitest'
import { AppError } from '#core/errors.ts'
import { createBatchTurns } from '#server/admission/batch-turns.ts'

it('sends a new batch away while a hundred pieces wait, and none that has begun', async () => {
  const turns = createBatchTurns()
  const { promise, resolve } = Promise.withResolvers<void>()
  const line = Array.from({ length: 101 }, () => {
    turns.admit()
    return turns.inTurn(() => promise)
  })
  const begun = turns.inTurn(async () => await Promise.resolve('taken'))

  expect(() => turns.admit()).toThrow(
    new AppError('unavailable', 'Too many batches are waiting. Nothing of this one was stored.'),
  )
  resolve()
  await Promise.all(line)
  expect(await begun).toBe('taken')
  expect(() => turns.admit()).not.toThrow()
})

it('lets one piece of a replay run at a time, and none waits for a batch', async () => {
  const turns = createBatchTurns()
  const { promise, resolve } = Promise.withResolvers<void>()
  const batch = turns.inTurn(() => promise)
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
