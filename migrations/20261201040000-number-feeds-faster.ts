import { sql, type Kysely } from 'kysely'

/**
 * Numbers the entries of feeds as before (20261130110000), with smaller plans: beginning and ending a large plan took
 * longer than running it. Most events are sales, so the lookups of all others are in a function of their own, which is
 * called, and planned, only for them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function feed_causes_of(event_id uuid, noted uuid[]) returns table (client uuid, kind text, reason text)
      language plpgsql stable set search_path = public as $$
    declare
      event events;
    begin
      select * into event from events where id = event_id;
      if event.type = 'lead.consent_revoked' then
        return query select event.client_user_id, 'revoked', null::text;
      elsif event.type = 'lead.returned' or event.type = 'lead.reassigned' and not exists (
        -- A lead that is reassigned is returned first; that is one entry.
        select from events r where r.id = any(noted) and r.type = 'lead.returned'
          and r.lead_id = event.lead_id and r.client_user_id = event.client_user_id)
      then
        return query select event.client_user_id, 'returned', coalesce(event.data ->> 'reason',
          (select r.reason from lead_returns r where r.id = (event.data ->> 'return_id')::uuid));
      elsif event.type = 'lead.erased' then
        return query
          -- Each half has an index; none has both.
          select a.client_user_id, 'erased', null::text from lead_assignments a where a.lead_id = event.lead_id and a.state = 'active'
          union
          select a.client_user_id, 'erased', null from lead_assignments a where a.lead_id = event.lead_id and a.state <> 'active'
          union
          select l.user_id, 'erased', null from leads l where l.id = event.lead_id;
      end if;
    end $$`.execute(db)
  await sql`
    create or replace function number_noted_events() returns void language plpgsql set search_path = public
      set plan_cache_mode = force_generic_plan as $$
    declare
      noted uuid[] := string_to_array(current_setting('leadwire.feed_events'), ',')::uuid[];
      entries record;
      head record;
    begin
      perform set_config('leadwire.feed_events', '', true);
      -- One fixed order of clients, so that transactions with several clients cannot deadlock.
      for entries in
        select c.client, array_agg((c.client, n.place, c.kind, e.lead_id, e.id, c.reason)::feed_cause order by n.place) as causes
        from unnest(noted) with ordinality n (id, place)
        -- Looked up one by one: a join would be planned once, for empty tables, and read all of them.
        cross join lateral (select id, type, lead_id, client_user_id from events where id = n.id limit 1) e
        cross join lateral (
          select e.client_user_id as client, 'assigned' as kind, null as reason where e.type = 'lead.assigned'
          union all
          select * from feed_causes_of(e.id, noted) where e.type <> 'lead.assigned'
        ) c
        where c.client is not null and not (select is_test from leads where id = e.lead_id)
        group by c.client order by c.client
      loop
        insert into client_feed_heads as h (client_user_id, last_number, last_at)
        values (entries.client, cardinality(entries.causes), date_trunc('milliseconds', clock_timestamp()))
        on conflict (client_user_id) do update set last_number = h.last_number + excluded.last_number,
          last_at = greatest(h.last_at, date_trunc('milliseconds', clock_timestamp()))
        returning last_number - cardinality(entries.causes) as number, last_at as at into head;
        -- A statement of its own, so that it sees the entries that were committed before the lock.
        insert into client_feed (client_user_id, number, kind, lead_id, event_id, at, reason, hash)
        select client, number, kind, lead_id, event_id, head.at, reason,
          feed_hash((select f.hash from client_feed f where f.client_user_id = entries.client and f.number = head.number),
            concat(number, ' ', kind, ' ', lead_id, ' ', to_char(head.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
            over (order by number)
        from (select c.*, head.number + c.ordinality as number from unnest(entries.causes) with ordinality c) numbered;
      end loop;
    end $$`.execute(db)
}

/** The function before numbers no differently, so the newer one stays; only what it calls may not go. */
export function down(): Promise<void> {
  return Promise.resolve()
}
