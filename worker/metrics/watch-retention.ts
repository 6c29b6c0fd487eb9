import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import { readRetention, type RetentionState } from '#core/data/retention/read-retention.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { watchReading } from '#core/telemetry/watch-reading.ts'
import { listOldRows, type Periods } from '#core/use-cases/retention/old-rows.ts'

const KEPT_MS = 10_000

/** Tells how old the oldest rows are, and when old ones were last removed, read from PostgreSQL at each scrape. */
export function watchRetention(
  registry: Registry,
  { db, config }: { db: Kysely<Database>; config: Periods },
): void {
  const { gaugeBy } = watchReading(registry, { keptMs: KEPT_MS, read: () => readRetention(db) })
  const kinds = listOldRows(config)
  const kept = new Set<string>(kinds.flatMap(({ what, days }) => (days === undefined ? [] : what)))
  const secondsSince = (name: string, help: string, time: (row: RetentionState) => Date | null): void => {
    gaugeBy(name, help, ['what'], (rows) =>
      rows.flatMap((row) => {
        const at = time(row)
        return at === null ? [] : [[{ what: row.what }, (Date.now() - at.getTime()) / 1000] as const]
      }),
    )
  }
  secondsSince(
    'leadwire_oldest_row_age_seconds',
    'Age of the oldest row, by what: deliveries, events, decisions, audit_rows',
    (row) => row.oldest_at,
  )
  secondsSince(
    'leadwire_retention_last_run_age_seconds',
    'How long ago the removal of old rows last came to its end, by what; only kinds that have a period',
    (row) => (kept.has(row.what) ? row.ended_at : null),
  )
  gaugeBy('leadwire_retention_period_seconds', 'How long rows are kept, by what; 0: for ever', ['what'], () =>
    kinds.map(({ what, days = 0 }) => [{ what }, days * 86_400] as const),
  )
}
