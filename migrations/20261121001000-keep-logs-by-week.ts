import { sql, type Kysely } from 'kysely'

/**
 * Headers and bodies of attempts have their own table with weekly partitions, so that they can be dropped
 * months before the attempts and other reads skip them. Rows in a default partition move to their week as
 * soon as it is created.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Has the same key as the attempt's row. No foreign key: partitions must attach, detach and drop freely.
  await sql`
    create table webhook_delivery_log_bodies (
      id uuid not null,
      created_at timestamptz not null,
      request_headers text not null,
      request_body text not null,
      response_headers text,
      response_body text,
      primary key (created_at, id)
    ) partition by range (created_at)`.execute(db)
  await sql`create table webhook_delivery_log_bodies_default partition of webhook_delivery_log_bodies default`.execute(
    db,
  )
  await sql`drop function ensure_delivery_log_partitions(integer)`.execute(db)
  await sql`
    create function ensure_delivery_log_partitions(weeks_ahead integer) returns integer
    language plpgsql set search_path = public as $$
    declare
      monday date := date_trunc('week', now() at time zone 'utc')::date;
      made integer := 0;
      parent text;
      weeks date[];
      week date;
      name text;
      first timestamptz;
      past timestamptz;
    begin
      perform pg_advisory_xact_lock(hashtext('ensure_delivery_log_partitions'));
      foreach parent in array array['webhook_delivery_logs', 'webhook_delivery_log_bodies'] loop
        execute format(
          'select array(select %L::date + 7 * n from generate_series(0, $1) n
           union select date_trunc(''week'', created_at at time zone ''utc'')::date from %I order by 1)',
          monday, parent || '_default') into weeks using weeks_ahead;
        foreach week in array weeks loop
          name := parent || '_' || to_char(week, 'YYYYMMDD');
          continue when to_regclass(name) is not null;
          first := week::timestamp at time zone 'utc';
          past := (week + 7)::timestamp at time zone 'utc';
          -- Made beside its parent and attached, not "partition of": readers and writers of the parent go on meanwhile.
          execute format('create table %I (like %I including all)', name, parent);
          execute format(
            'with moved as (delete from %I where created_at >= $1 and created_at < $2 returning *)
             insert into %I select * from moved', parent || '_default', name) using first, past;
          execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name, first, past);
          made := made + 1;
        end loop;
      end loop;
      return made;
    end $$`.execute(db)
  // Headers and bodies of earlier versions; they move to their weeks right after.
  await sql`
    insert into webhook_delivery_log_bodies
      (id, created_at, request_headers, request_body, response_headers, response_body)
    select id, created_at, request_headers, request_body, response_headers, response_body
    from webhook_delivery_logs`.execute(db)
  await sql`select ensure_delivery_log_partitions(4)`.execute(db)
  await sql`
    alter table webhook_delivery_logs drop column request_headers, drop column request_body,
      drop column response_headers, drop column response_body`.execute(db)
  // Finds the failures of a configuration, however few they are among many attempts.
  await sql`
    create index webhook_delivery_logs_failed on webhook_delivery_logs
      (webhook_config_id, created_at desc, id desc) where delivery_status = 'failed'`.execute(db)

  // Covers all rows, by event first: a lookup by event must find resends as well, or removing an old event
  // would read every delivery.
  await sql`
    create unique index webhook_deliveries_event on webhook_deliveries (event_id, webhook_config_id,
      (case when resend_of is null then '00000000-0000-0000-0000-000000000000'::uuid else id end))`.execute(
    db,
  )
  await sql`drop index webhook_deliveries_once`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unique index webhook_deliveries_once on webhook_deliveries (event_id, webhook_config_id)
    where resend_of is null`.execute(db)
  await sql`drop index webhook_deliveries_event`.execute(db)
  await sql`drop index webhook_delivery_logs_failed`.execute(db)
  await sql`
    alter table webhook_delivery_logs add column request_headers text not null default '{}',
      add column request_body text not null default '', add column response_headers text,
      add column response_body text`.execute(db)
  await sql`
    update webhook_delivery_logs g set request_headers = b.request_headers, request_body = b.request_body,
      response_headers = b.response_headers, response_body = b.response_body
    from webhook_delivery_log_bodies b where b.id = g.id and b.created_at = g.created_at`.execute(db)
  await sql`
    alter table webhook_delivery_logs alter column request_headers drop default,
      alter column request_body drop default`.execute(db)
  await sql`drop table webhook_delivery_log_bodies`.execute(db)
  await sql`drop function ensure_delivery_log_partitions(integer)`.execute(db)
  await sql`
    create function ensure_delivery_log_partitions(weeks_ahead integer) returns integer
    language plpgsql set search_path = public as $$
    declare
      monday date := date_trunc('week', now() at time zone 'utc')::date;
      made integer := 0;
      partition text;
    begin
      perform pg_advisory_xact_lock(hashtext('ensure_delivery_log_partitions'));
      for week in 0..weeks_ahead loop
        partition := 'webhook_delivery_logs_' || to_char(monday + week * 7, 'YYYYMMDD');
        if to_regclass(partition) is null then
          execute format(
            'create table %I partition of webhook_delivery_logs for values from (%L) to (%L)',
            partition, (monday + week * 7)::text || ' 00:00+00', (monday + week * 7 + 7)::text || ' 00:00+00');
          made := made + 1;
        end if;
      end loop;
      return made;
    end $$`.execute(db)
}
