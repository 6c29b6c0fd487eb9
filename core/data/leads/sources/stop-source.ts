import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/**
 * Stops a source that the caller has locked, for good: its keys end, and none of its leads is sold any more. It returns
 * once no decision about leads is under way, so that every decision after the commit knows about it. Workers withdraw
 * held leads, in one round for each type.
 */
export async function stopSource(trx: Db, id: string, reason: string): Promise<void> {
  await trx
    .updateTable('sources')
    .set({
      revoked_at: sql<Date>`coalesce(revoked_at, now())`,
      stopped_at: sql<Date>`now()`,
      stop_reason: reason,
    })
    .where('id', '=', id)
    .execute()
  // Decisions about leads take this lock too, in the same order (core/data/market/sale/offered-leads.ts).
  await sql`
    select pg_advisory_xact_lock(hashtext('market'), hashtext(code)) from (
      select code from lead_types order by code
    ) types`.execute(trx)
  await sql`
    update lead_types set offer_again_at = now()
    where code = any(array(select code from lead_types order by code for no key update))`.execute(trx)
}
