import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/** Has the leads of a type that nobody wanted offered again at once, because what is wanted has changed. */
export async function offerLeadsAgain(trx: Db, leadType: string): Promise<void> {
  await sql`
    update lead_types set offer_again_at = now()
    where code = ${leadType} and (offer_again_at is null or offer_again_at > now())`.execute(trx)
}
