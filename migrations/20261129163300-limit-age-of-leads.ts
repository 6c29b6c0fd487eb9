import { sql, type Kysely, type RawBuilder } from 'kysely'

/** Each statement locks its table alone and for an instant, so that no sale waits for several of them. */
export const isOutsideTransaction = true

/**
 * An order may take only leads that came a short time ago (docs/product.md §10); null: any lead that is held. If the
 * limit is raised, unsold leads are offered again. Time in which no worker ran does not make a lead older, so workers
 * note that they run, and each of their absences.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table orders add column if not exists max_lead_age_minutes integer check (max_lead_age_minutes between 1 and 43200)`.execute(
    db,
  )
  await replace(
    db,
    sql`or coalesce(new.max_lead_age_minutes, 999999) > coalesce(old.max_lead_age_minutes, 999999)`,
  )
  await sql`
    create table if not exists market_clock (
      is_only boolean primary key default true check (is_only),
      seen_at timestamptz
    )`.execute(db)
  await sql`insert into market_clock default values on conflict do nothing`.execute(db)
  await sql`
    create table if not exists market_absences (
      began_at timestamptz primary key,
      ended_at timestamptz not null
    )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table market_absences`.execute(db)
  await sql`drop table market_clock`.execute(db)
  await replace(db, sql``)
  await sql`alter table orders drop column max_lead_age_minutes`.execute(db)
}

async function replace(db: Kysely<unknown>, orOlder: RawBuilder<unknown>): Promise<void> {
  await sql`
    create or replace function offer_leads_to_order() returns trigger language plpgsql set search_path = public as $$
    begin
      if new.deleted_at is not null or new.paused_by is not null then return null; end if;
      if tg_op = 'UPDATE' and old.deleted_at is null and old.paused_by is null and not (
        new.lead_type <> old.lead_type
        or (cardinality(old.states) > 0 and (cardinality(new.states) = 0 or not new.states <@ old.states))
        or coalesce(new.age_min, 0) < coalesce(old.age_min, 0)
        or coalesce(new.age_max, 999) > coalesce(old.age_max, 999)
        or new.accept_unknown_age > old.accept_unknown_age
        ${orOlder}
        or not old.excluded_sources <@ new.excluded_sources
        or coalesce(new.daily_cap, 'infinity'::numeric) > coalesce(old.daily_cap, 'infinity'::numeric)
        or coalesce(new.weekly_cap, 'infinity'::numeric) > coalesce(old.weekly_cap, 'infinity'::numeric)
        or coalesce(new.monthly_cap, 'infinity'::numeric) > coalesce(old.monthly_cap, 'infinity'::numeric)
        or coalesce(new.total_cap, 'infinity'::numeric) > coalesce(old.total_cap, 'infinity'::numeric)
        or coalesce(new.daily_budget, 'infinity'::numeric) > coalesce(old.daily_budget, 'infinity'::numeric)
        or coalesce(new.monthly_budget, 'infinity'::numeric) > coalesce(old.monthly_budget, 'infinity'::numeric)
        or (new.price, new.schedule, new.timezone, new.starts_at, new.ends_at)
          is distinct from (old.price, old.schedule, old.timezone, old.starts_at, old.ends_at)
      ) then return null; end if;
      update lead_types set offer_again_at = now() where code = new.lead_type;
      return null;
    end $$`.execute(db)
}
