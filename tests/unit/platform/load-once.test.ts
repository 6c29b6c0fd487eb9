import { expect, test } from 'vitest'
import { loadOnce } from '#core/load-once.ts'

test('loads with the first call, and again after a failure', async () => {
  const outcomes = ['unreadable', 'loaded']
  const asked: string[] = []
  const load = loadOnce(async () => {
    const outcome = outcomes.shift() ?? 'loaded twice'
    asked.push(outcome)
    await Promise.resolve()
    if (outcome === 'unreadable') throw new Error(outcome)
    return outcome
  })
  const first = await Promise.allSettled([load(), load()])
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await Promise.all([load(), load()])).toEqual(['loaded', 'loaded'])
  expect(await load()).toBe('loaded')
  expect(asked).toEqual(['unreadable', 'loaded'])
})
