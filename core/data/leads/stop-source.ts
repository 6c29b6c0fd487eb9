import { sql } from 'kysely'
import type { Db } from '../database.ts'

/**
 * Stops a source that the caller has locked, for good: its keys end, and none of its leads is sold any more. Returns once nobody is
 * deciding about leads, so that whoever decides after the commit knows; workers withdraw what is held, in a round of each type.
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
  // The lock and the order of those that decide (core/data/market/sale/offered-leads.ts).
  await sql`
    select pg_advisory_xact_lock(hashtext('market'), hashtext(code)) from (
      select code from lead_types order by code
    ) types`.execute(trx)
  await sql`
    update lead_types set offer_again_at = now()
    where code = any(array(select code from lead_types order by code for no key update))`.execute(trx)
}
