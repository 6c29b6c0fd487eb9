import { expect, test } from 'vitest'
import { forgetPresence, tellPresence } from '#core/queue/present-workers.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { startPipeline } from '#tests/support/given/pipeline.ts'
import { createTellPresence } from '#worker/housekeeping/watch/tell-presence.ts'

test('a worker knows how many workers there are, and keeps the last number while Redis is away', async () => {
  const { context, close } = await startPipeline({}, { worker: false })
  const prefix = queuePrefix(context.config.redis)
  const other = { id: 'other', slots: 10 }
  const heard: number[] = []
  const { tellPresence: run, stop } = createTellPresence(context, {
    setWorkerCount: (count) => void heard.push(count),
  })
  try {
    await run()
    await tellPresence(context.redis, prefix, other, 60)
    await run()
    await forgetPresence(context.redis, prefix, other)
    await run()
    expect(heard).toEqual([1, 2, 1])
  } finally {
    await stop()
    context.redis.disconnect()
    await waitUntil(() => context.redis.status !== 'ready', { what: 'The end of the connection' })
    await run()
    expect(heard).toHaveLength(3)
    await close()
  }
})
