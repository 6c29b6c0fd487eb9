import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { findUnplannedEvents, type UnplannedEvent } from '#core/data/outbox/events.ts'
import { CONSUMED_EVENTS } from '#core/queue/event-consumers.ts'
import { createHeartbeat } from '#core/queue/heartbeat.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import { listShards } from '#core/queue/shards.ts'
import type { WorkerContext } from '#worker/context.ts'

const BATCH = 500

/**
 * Notices within a second that Redis lost its data, and rebuilds the job of every unplanned event from PostgreSQL. It
 * begins with the oldest, without the relay's grace period, and rebuilds at most a thousand a second. Deliveries need
 * no jobs: they wait as rows. Each shard has a heartbeat, because in a cluster one master may lose its data alone. A
 * process also checks at its start, because the loss may have happened while no worker ran.
 */
export function createRebuildQueues(
  context: Pick<WorkerContext, 'config' | 'db' | 'redis' | 'events' | 'logger'>,
): { rebuildQueues: (signal?: AbortSignal) => Promise<void>; stop: () => Promise<void> } {
  const { db, events, logger } = context
  const { redis } = context.config
  const id = randomUUID()
  const heartbeats = listShards(redis.shards).map((shard) =>
    createHeartbeat(context.redis, queuePrefix(redis, shard), id),
  )

  async function restoreEvents(signal: AbortSignal | undefined): Promise<void> {
    let after: UnplannedEvent | undefined
    for (;;) {
      if (signal?.aborted === true) return
      const page: UnplannedEvent[] = await findUnplannedEvents(db, {
        types: CONSUMED_EVENTS,
        overdueSeconds: 0,
        limit: BATCH,
        after,
      })
      after = page.at(-1)
      if (after === undefined) return
      const restored = await events.restore(page, 0)
      if (restored > 0) logger.info({ count: restored }, 'relayed events whose job was gone')
      await sleep(restored, undefined, { signal }).catch(() => undefined)
    }
  }

  return {
    rebuildQueues: async (signal) => {
      if (context.redis.status !== 'ready') return
      const beats = await Promise.allSettled(heartbeats.map(({ beat }) => beat()))
      const said = beats.map((beat) => (beat.status === 'fulfilled' ? beat.value : undefined))
      if (said.includes('lost')) logger.warn('redis lost its data; its jobs are rebuilt from the database')
      const noticed = heartbeats.find((_heartbeat, shard) => said[shard] === 'lost' || said[shard] === 'new')
      await noticed?.lead(() => restoreEvents(signal))
      // One master that does not answer must not hide another master's loss.
      const failed = beats.find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
    },
    stop: async () => {
      await Promise.all(heartbeats.map(({ stop }) => stop()))
    },
  }
}
