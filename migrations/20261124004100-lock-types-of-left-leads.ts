import { sql, type Kysely, type RawBuilder } from 'kysely'

/**
 * Offering again takes a due lead type and reads its unsold leads. If the type was already due, that read
 * missed a lead which an older server was about to leave over, and the lead waited for the next one. So the
 * older server's transaction now locks the type until it commits, like every cause of another offer
 * (20261123004310-offer-leads-again.ts). It locks all types in one order: a batch has leads of several, and
 * two batches would otherwise deadlock.
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
