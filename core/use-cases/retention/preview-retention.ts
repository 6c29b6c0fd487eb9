import { readClock } from '#core/data/read-clock.ts'
import { countOldRows } from '#core/data/retention/count-old-rows.ts'
import type { Db } from '#core/data/database.ts'
import type { Retained } from '#core/data/schema/retention-tables.ts'
import { findExpiredPartitions, LOG_TABLES } from '#core/data/webhooks/logs/log-partitions.ts'
import { listOldRows, oldestKept, type Periods } from './old-rows.ts'

/** The rows of one kind that the next removal would take. */
export interface RetentionPreview {
  what: Retained | 'weeks_of_attempts' | 'weeks_of_bodies'
  /** null: they are kept for ever */
  days: number | null
  /** rows, or whole weeks of the log */
  rows: number
  oldest_at: Date | null
}

/** Says what a removal would take now, by what, with the oldest time; nothing is changed. */
export async function previewRetention(db: Db, periods: Periods): Promise<RetentionPreview[]> {
  const now = await readClock(db)
  const previews: RetentionPreview[] = []
  for (const { what, days } of listOldRows(periods)) {
    const counted =
      days === undefined ? { rows: 0, oldest_at: null } : await countOldRows(db, what, oldestKept(now, days))
    previews.push({ what, days: days ?? null, ...counted })
  }
  const { keepDays, keepBodiesDays } = periods.logs
  for (const table of LOG_TABLES) {
    const days = table === 'webhook_delivery_logs' ? keepDays : keepBodiesDays
    const weeks = await findExpiredPartitions(db, table, days)
    const [, oldest] = /_(\d{8})$/.exec(weeks[0] ?? '') ?? []
    previews.push({
      what: table === 'webhook_delivery_logs' ? 'weeks_of_attempts' : 'weeks_of_bodies',
      days,
      rows: weeks.length,
      oldest_at:
        oldest === undefined ? null : new Date(oldest.replace(/^(....)(..)(..)$/, '$1-$2-$3T00:00:00Z')),
    })
  }
  return previews
}
