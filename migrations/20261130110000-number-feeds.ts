import { sql, type Kysely } from 'kysely'

/**
 * Every client has a feed: a sequence without gaps of the leads it got, lost, and must not contact any more
 * (docs/decisions/0051). A trigger makes the entries, so that no writer can forget one, and servers of an earlier version
 * make them too. Numbers are taken at commit, under the lock of the client's head. So the lock is short, it is the last one
 * of its transaction, and a number is visible only when all smaller ones are.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table client_feed_heads (
      client_user_id uuid primary key,
      last_number bigint not null,
      last_at timestamptz not null
    ) with (fillfactor = 50)`.execute(db)
  await sql`
    create table client_feed (
      client_user_id uuid not null,
      number bigint not null check (number > 0),
      kind text not null check (kind in ('assigned', 'returned', 'revoked', 'erased')),
      lead_id uuid not null,
      event_id uuid not null,
      at timestamptz not null,
      reason text,
      hash bytea not null,
      primary key (client_user_id, number)
    )`.execute(db)
  // The erasure of one lead is an entry for each client that had it.
  await sql`
    create unique index client_feed_of_event on client_feed (event_id, client_user_id)`.execute(db)
  await createFunctions(db)
  // Last, because writers of events wait for it.
  await sql`
    create trigger note_feed_events after insert on events referencing new table as made
      for each statement execute function note_feed_events()`.execute(db)
  await sql`
    create constraint trigger number_feed_entries after insert on events deferrable initially deferred
      for each row when (new.type in (${CAUSES})) execute function number_feed_entries()`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger note_feed_events on events`.execute(db)
  await sql`drop trigger number_feed_entries on events`.execute(db)
  await sql`drop function note_feed_events(), number_feed_entries(), number_noted_events()`.execute(db)
  await sql`drop aggregate feed_hash(bytea, text)`.execute(db)
  await sql`drop function chain_feed_hash(bytea, bytea, text)`.execute(db)
  await sql`drop type feed_cause`.execute(db)
  await sql`drop table client_feed, client_feed_heads`.execute(db)
}

const CAUSES = sql`'lead.assigned', 'lead.returned', 'lead.reassigned', 'lead.consent_revoked', 'lead.erased'`

async function createFunctions(db: Kysely<unknown>): Promise<void> {
  // A setting of the transaction collects the events, so that a savepoint that is rolled back takes its own with it.
  await sql`
    create function note_feed_events() returns trigger language plpgsql as $$
    declare
      ids text;
    begin
      select string_agg(id::text, ',') into ids from made where type in (${CAUSES});
      if ids is not null then
        perform set_config('leadwire.feed_events',
          concat_ws(',', nullif(current_setting('leadwire.feed_events', true), ''), ids), true);
      end if;
      return null;
    end $$`.execute(db)
  // At commit the first of the transaction's events numbers all of them.
  await sql`
    create function number_feed_entries() returns trigger language plpgsql as $$
    begin
      if coalesce(current_setting('leadwire.feed_events', true), '') <> '' then
        perform public.number_noted_events();
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create type feed_cause as (client uuid, place bigint, kind text, lead_id uuid, event_id uuid, reason text)`.execute(
    db,
  )
  await sql`
    create function chain_feed_hash(chained bytea, before bytea, line text) returns bytea language plpgsql immutable as $$
    begin
      return sha256(convert_to(coalesce(encode(coalesce(chained, before), 'hex'), repeat('0', 64)) || ' ' || line, 'UTF8'));
    end $$`.execute(db)
  // As a window function, it chains the lines of a client to the hash before them.
  await sql`
    create aggregate feed_hash(before bytea, line text) (sfunc = chain_feed_hash, stype = bytea)`.execute(db)
  // Planning costs more than running, and would be repeated for each length of the arrays.
  await sql`
    create function number_noted_events() returns void language plpgsql set search_path = public
      set plan_cache_mode = force_generic_plan as $$
    declare
      noted uuid[] := string_to_array(current_setting('leadwire.feed_events'), ',')::uuid[];
      causes feed_cause[];
      clients uuid[];
      befores bigint[];
      times timestamptz[];
    begin
      perform set_config('leadwire.feed_events', '', true);
      select array_agg(cause) into causes from (
        select (e.client_user_id, n.place, case e.type when 'lead.assigned' then 'assigned' when 'lead.consent_revoked' then 'revoked'
            else 'returned' end, e.lead_id, e.id, case when e.type in ('lead.returned', 'lead.reassigned') then coalesce(e.data ->> 'reason',
              (select r.reason from lead_returns r where r.id = (e.data ->> 'return_id')::uuid)) end)::feed_cause as cause
        from unnest(noted) with ordinality n (id, place) join events e on e.id = n.id
        join leads l on l.id = e.lead_id and not l.is_test
        where e.type <> 'lead.erased' and e.client_user_id is not null
          -- A lead that is reassigned is returned first; that is one entry.
          and (e.type <> 'lead.reassigned' or not exists (
            select from unnest(noted) other (id) join events r on r.id = other.id
            where r.type = 'lead.returned' and r.lead_id = e.lead_id and r.client_user_id = e.client_user_id))
        union all
        select (holder.client, n.place, 'erased', e.lead_id, e.id, null)::feed_cause
        from unnest(noted) with ordinality n (id, place) join events e on e.id = n.id and e.type = 'lead.erased'
        join leads l on l.id = e.lead_id and not l.is_test
        cross join lateral (
          -- Each half has an index; none has both.
          select a.client_user_id from lead_assignments a where a.lead_id = e.lead_id and a.state = 'active'
          union
          select a.client_user_id from lead_assignments a where a.lead_id = e.lead_id and a.state <> 'active'
          union
          select l.user_id where l.user_id is not null
        ) holder (client)
      ) found;
      -- One fixed order of clients, so that transactions with several clients cannot deadlock.
      with counted as materialized (
        select client, count(*) as more from unnest(causes) group by client
      ), heads as (
        insert into client_feed_heads as h (client_user_id, last_number, last_at)
        select client, more, date_trunc('milliseconds', clock_timestamp()) from counted order by client
        on conflict (client_user_id) do update set last_number = h.last_number + excluded.last_number,
          last_at = greatest(h.last_at, date_trunc('milliseconds', clock_timestamp()))
        returning client_user_id, last_number, last_at
      )
      select array_agg(client), array_agg(last_number - more), array_agg(last_at)
      into clients, befores, times from heads join counted on client = client_user_id;
      -- A statement of its own, so that it sees the entries that were committed before the locks.
      insert into client_feed (client_user_id, number, kind, lead_id, event_id, at, reason, hash)
      select client, number, kind, lead_id, event_id, at, reason,
        feed_hash(hash, concat(number, ' ', kind, ' ', lead_id, ' ', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
          over (partition by client order by place)
      from (
        select c.*, h.at, h.hash, h.number + row_number() over (partition by c.client order by c.place) as number
        from (
          -- Looked up one by one: a join would be planned once, for an empty table, and read all of it.
          select client, number, at, (select f.hash from client_feed f where f.client_user_id = client and f.number = befores.number) as hash
          from unnest(clients, befores, times) befores (client, number, at)
        ) h join unnest(causes) c on c.client = h.client
      ) numbered;
    end $$`.execute(db)
}
