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
 * Notices within a second that Redis lost its data, and rebuilds the job of every event that is not planned from PostgreSQL at
 * once: oldest first, without the grace that the relay gives, a thousand a second at most. Deliveries need none: they wait as rows. In a
 * cluster each shard has a master of its own to lose, so each has a heartbeat. A process that starts looks as well, because the loss
 * may have come while no worker ran.
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
      // A master that does not answer keeps no other's loss from being noticed.
      const failed = beats.find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
    },
    stop: async () => {
      await Promise.all(heartbeats.map(({ stop }) => stop()))
    },
  }
}
