import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/**
 * Has the unsold leads of a type offered again at once, because the demand has changed. It writes even if they are due
 * already, so that a worker that offers them waits until the change is committed.
 */
export async function offerLeadsAgain(trx: Db, leadType: string): Promise<void> {
  await sql`update lead_types set offer_again_at = now() where code = ${leadType}`.execute(trx)
}
