import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/**
 * Has the leads of a type that nobody wanted offered again at once, because what is wanted has changed. Also where that is due already:
 * whoever offers them waits until what has changed is there to be read.
 */
export async function offerLeadsAgain(trx: Db, leadType: string): Promise<void> {
  await sql`update lead_types set offer_again_at = now() where code = ${leadType}`.execute(trx)
}
