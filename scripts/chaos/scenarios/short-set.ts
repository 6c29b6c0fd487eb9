import { setTimeout as sleep } from 'node:timers/promises'
import type { Scenario } from '../scenario.ts'

const LOAD = { rate: 25, seconds: 9 }

/**
 * For the tests: the faults of S1, S16, S3, S4 and S7 in two worlds, with small numbers and the same checker.
 */
export const SHORT_SET: readonly Scenario[] = [
  {
    id: 'short-1',
    name: 'kill -9 of a worker and a rolling SIGTERM, under load',
    passes: 'the invariants',
    world: { workers: 2, endpoints: [{ status: 200, delayMs: 300 }] },
    load: { quick: LOAD, long: LOAD },
    drainSeconds: 45,
    break: async (run) => {
      const [first, second] = run.world.workers
      await run.at(2)
      await first?.kill()
      run.world.blur('kill of worker 1')
      await first?.restart()
      await run.at(5)
      await second?.stop()
      await second?.restart()
      run.mended()
    },
  },
  {
    id: 'short-2',
    name: 'FLUSHALL, a frozen and a killed Redis, a restart of PostgreSQL, under load',
    passes: 'the invariants',
    world: {
      workers: 2,
      endpoints: ['ok', 'first-500'],
      env: { WEBHOOK_RETRY_SCHEDULE: '3,3,3,3,5,5', WEBHOOK_RETRY_JITTER: '0' },
    },
    load: { quick: LOAD, long: LOAD },
    drainSeconds: 45,
    break: async (run) => {
      const { workers, redis, store, postgres } = run.world
      await run.at(2)
      // The workers pause for a moment, so that some jobs wait while others are delayed.
      for (const worker of workers) worker.freeze()
      await sleep(500)
      await redis.flushall()
      for (const worker of workers) worker.thaw()
      await run.at(4)
      await store?.freeze()
      await sleep(1500)
      await store?.thaw()
      await run.at(6)
      await store?.crash()
      await store?.start()
      await run.at(8)
      await postgres.crash()
      await postgres.start()
      // Deliveries need no Redis, and an answer waits for PostgreSQL, so no repeat is allowed.
      run.mended()
    },
  },
]
