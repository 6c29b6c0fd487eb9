import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startPostgres, type Service } from '../services/postgres.ts'
import { startRedis } from '../services/redis.ts'
import { duration } from '../services/step.ts'
import { createBackoff } from './backoff.ts'

export interface ServiceOrder<Started extends Service> {
  name: string
  /** Takes any free port the first time, and then the same port, because its users read it only once. */
  start: (port?: number) => Promise<Started>
  logFile: string
}

/**
 * Starts PostgreSQL or Redis, and restarts it with the same port and data whenever it ends by itself, with a
 * message.
 */
export async function keepService<Started extends Service>(
  order: ServiceOrder<Started>,
): Promise<{ service: Started; stop: () => Promise<void> }> {
  const { name, logFile } = order
  const stopping = new AbortController()
  const nextPause = createBackoff()
  const service = await order.start()
  let running = service
  const watch = watchOver()
  return {
    service,
    stop: async () => {
      stopping.abort()
      await running.stop()
      await watch
    },
  }

  async function watchOver(): Promise<void> {
    for (;;) {
      const how = await running.ended
      if (stopping.signal.aborted) return
      const endedAt = performance.now()
      let what = `ended (${how}); starting it again`
      while (!(await bringBack(what))) {
        if (stopping.signal.aborted) return
        what = 'did not come back; trying again'
      }
      console.log(`✓ ${name} is back after ${duration(performance.now() - endedAt)}`)
    }
  }

  async function bringBack(what: string): Promise<boolean> {
    const pauseMs = nextPause()
    console.error(`✗ ${name} ${what} in ${pauseMs / 1000} s. Log: ${logFile}`)
    // Rejects when everything is being stopped.
    await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    if (stopping.signal.aborted) return false
    const again = await order.start(service.port).catch(() => undefined)
    if (again === undefined) return false
    running = again
    // The service started while everything was being stopped.
    if (stopping.signal.aborted) await running.stop()
    return !stopping.signal.aborted
  }
}

/** Our own PostgreSQL with its data in `folder`, restarted when it ends. */
export function keepPostgres(folder: string) {
  return keepService({
    name: 'PostgreSQL',
    start: (port) => startPostgres({ folder, ...(port !== undefined && { port }) }),
    logFile: path.join(folder, 'postgres.log'),
  })
}

/** Our own Redis with its data in `folder`, restarted when it ends. */
export function keepRedis(folder: string) {
  return keepService({
    name: 'Redis',
    start: (port) => startRedis({ folder, ...(port !== undefined && { port }) }),
    logFile: path.join(folder, 'redis.log'),
  })
}
