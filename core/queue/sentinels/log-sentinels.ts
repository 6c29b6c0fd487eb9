import type { Logger } from '../../telemetry/logger.ts'
import type { RedisConnection } from '../redis.ts'

/** A Sentinel that is down fails every second; the log has one line of it a minute. */
const QUIET_MS = 60_000

/** Logs that a Sentinel does not answer: nothing else says so while another one does. */
export function logSentinels(connection: RedisConnection, logger: Logger): void {
  let toldAt = -Infinity
  connection.on('sentinelError', (error: Error) => {
    if (performance.now() - toldAt < QUIET_MS) return
    toldAt = performance.now()
    logger.warn({ err: error }, 'a Redis Sentinel does not answer')
  })
}
