import { expect, it } from 'vitest'
import { AppError } from '#core/errors.ts'
import { createBatchTurns } from '#core/fairness/batch-turns.ts'

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

it('lets one replay run at a time, whoever’s it is, and sends one away while twenty wait', async () => {
  const turns = createBatchTurns()
  const { promise, resolve } = Promise.withResolvers<void>()
  let running = 0
  let mostRunning = 0
  const line = Array.from({ length: 21 }, () =>
    turns.replay(async (inPiece) => {
      running += 1
      mostRunning = Math.max(mostRunning, running)
      const pieces = [
        await inPiece(() => promise.then(() => 'first')),
        await inPiece(async () => await Promise.resolve('second')),
      ]
      running -= 1
      return pieces
    }),
  )

  await expect(turns.replay(async () => await Promise.resolve())).rejects.toThrow(
    new AppError(
      'unavailable',
      'Many others are sending again what has failed. Nothing of this was sent again; try it in a minute.',
    ),
  )
  resolve()
  expect(await Promise.all(line)).toEqual(line.map(() => ['first', 'second']))
  expect(mostRunning).toBe(1)
})
