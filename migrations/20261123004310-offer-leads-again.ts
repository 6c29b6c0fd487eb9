import { sql, type Kysely } from 'kysely'

/**
 * A change of a client's orders or funds has the unsold leads offered again
 * (worker/housekeeping/market/offer-again.ts). It is noted at the end of the transaction, so that the lock of
 * a lead type is always the last one, and short. It is always noted, so that offering waits until the change
 * can be read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table lead_types alter column offer_again_at set default now()`.execute(db)
  await sql`update lead_types set offer_again_at = now()`.execute(db)
  await sql`
    create function offer_leads_to_client() returns trigger language plpgsql set search_path = public as $$
    declare
      client uuid := coalesce(to_jsonb(new) ->> 'client_user_id', to_jsonb(new) ->> 'user_id');
    begin
      update lead_types set offer_again_at = now() where code = any(array(
        select code from lead_types where code in (select lead_type from orders where client_user_id = client and deleted_at is null)
        order by code for no key update));
      return null;
    end $$`.execute(db)
  await sql`
    create function offer_leads_to_order() returns trigger language plpgsql set search_path = public as $$
    begin
      update lead_types set offer_again_at = now() where code = new.lead_type;
      return null;
    end $$`.execute(db)
  await sql`
    create constraint trigger offer_leads_again after insert on balance_ledger deferrable initially deferred
    for each row when (new.amount > 0) execute function offer_leads_to_client()`.execute(db)
  await sql`
    create constraint trigger offer_leads_again after update of status, licensed_states on client_accounts
    deferrable initially deferred for each row execute function offer_leads_to_client()`.execute(db)
  await sql`
    create constraint trigger offer_leads_again after update of status on profiles
    deferrable initially deferred for each row execute function offer_leads_to_client()`.execute(db)
  await sql`
    create constraint trigger offer_leads_again after insert or update on orders
    deferrable initially deferred for each row execute function offer_leads_to_order()`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['balance_ledger', 'client_accounts', 'profiles', 'orders'])
    await sql`drop trigger offer_leads_again on ${sql.table(table)}`.execute(db)
  await sql`drop function offer_leads_to_client()`.execute(db)
  await sql`drop function offer_leads_to_order()`.execute(db)
  await sql`alter table lead_types alter column offer_again_at drop default`.execute(db)
}
