import { sql, type Kysely } from 'kysely'

/**
 * For a query of all weeks, PostgreSQL would plan for each week each time, which takes longer than reading
 * them. A function's plan is cached and uses the indexes.
 */
const PLANNED_ONCE = sql`set plan_cache_mode = force_generic_plan set enable_seqscan = off set search_path = public`

/** The plan also uses an index's order: a plan made for a small log would read all matches and sort them. */
const IN_ORDER = sql`set enable_sort = off set enable_incremental_sort = off set enable_bitmapscan = off`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function attempts_of_leads(leads uuid[], since timestamptz, until timestamptz)
    returns setof webhook_delivery_logs language plpgsql stable ${PLANNED_ONCE} as $$
    begin
      return query
        select * from webhook_delivery_logs g
        where g.lead_id = any(leads) and g.created_at >= since and g.created_at < until;
    end $$`.execute(db)
  // Returns the newest attempt of each text with which the webhook failed, from a position or from the
  // newest. The index is read one text after the other, however often each occurs; a webhook with many texts
  // is read attempt by attempt.
  await sql`
    create or replace function failed_attempts(config uuid, kinds text[], pattern text, since timestamptz, until timestamptz,
      after_at timestamptz, after_id uuid, most integer)
    returns setof webhook_delivery_logs language plpgsql stable ${PLANNED_ONCE} ${IN_ORDER} as $$
    declare
      few constant integer := 30;
      -- An index takes no more of a text; of what is longer the rest is looked at as well.
      indexed constant integer := 500;
      known integer := 0;
      kind text;
      error text := '';
      errors text[] := '{}';
    begin
      loop
        select left(g.error_message, 500) collate "C" into error from webhook_delivery_logs g
        where g.webhook_config_id = config and g.delivery_status = 'failed'
          and left(g.error_message, 500) collate "C" > error and g.created_at >= since and g.created_at < until
        order by left(g.error_message, 500) collate "C" limit 1;
        exit when not found;
        known := known + 1;
        exit when known > few;
        if error ilike pattern or length(error) = indexed then
          errors := errors || error;
        end if;
      end loop;

      foreach kind in array kinds loop
        if known > few then
          return query
            select * from webhook_delivery_logs g
            where g.webhook_config_id = config and g.event_type = kind and g.delivery_status = 'failed'
              and g.error_message ilike pattern and g.created_at >= since and g.created_at < until
              and (after_id is null or (g.created_at, g.id) < (after_at, after_id))
            order by g.created_at desc nulls last, g.id desc nulls last limit most;
          continue;
        end if;
        foreach error in array errors loop
          return query
            select * from webhook_delivery_logs g
            where g.webhook_config_id = config and left(g.error_message, 500) collate "C" = error and g.event_type = kind
              and g.delivery_status = 'failed' and g.error_message ilike pattern
              and g.created_at >= since and g.created_at < until
              and (after_id is null or (g.created_at, g.id) < (after_at, after_id))
            order by g.created_at desc nulls last, g.id desc nulls last limit most;
        end loop;
      end loop;

      if cardinality(kinds) > 1 then
        return query
          select * from webhook_delivery_logs g
          where g.webhook_config_id = config
            and (g.event_type not in ('lead.created', 'lead.assigned') or g.delivery_status not in ('delivered', 'failed'))
            and g.delivery_status = 'failed' and g.error_message ilike pattern
            and g.created_at >= since and g.created_at < until
            and (after_id is null or (g.created_at, g.id) < (after_at, after_id))
          order by g.created_at desc nulls last, g.id desc nulls last limit most;
      end if;
    end $$`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop function if exists failed_attempts, attempts_of_leads`.execute(db)
}
