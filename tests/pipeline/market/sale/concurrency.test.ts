import { createKeyring } from '#core/secrets/keyring.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createLogger } from '#core/telemetry/logger.ts'
import { findContradictions } from '#scripts/lab/market/find-contradictions.ts'
import { findFeedFaults } from '#scripts/lab/market/find-feed-faults.ts'
import { followFeeds } from '#scripts/lab/market/follow-feeds.ts'
import { playMarket } from '#scripts/lab/market/play-market.ts'
import { startApp, type TestApp } from '#tests/http/support/start-app.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { createContext, type WorkerContext } from '#worker/context.ts'
import { startWorker } from '#worker/start-worker.ts'

// Takes ten seconds of two cores, which other tests may use too.
vi.setConfig({ testTimeout: 240_000 })

let app: TestApp
let worker: { context: WorkerContext; close: () => Promise<void> }
beforeAll(async () => {
  // A connection for each caller that waits for a lock; on a busy machine the last would wait too long for
  // one.
  app = await startApp({ DATABASE_POOL_SIZE: '36' })
  const { config } = app.context
  const { context, close } = createContext(
    config,
    createKeyring(config.secretsKey ?? ''),
    createLogger('test', 'warn'),
  )
  await waitUntil(() => context.events.isReady() && context.redis.status === 'ready', { what: 'Redis' })
  const running = await startWorker(context, () => {
    throw new Error('The worker gave itself up')
  })
  worker = {
    context,
    close: async () => {
      await running.stop()
      await close()
    },
  }
})
afterAll(async () => {
  await worker.close()
  await app.close()
})

test('concurrent assignments amid constant changes sell nothing twice, exceed no cap, keep to the weights, and number every feed without a gap', async () => {
  const { context } = worker
  const publish = (events: Parameters<typeof context.events.publish>[0]) =>
    context.events.publish(events, { mark: 'now' })
  const ground = { db: context.db, url: app.url, token: app.admin.token, publish }
  let isOver = false
  const following = followFeeds(context.db, () => isOver)
  const played = await playMarket(ground, { clients: 40, callers: 32, leads: 1200 }).finally(() => {
    isOver = true
  })
  const followed = await following

  expect(await findContradictions(context.db)).toEqual([])
  expect(await findFeedFaults(context.db)).toEqual([])
  expect(followed).toEqual({ entries: expect.any(Number) as number, outOfOrder: 0 })
  expect(followed.entries).toBeGreaterThanOrEqual(played.sold)
  const { answers, disturbed, undecided, sold, offShare } = played
  expect(Object.keys(answers).filter((answer) => answer.startsWith('status'))).toEqual([])
  expect(answers).toMatchObject({ 'in SQL: no_buyer': expect.any(Number) as number })
  expect({ undecided, isNear: offShare <= 0.01 }).toEqual({ undecided: 0, isNear: true })
  // Both ways of assigning sold leads, and each of the changes happened.
  expect(answers['assigned']).toBeGreaterThan(20)
  expect(sold).toBeGreaterThan(400)
  expect(Math.min(...Object.values<number>({ ...disturbed }))).toBeGreaterThan(5)
})
