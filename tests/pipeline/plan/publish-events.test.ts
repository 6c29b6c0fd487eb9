import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '#core/config/config.ts'
import { findUnenqueuedEvents } from '#core/data/outbox/events.ts'
import { CONSUMED_EVENTS } from '#core/queue/event-consumers.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { openEventPublisher, type EventPublisher } from '#core/queue/publish-events.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenClient, givenLead, startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { testRedisUrl } from '#tests/support/services/redis.ts'
import { startTcpProxy, type TcpProxy } from '#scripts/lab/start-tcp-proxy.ts'

let pipeline: TestPipeline
let proxy: TcpProxy
let events: EventPublisher
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
  proxy = await startTcpProxy(testRedisUrl())
  const config = loadConfig({ ...pipeline.environment.env, REDIS_URL: proxy.through(testRedisUrl()) })
  events = openEventPublisher({ config, db: pipeline.db, logger: createLogger('test', 'silent') })
  await waitUntil(() => events.isReady())
})
afterAll(async () => {
  await events.close()
  await proxy.close()
  await pipeline.close()
})

test('after a failure of Redis the publisher pauses for a moment, and then tries again', async () => {
  await givenLead(pipeline.db, await givenClient(pipeline.db))
  const outbox = await waitUntil(async () => {
    const found = await findUnenqueuedEvents(pipeline.db, { types: CONSUMED_EVENTS, limit: 1 })
    return found.length > 0 && found
  })
  proxy.onSent((connection, piece) => {
    if (piece.includes('evt-')) connection.swallowReplies()
  })
  const publish = async (): Promise<[published: boolean, ms: number]> => {
    const before = performance.now()
    return [await events.publish(outbox), performance.now() - before]
  }

  const [published, waitedMs] = await publish()
  expect(published).toBe(false)
  // The limit is 1.5 s; without it the answer would wait until the connection is closed.
  expect(waitedMs).toBeLessThan(6000)
  const [again, spentMs] = await publish()
  expect(again).toBe(false)
  // It did not wait for Redis again.
  expect(spentMs).toBeLessThan(1000)

  // The silent socket is closed as well, and a new one is opened.
  proxy.onSent(() => undefined)
  await waitUntil(() => events.publish(outbox), { timeoutMs: 15_000, intervalMs: 200 })
})
