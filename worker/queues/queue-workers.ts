import { setTimeout as sleep } from 'node:timers/promises'
import { Worker, type Processor } from 'bullmq'
import { createSayOnce } from '#core/telemetry/say-once.ts'
import { openWorkerConnection, prefixOfQueue, type RedisConnection } from '#core/queue/redis.ts'
import type { WorkerContext } from '../context.ts'
import { repeatDelayMs, runStage, type Stage } from './run-stage.ts'

/** A worker without jobs is closed within milliseconds. */
const IDLE_FOR_MS = 5000
const LOOK_MS = 200

/** A queue, its stage, and how many jobs run at once. */
export interface QueueOrder {
  queue: string
  stage: Stage
  slots: number
}

/** Number of jobs that a queue's worker has begun and has in flight, including its replacements. */
export interface Pulse {
  queue: string
  slots: number
  started: number
  running: number
}

export interface QueueWorkers {
  pulses: readonly Pulse[]
  waitUntilReady: () => Promise<void>
  /** Drops the workers and their connection, whatever their condition, and opens new ones. Jobs under way continue. */
  replace: () => void
  /** Takes no new jobs; resolves when those in flight have finished. */
  stop: () => Promise<void>
}

/** @param connection opened by the caller; this module closes it */
export function openQueueWorkers(
  context: Pick<WorkerContext, 'config' | 'logger'>,
  orders: readonly QueueOrder[],
  connection: RedisConnection,
): QueueWorkers {
  const { config, logger } = context
  const pulses = orders.map(({ queue, slots }): Pulse => ({ queue, slots, started: 0, running: 0 }))
  // While Redis is away, each worker reports it once a second, so it is logged once.
  const sayOnce = createSayOnce()
  let crew = open(connection)

  function open(on: RedisConnection): { connection: RedisConnection; workers: Worker[] } {
    const workers = orders.map(({ queue, stage, slots }, index) => {
      const worker = new Worker(queue, feel(runStage(stage, logger), pulses[index]), {
        connection: on,
        prefix: prefixOfQueue(config.redis, queue),
        concurrency: slots,
        // A killed worker's jobs run again after at most lock + 2 × check; the lock is renewed while a job runs.
        lockDuration: 15_000,
        stalledInterval: 5000,
        // A stall is never the delivery's fault: attempts are counted in PostgreSQL.
        maxStalledCount: 10_000,
        settings: { backoffStrategy: repeatDelayMs },
      })
      worker.on('error', (error) => {
        sayOnce(error.message, (repeats) => {
          logger.warn({ err: error, queue, ...(repeats > 0 && { repeats }) }, 'a queue worker met an error')
        })
      })
      return worker
    })
    return { connection: on, workers }
  }

  /**
   * Worker.close() waits for Redis, however long it is away (bullmq#4656). It waits for ever if a command was lost with
   * a cluster's master, even once that master is back. Once no job runs, there is nothing to wait for.
   */
  async function becomeIdle(signal: AbortSignal): Promise<void> {
    const isWorking = (): boolean => pulses.some(({ running }) => running > 0)
    let idleSince = performance.now()
    while (!signal.aborted) {
      if (isWorking()) idleSince = performance.now()
      else if (crew.connection.status !== 'ready') return
      else if (performance.now() - idleSince > IDLE_FOR_MS) return
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  return {
    pulses,
    waitUntilReady: async () => {
      await Promise.all(crew.workers.map((worker) => worker.waitUntilReady()))
    },
    replace: () => {
      const old = crew
      crew = open(connectWorkers(context))
      // A job that the old workers finish from now on stays locked for a while. The worker that runs it again finds it
      // settled.
      for (const worker of old.workers) worker.close(true).catch(() => undefined)
      old.connection.disconnect()
    },
    stop: async () => {
      const stopped = new AbortController()
      await Promise.race([
        Promise.all(crew.workers.map((worker) => worker.close())),
        becomeIdle(stopped.signal),
      ])
      stopped.abort()
      crew.connection.disconnect()
    },
  }
}

/** The connection that all workers of a process share. */
export function connectWorkers({
  config,
  logger,
}: Pick<WorkerContext, 'config' | 'logger'>): RedisConnection {
  const connection = openWorkerConnection(config.redis)
  connection.on('error', (error: Error) => {
    logger.debug({ err: error }, 'redis connection failed')
  })
  return connection
}

function feel(
  process: Processor<unknown, undefined>,
  pulse: Pulse | undefined,
): Processor<unknown, undefined> {
  return async function processJob(job, token) {
    if (pulse === undefined) return process(job, token)
    pulse.started += 1
    pulse.running += 1
    try {
      return await process(job, token)
    } finally {
      pulse.running -= 1
    }
  }
}
