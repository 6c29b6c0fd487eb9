import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { HELD_BACK } from '../webhooks/deliveries/rate-limits.ts'

/** The lag of the pipeline, by PostgreSQL's clock. Ages are 0 if nothing waits. */
export interface PipelineLag {
  /** age of the delivery that has been due longest, in flight or not, at endpoints that have not used up their limit */
  oldestDueSeconds: number
  /** age of the event that has waited longest for its deliveries to be planned */
  oldestUnplannedSeconds: number
  /** events that Redis does not have yet; counted up to {@link DEPTH_LIMIT} */
  outboxDepth: number
  /** events that this version does not consume or whose consumer gave up, by type */
  stray: StrayEvents
  /** number of endpoints whose deliveries are held because they do not answer */
  openBreakers: number
}

/** Counting reads each row, and beyond this the number no longer matters. */
export const DEPTH_LIMIT = 100_000

/** Events that wait for a version that consumes their type, or for a person who has them tried again. */
export interface StrayEvents {
  unclaimed: Array<{ type: string; count: number }>
  failed: Array<{ type: string; count: number }>
}

/**
 * Reads how far behind the pipeline is. Each part is the first entry of an index that holds only unfinished rows.
 * @param types the types that this version consumes
 */
export async function readPipelineLag(db: Db, types: readonly string[]): Promise<PipelineLag> {
  const { rows } = await sql<{ due: number | null; unplanned: number | null; depth: number; open: number }>`
    select
      (select extract(epoch from now() - next_attempt_at)::float8 from webhook_deliveries
        where state = 'pending' and next_attempt_at <= now() and webhook_config_id <> all(${HELD_BACK})
        order by next_attempt_at limit 1) as due,
      (select extract(epoch from now() - created_at)::float8 from events
        where planned_at is null and failed_at is null and type = any(${[...types]}::text[]) order by created_at limit 1) as unplanned,
      (select count(*)::int from (select from events
        where enqueued_at is null and failed_at is null and type = any(${[...types]}::text[]) limit ${DEPTH_LIMIT}) waiting) as depth,
      (select count(*)::int from webhook_endpoint_health where breaker = 'open') as open
  `.execute(db)
  const [row] = rows
  return {
    oldestDueSeconds: row?.due ?? 0,
    oldestUnplannedSeconds: Math.max(0, row?.unplanned ?? 0),
    outboxDepth: row?.depth ?? 0,
    openBreakers: row?.open ?? 0,
    stray: await readStrayEvents(db, types),
  }
}

/**
 * Counts among the oldest {@link DEPTH_LIMIT} that wait.
 * @param types the types that this version consumes
 */
export async function readStrayEvents(db: Db, types: readonly string[]): Promise<StrayEvents> {
  const { rows } = await sql<{ type: string; has_failed: boolean; count: number }>`
    select type, failed_at is not null as has_failed, count(*)::int as count
    from (select type, failed_at from events where planned_at is null order by created_at limit ${DEPTH_LIMIT}) waiting
    where failed_at is not null or not type = any(${[...types]}::text[])
    group by 1, 2 order by 1
  `.execute(db)
  const those = (failed: boolean) =>
    rows.filter((row) => row.has_failed === failed).map(({ type, count }) => ({ type, count }))
  return { unclaimed: those(false), failed: those(true) }
}
