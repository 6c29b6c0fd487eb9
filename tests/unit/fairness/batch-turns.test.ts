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
