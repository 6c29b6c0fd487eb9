import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { HELD_BACK } from '../webhooks/deliveries/rate-limits.ts'

/** Work of one kind that waits for too long: how much, and since when the oldest does. */
export interface StuckWork {
  kind: string
  count: number
  oldest: Date
  /** ids of the oldest */
  ids: string[]
}

/** Counting reads each row, and beyond this the number no longer matters. */
const MOST = 10_000

/**
 * Everything that should have gone on by now, by kind; kinds of which nothing waits are left out. Each part reads an
 * index that holds only unfinished rows, at most {@link MOST} of them.
 * @param of.types the types of events that this version consumes
 * @param of.seconds how long something may wait
 */
export async function findStuckWork(
  db: Db,
  { types, seconds }: { types: readonly string[]; seconds: number },
): Promise<StuckWork[]> {
  const before = sql`now() - make_interval(secs => ${seconds})`
  const known = sql`${[...types]}::text[]`
  const { rows } = await sql<StuckWork>`
    with waiting as (
      (select 'events_unenqueued' as kind, id, created_at as since from events
        where enqueued_at is null and failed_at is null and type = any(${known}) and created_at < ${before}
        order by created_at limit ${MOST})
      union all (select 'events_unplanned', id, created_at from events
        where planned_at is null and failed_at is null and enqueued_at < ${before} and type = any(${known})
        order by created_at limit ${MOST})
      union all (select 'events_unclaimed', id, created_at from events
        where planned_at is null and failed_at is null and not type = any(${known}) and created_at < ${before}
        order by created_at limit ${MOST})
      union all (select 'events_failed', id, failed_at from events
        where planned_at is null and failed_at is not null order by created_at limit ${MOST})
      union all (select 'deliveries_due', id, next_attempt_at from webhook_deliveries
        where state = 'pending' and next_attempt_at < ${before} and lease_until is null and webhook_config_id <> all(${HELD_BACK})
        order by next_attempt_at limit ${MOST})
      union all (select 'leases_expired', id, lease_until from webhook_deliveries
        where state = 'pending' and next_attempt_at < ${before} and lease_until < ${before}
        order by next_attempt_at limit ${MOST})
      union all (select case when sealed_data is null then 'mails_waiting' else 'account_mails_waiting' end, id, created_at
        from mails where next_try_at < ${before} or (next_try_at is not null and tries > 0 and created_at < ${before})
        order by next_try_at limit ${MOST})
      union all (select 'exports_waiting', id, created_at from exports
        where state in ('waiting', 'running') and created_at < ${before} and (lease_until is null or lease_until < ${before})
        order by created_at limit ${MOST})
      union all (select 'imports_waiting', id, touched_at from lead_imports
        where state in ('reading', 'running') and touched_at < ${before} order by touched_at limit ${MOST})
    )
    select kind, count(*)::int as count, min(since) as oldest, (array_agg(id::text order by since))[1:5] as ids
    from waiting group by kind order by kind`.execute(db)
  return rows
}
