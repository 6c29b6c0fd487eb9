import { sql, type Kysely, type RawBuilder } from 'kysely'

/**
 * Who offers leads again takes a type that is due and looks for what is unsold: a lead that an older server was about to leave over was
 * missed by that look where its type was due already, and waited for the next. So its transaction holds the type until it can be read, as
 * whatever else has leads offered again (20261123004310-offer-leads-again.ts). All types, in the one order: the leads of a batch are of
 * several, and two batches would else wait for each other.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await replace(db, sql`perform from lead_types order by code for no key update;`)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await replace(db, sql``)
}

async function replace(db: Kysely<unknown>, lock: RawBuilder<unknown>): Promise<void> {
  await sql`
    create or replace function offer_left_over() returns trigger language plpgsql set search_path = public as $$
    begin
      ${lock}
      update lead_types set offer_again_at = now()
      where code = new.lead_type and (offer_again_at is null or offer_again_at > now());
      return null;
    end $$`.execute(db)
}
