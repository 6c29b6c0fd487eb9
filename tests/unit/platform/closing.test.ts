import { expect, test } from 'vitest'
import { createClosing } from '#core/closing.ts'

test('resources are closed one by one, in reverse order', async () => {
  const done: string[] = []
  const { keep, close } = createClosing()
  const open = (name: string) =>
    keep(name, {
      part: name,
      close: async () => {
        await Promise.resolve()
        done.push(name)
      },
    })
  expect([open('database'), open('queues'), open('accounts')]).toEqual(['database', 'queues', 'accounts'])

  await close()

  expect(done).toEqual(['accounts', 'queues', 'database'])
})
