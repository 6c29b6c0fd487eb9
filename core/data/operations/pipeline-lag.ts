import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** How far behind the pipeline is, by PostgreSQL's clock. Ages are 0 where nothing waits. */
export interface PipelineLag {
  /** of the delivery that has been due longest, one in flight or at a slow endpoint included */
  oldestDueSeconds: number
  /** of the event that has waited longest for its deliveries to be planned */
  oldestUnplannedSeconds: number
  /** events that Redis does not have yet; counted up to {@link DEPTH_LIMIT} */
  outboxDepth: number
  /** endpoints whose deliveries are held back because they do not answer */
  openBreakers: number
}

/** Counting reads each row, and beyond this the number no longer matters. */
export const DEPTH_LIMIT = 100_000

/** Each part is the first entry of an index that holds only what is still to do. */
export async function readPipelineLag(db: Db): Promise<PipelineLag> {
  const { rows } = await sql<{ due: number | null; unplanned: number | null; depth: number; open: number }>`
    select
      (select extract(epoch from now() - next_attempt_at)::float8 from webhook_deliveries
        where state = 'pending' order by next_attempt_at limit 1) as due,
      (select extract(epoch from now() - created_at)::float8 from events
        where planned_at is null order by created_at limit 1) as unplanned,
      (select count(*)::int from (select from events where enqueued_at is null limit ${DEPTH_LIMIT}) waiting) as depth,
      (select count(*)::int from webhook_endpoint_health where breaker = 'open') as open
  `.execute(db)
  const [row] = rows
  return {
    // The next one may be due in the future.
    oldestDueSeconds: Math.max(0, row?.due ?? 0),
    oldestUnplannedSeconds: Math.max(0, row?.unplanned ?? 0),
    outboxDepth: row?.depth ?? 0,
    openBreakers: row?.open ?? 0,
  }
}
