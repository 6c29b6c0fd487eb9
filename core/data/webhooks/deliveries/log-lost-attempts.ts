import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'
import {
  BODY_COLUMNS,
  BODY_VALUES,
  LOG_COLUMNS,
  LOG_VALUES,
  TOLD_DATA,
  columnsOf,
  unnested,
  type AttemptRecord,
} from './attempt-rows.ts'

/**
 * The reason why an attempt came too late to settle its delivery. Another sender had the lease meanwhile; or the
 * webhook was deleted, and its deliveries with it; or the lead was erased.
 */
export type LostLease = 'to_another_sender' | 'webhook_deleted' | 'lead_erased'

/** `lost` is null if an earlier try had written it already, and only its answer was lost. */
interface LostAttempt {
  log_id: string
  lost: LostLease | null
  next_attempt_at: Date | null
}

/**
 * Logs attempts that have lost their lease, and returns the reasons. An attempt that a deleted webhook accepted is
 * shown on the lead's timeline, like all that it accepted before (docs/product.md §2). A statement that begins after
 * the loss is needed to find the reason. The lead's row is locked, so that an erasure comes either before all of it or
 * after.
 */
export async function logLostAttempts(db: Db, records: readonly AttemptRecord[]): Promise<LostAttempt[]> {
  const columns = columnsOf(records)
  const { rows } = await sql<LostAttempt>`
    with made as (
      select * from ${unnested((name) => sql`${columns[name]}`)}
    ), lead as (
      select id from leads where id in (select lead_id from made) and redacted_at is null order by id for share
    ), logged as (
      insert into webhook_delivery_logs (${LOG_COLUMNS})
      select ${LOG_VALUES(sql`case when lead.id is not null then m.receiver_id end`, sql`null::timestamptz`)}
      from made m left join lead on lead.id = m.lead_id
      on conflict do nothing
      returning id
    ), kept as (
      insert into webhook_delivery_log_bodies (${BODY_COLUMNS})
      select ${BODY_VALUES} from made m left join lead on lead.id = m.lead_id
      where lead.id is not null or m.lead_id = m.event_id -- an event beside the lead
      on conflict do nothing
    ), told as (
      insert into events (type, lead_id, client_user_id, data, created_at, enqueued_at, planned_at)
      select 'delivery.succeeded', m.lead_id, m.client_user_id, ${TOLD_DATA}, now(), now(), now()
      from made m join logged on logged.id = m.log_id join lead on lead.id = m.lead_id
      where m.state = 'delivered' and not exists (select from webhook_deliveries d where d.id = m.delivery_id)
    ), outlived as (
      -- The sender is late, but alive: no process ended with this delivery.
      update webhook_deliveries set lost_leases = 0
      where id in (
        select d.id from webhook_deliveries d where d.id in (select delivery_id from made) and d.lost_leases > 0
        order by d.id for update skip locked)
    )
    select m.log_id, g.next_attempt_at,
      case when g.id is not null then null
        when d.id is null then 'webhook_deleted'
        when lead.id is null and m.lead_id <> m.event_id then 'lead_erased'
        else 'to_another_sender' end as lost
    from made m
    left join webhook_delivery_logs g on g.created_at = m.created_at and g.id = m.log_id
    left join webhook_deliveries d on d.id = m.delivery_id
    left join lead on lead.id = m.lead_id
  `.execute(db)
  return rows
}
