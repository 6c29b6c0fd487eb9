import { sql, type Kysely, type RawBuilder } from 'kysely'

/**
 * Unsold leads are offered again if an order may take more of them than before, and not if it is paused,
 * renamed or takes less. A change of its hours counts too, because the next opening is computed with it. The
 * number of recent rounds of a type is stored with it (core/data/market/sale/unsold-leads.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table lead_types add column rounds_until timestamptz`.execute(db)
  await replace(
    db,
    sql`
      if new.deleted_at is not null or new.paused_by is not null then return null; end if;
      if tg_op = 'UPDATE' and old.deleted_at is null and old.paused_by is null and not (
        new.lead_type <> old.lead_type
        or (cardinality(old.states) > 0 and (cardinality(new.states) = 0 or not new.states <@ old.states))
        or coalesce(new.age_min, 0) < coalesce(old.age_min, 0)
        or coalesce(new.age_max, 999) > coalesce(old.age_max, 999)
        or new.accept_unknown_age > old.accept_unknown_age
        or not old.excluded_sources <@ new.excluded_sources
        or coalesce(new.daily_cap, 'infinity'::numeric) > coalesce(old.daily_cap, 'infinity'::numeric)
        or coalesce(new.weekly_cap, 'infinity'::numeric) > coalesce(old.weekly_cap, 'infinity'::numeric)
        or coalesce(new.monthly_cap, 'infinity'::numeric) > coalesce(old.monthly_cap, 'infinity'::numeric)
        or coalesce(new.total_cap, 'infinity'::numeric) > coalesce(old.total_cap, 'infinity'::numeric)
        or coalesce(new.daily_budget, 'infinity'::numeric) > coalesce(old.daily_budget, 'infinity'::numeric)
        or coalesce(new.monthly_budget, 'infinity'::numeric) > coalesce(old.monthly_budget, 'infinity'::numeric)
        or (new.price, new.schedule, new.timezone, new.starts_at, new.ends_at)
          is distinct from (old.price, old.schedule, old.timezone, old.starts_at, old.ends_at)
      ) then return null; end if;`,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await replace(db, sql``)
  await sql`alter table lead_types drop column rounds_until`.execute(db)
}

async function replace(db: Kysely<unknown>, unless: RawBuilder<unknown>): Promise<void> {
  await sql`
    create or replace function offer_leads_to_order() returns trigger language plpgsql set search_path = public as $$
    begin
      ${unless}
      update lead_types set offer_again_at = now() where code = new.lead_type;
      return null;
    end $$`.execute(db)
}
