import type { Config } from '#core/config/config.ts'
import type { KeptSpan } from '#core/data/webhooks/logs/log-filter.ts'

const DAY_MS = 24 * 3600 * 1000
/** Weeks are made four ahead; clocks do not differ by one. */
const AHEAD_DAYS = 7

/** The attempts that are kept: the oldest weeks that may be gone are left out, and what has no week yet. */
export function keptLogs(config: Config, now = Date.now()): KeptSpan {
  return {
    since: new Date(now - config.logs.keepDays * DAY_MS),
    until: new Date(now + AHEAD_DAYS * DAY_MS),
  }
}
