import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { OldestKept, Step } from './step.ts'

/** Rows of one statement. It takes tens of milliseconds, so that nobody waits for it. */
const BATCH = 1000

/** Removes planned events from before a moment that have no delivery any more. The event of an erasure is kept. */
export async function removeEvents(db: Db, after: string, oldest: OldestKept): Promise<Step> {
  const { rows } = await sql<Step>`
    with seen as materialized (
      select id, type from events where id > ${after} and id < ${oldest.id} order by id limit ${BATCH}
    ), over as materialized (
      select e.id from events e
      where e.id = any(array(select id from seen)) and e.created_at < ${oldest.moment} and e.planned_at is not null
        and e.type <> 'lead.erased'
        and not exists (select from webhook_deliveries d where d.event_id = e.id)
      for update skip locked
    ), gone as (
      delete from events where id in (select id from over) returning id
    )
    select (select count(*) from gone)::int as removed, (select id from seen order by id desc limit 1) as last,
      (select id from seen where type <> 'lead.erased' and id not in (select id from gone) order by id limit 1) as waits
  `.execute(db)
  return rows[0] ?? { removed: 0, last: null, waits: null }
}
