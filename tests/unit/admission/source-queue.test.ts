import { beforeEach, expect, test } from 'vitest'
import { AppError } from '#core/errors.ts'
import { QUEUES, SOURCES } from '#server/admission/limits.ts'
import { createSourceQueues } from '#server/admission/source-queue.ts'

let at: number
let inLine: ReturnType<typeof createSourceQueues>
let begun: string[]
beforeEach(() => {
  at = 0
  inLine = createSourceQueues(() => at)
  begun = []
})

/** Posts leads that are all stored at the same moment; returns how many are admitted. */
function post(source: string, leads: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const posted = Array.from({ length: leads }, () =>
    inLine(source, async () => {
      begun.push(source)
      await promise
    }),
  )
  return { posted, store: resolve, begun: () => begun.filter((one) => one === source).length }
}

test('without other sources, all leads of a source are admitted at once', () => {
  expect(post('one', 1000).begun()).toBe(1000)
})

test('beside another source, only a few leads beyond the tokens are stored at a time, and the other source waits for none', async () => {
  post('other', 1).store()
  const one = post('one', 200)
  expect(one.begun()).toBe(SOURCES.atOnce + SOURCES.togetherBeyond)
  expect(post('other', 10).begun()).toBe(11)
  one.store()
  await Promise.all(one.posted)
  expect(one.begun()).toBe(200)
})

test('leads within the tokens are admitted at once, whatever other sources post', () => {
  for (let second = 0; second < 10; second += 1) {
    post('other', 1)
    expect(post('one', SOURCES.atOnce).begun()).toBe((second + 1) * SOURCES.atOnce)
    at += Math.ceil((1000 * SOURCES.atOnce) / SOURCES.perSecond)
  }
})

test('a source that was not seen for a while does not count as present', () => {
  post('other', 1)
  at += QUEUES.activeMs + 1
  post('one', 1)
  expect(post('one', 100).begun()).toBe(101)
})

test('a lead above the length of the queue is refused, and all waiting leads are stored', async () => {
  post('other', 1)
  const most = SOURCES.atOnce + SOURCES.togetherBeyond + QUEUES.longest
  const { posted, store } = post('one', most)
  await expect(inLine('one', () => Promise.resolve())).rejects.toThrow(AppError)
  store()
  expect(await Promise.all(posted)).toHaveLength(most)
})
