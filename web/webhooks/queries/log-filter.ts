/** The filters of the delivery logs, as in the address; empty if not set. */
export interface LogFilter {
  search: string
  status: string
  event_type: string
  /** `1h`, `24h`, `7d`, `30d`, until now. Excludes `from` and `to`. */
  period: string
  /** ISO 8601 */
  from: string
  to: string
}

export const NO_LOG_FILTER: LogFilter = {
  search: '',
  status: '',
  event_type: '',
  period: '',
  from: '',
  to: '',
}

const HOUR_MS = 3_600_000
const PERIODS_MS: Readonly<Record<string, number>> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
}

/** Returns the start of a period that ends now, for the API; empty for an unknown period. */
export function startOfPeriod(period: string, now = Date.now()): { from?: string } {
  const length = PERIODS_MS[period]
  return length === undefined ? {} : { from: new Date(now - length).toISOString() }
}
