import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { findUnplannedEvents, type UnplannedEvent } from '#core/data/outbox/events.ts'
import { CONSUMED_EVENTS } from '#core/queue/event-consumers.ts'
import { createHeartbeat } from '#core/queue/heartbeat.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import type { WorkerContext } from '#worker/context.ts'

const BATCH = 500

/**
 * Notices within a second that Redis lost its data, and rebuilds the job of every event that is not planned from PostgreSQL at
 * once: oldest first, without the grace that the relay gives, a thousand a second at most. Deliveries need none: they wait as rows. A process that starts looks as well, because
 * the loss may have come while no worker ran.
 */
export function createRebuildQueues(
  context: Pick<WorkerContext, 'config' | 'db' | 'redis' | 'events' | 'logger'>,
): { rebuildQueues: (signal?: AbortSignal) => Promise<void>; stop: () => Promise<void> } {
  const { db, events, logger } = context
  const heartbeat = createHeartbeat(context.redis, queuePrefix(context.config.redis), randomUUID())

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
      const data = await heartbeat.beat()
      if (data === 'kept') return
      if (data === 'lost') logger.warn('redis lost its data; its jobs are rebuilt from the database')
      await heartbeat.lead(() => restoreEvents(signal))
    },
    stop: () => heartbeat.stop(),
  }
}
