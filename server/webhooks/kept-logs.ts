import type { Config } from '#core/config/config.ts'
import type { KeptSpan } from '#core/data/webhooks/logs/log-filter.ts'

const DAY_MS = 24 * 3600 * 1000
/** Partitions are created four weeks ahead; clocks differ by less than one week. */
const AHEAD_DAYS = 7

/**
 * The span of attempts to read: without the oldest weeks, which may be dropped, and without times that have
 * no partition yet.
 */
export function keptLogs(config: Config, now = Date.now()): KeptSpan {
  return {
    since: new Date(now - config.logs.keepDays * DAY_MS),
    until: new Date(now + AHEAD_DAYS * DAY_MS),
  }
}
