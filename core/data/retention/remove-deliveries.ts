import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { SAYS_DAYS_ARE_NOTED } from '../market/note-days.ts'
import type { OldestKept, Step } from './step.ts'

/** Rows of one statement. It takes tens of milliseconds, so that nobody waits for it. */
const BATCH = 1000

/** SQL: the later resends `n` of the delivery `d`. The database has one delivery of an event for a webhook beside them. */
const RESENDS = sql`(
  select state from webhook_deliveries r
  where r.resend_of is not null and r.event_id = d.event_id and r.webhook_config_id = d.webhook_config_id
    and (r.created_at, r.id) > (d.created_at, d.id)) n`

/**
 * Removes deliveries that ended before a moment. Their outcomes are added to `removed_outcomes`, so figures stay and no sum
 * of a day is void. A resend that was not cancelled counts in place of what it repeats; until it ends, both stay.
 */
export async function removeDeliveries(db: Db, after: string, oldest: OldestKept): Promise<Step> {
  const { rows } = await sql<Step>`
    with seen as materialized (
      select d.id from (select ${SAYS_DAYS_ARE_NOTED}) said cross join lateral (
        select id from webhook_deliveries where id > ${after} and id < ${oldest.id} order by id limit ${BATCH}) d
    ), gone as (
      delete from webhook_deliveries d where d.id in (
        select d.id from webhook_deliveries d
        where d.id = any(array(select id from seen)) and d.state in ('delivered', 'failed', 'cancelled')
          and d.finished_at < ${oldest.moment} and not exists (select from ${RESENDS} where n.state in ('pending', 'held'))
        for update skip locked)
      returning d.id, d.event_id, d.webhook_config_id, d.client_user_id, d.lead_id, d.state, d.created_at
    ), kept as (
      insert into removed_outcomes as o (lead_id, client_user_id, attempted, delivered, failed)
      select d.lead_id, d.client_user_id, count(*), count(*) filter (where d.state = 'delivered'),
        count(*) filter (where d.state = 'failed')
      from gone d
      where d.state <> 'cancelled' and d.lead_id <> d.event_id and not exists (select from ${RESENDS} where n.state <> 'cancelled')
      group by 1, 2 order by 1, 2
      on conflict (lead_id, client_user_id) do update set attempted = o.attempted + excluded.attempted,
        delivered = o.delivered + excluded.delivered, failed = o.failed + excluded.failed
    )
    select (select count(*) from gone)::int as removed, (select id from seen order by id desc limit 1) as last,
      (select id from seen where id not in (select id from gone) order by id limit 1) as waits`.execute(db)
  return rows[0] ?? { removed: 0, last: null, waits: null }
}
