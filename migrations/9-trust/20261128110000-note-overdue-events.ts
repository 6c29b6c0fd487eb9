import { sql, type Kysely } from 'kysely'

/** Events may be tens of millions: their indexes are dropped while they go on. */
export const isOutsideTransaction = true

const DROPPED: Readonly<Record<string, string>> = {
  events_to_enqueue: `events (created_at) where enqueued_at is null`,
  events_to_plan: `events (created_at) where planned_at is null`,
}

/**
 * Most events are planned within milliseconds. An index of those that are not was written for each of them, and had each event that was
 * enqueued or planned written anew in all indexes. Now the newest are found by their ids, and what is not planned after some seconds
 * is noted in a table of its own (docs/decisions/0038).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function uuid_floor(moment timestamptz) returns uuid language sql immutable strict parallel safe as $$
      select encode(substring(int8send((extract(epoch from moment) * 1000)::bigint) from 3) || '\\x70008000000000000000'::bytea, 'hex')::uuid
    $$`.execute(db)
  await sql`
    comment on function uuid_floor is 'the least uuid of version 7 that can be made in that millisecond'`.execute(
    db,
  )
  await sql`
    create table if not exists overdue_events (event_id uuid primary key, enqueued_at timestamptz)`.execute(
    db,
  )
  await sql`
    comment on table overdue_events is 'events that were not planned within some seconds; those that are planned by now are taken out again'`.execute(
    db,
  )
  await sql`
    create index if not exists overdue_events_to_enqueue on overdue_events (event_id) where enqueued_at is null`.execute(
    db,
  )
  await sql`
    create table if not exists event_marks (
      "only" boolean primary key default true check ("only"),
      noted_until uuid not null,
      proved_until uuid not null,
      asked_until uuid not null,
      asked_xmax xid8 not null
    ) with (fillfactor = 50)`.execute(db)
  await sql`
    comment on table event_marks is
      'one row: up to which event those that are overdue are noted; up to which none can be committed any more; and which is to be proved next: once all transactions before asked_xmax have ended'`.execute(
    db,
  )
  // What is under way for longer than two hours at this moment has no event.
  await sql`
    with mark as (
      insert into event_marks (noted_until, proved_until, asked_until, asked_xmax)
      values (uuid_floor(now()), uuid_floor(now() - interval '2 hours'), uuid_floor(now()), pg_snapshot_xmax(pg_current_snapshot()))
      on conflict do nothing returning noted_until
    )
    insert into overdue_events (event_id, enqueued_at)
    select e.id, e.enqueued_at from events e, mark where e.planned_at is null and e.id <= mark.noted_until
    on conflict do nothing`.execute(db)
  for (const name of Object.keys(DROPPED))
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const [name, on] of Object.entries(DROPPED)) {
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
    await sql`create index concurrently ${sql.id(name)} on ${sql.raw(on)}`.execute(db)
  }
  await sql`drop table event_marks, overdue_events`.execute(db)
  await sql`drop function uuid_floor(timestamptz)`.execute(db)
}
