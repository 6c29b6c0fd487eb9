import { expect, it } from 'vitest'
import { limitParallel } from '#core/concurrency/limit-parallel.ts'

/** A task that ends when told to. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { run: () => promise, resolve, reject }
}

it('runs at most as many tasks as it has slots, in their order', async () => {
  const inTurn = limitParallel(2, 10, () => new Error('full'))
  const tasks = [held(), held(), held(), held()]
  const started: number[] = []
  const results = tasks.map((task, index) =>
    inTurn(() => {
      started.push(index)
      return task.run()
    }),
  )
  expect(started).toEqual([0, 1])
  tasks[1]?.resolve('one')
  expect(await results[1]).toBe('one')
  await expect.poll(() => started).toEqual([0, 1, 2])
  for (const task of tasks) task.resolve('rest')
  expect(await Promise.all(results)).toEqual(['rest', 'one', 'rest', 'rest'])
})

it('gives the slot of a failed task to the next one', async () => {
  const inTurn = limitParallel(1, 10, () => new Error('full'))
  const first = held()
  const failing = inTurn(first.run)
  const next = inTurn(async () => 'ran')
  first.reject(new Error('broke'))
  await expect(failing).rejects.toThrow('broke')
  expect(await next).toBe('ran')
})

it('refuses a task that would wait too long, and later accepts tasks again', async () => {
  const inTurn = limitParallel(1, 1, () => new Error('full'))
  const first = held()
  const running = inTurn(first.run)
  const waiting = inTurn(async () => 'waited')
  await expect(inTurn(async () => 'never')).rejects.toThrow('full')
  first.resolve('done')
  expect(await Promise.all([running, waiting])).toEqual(['done', 'waited'])
  expect(await inTurn(async () => 'again')).toBe('again')
})
