import { sql, type Kysely, type RawBuilder } from 'kysely'

/** Each statement locks its table alone and for an instant, so that no sale waits for several of them. */
export const isOutsideTransaction = true

/**
 * An order may take only leads of some ZIP codes (docs/product.md §10): of a list of codes or their first digits, or
 * within some miles of one. If that changes, unsold leads are offered again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table orders
      add column if not exists zip_codes text[] not null default '{}',
      add column if not exists near_zip text check (near_zip ~ '^[0-9]{5}$'),
      add column if not exists near_miles integer check (near_miles between 1 and 500)`.execute(db)
  await replace(
    db,
    sql`or (new.zip_codes, new.near_zip, new.near_miles) is distinct from (old.zip_codes, old.near_zip, old.near_miles)`,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await replace(db, sql``)
  await sql`alter table orders drop column zip_codes, drop column near_zip, drop column near_miles`.execute(
    db,
  )
}

async function replace(db: Kysely<unknown>, orElsewhere: RawBuilder<unknown>): Promise<void> {
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
        or coalesce(new.max_lead_age_minutes, 999999) > coalesce(old.max_lead_age_minutes, 999999)
        ${orElsewhere}
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
