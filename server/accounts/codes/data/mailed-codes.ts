import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'
import { countWrongCode, readSpentSeconds } from './wrong-codes.ts'

/** Replaces the address's code with a new one. `user_id` is null if the address has no account. */
export async function replaceMailedCode(
  db: Db,
  code: { address_mac: Buffer; user_id: string | null; code_mac: Buffer; seconds: number },
): Promise<{ expires_at: Date }> {
  const { address_mac, user_id, code_mac, seconds } = code
  const values = {
    user_id,
    code_mac,
    wrong_attempts: 0,
    created_at: sql<Date>`clock_timestamp()`,
    expires_at: sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`,
  }
  const made = await db
    .insertInto('auth.mailed_codes')
    .values({ address_mac, ...values })
    .onConflict((conflict) => conflict.column('address_mac').doUpdateSet(values))
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  await sql`
    delete from auth.mailed_codes where address_mac in (
      select address_mac from auth.mailed_codes where expires_at < now() - interval '1 day'
      order by expires_at limit 20 for update skip locked)`.execute(db)
  return made
}

/** docs/product.md §4: valid, expired (removed), too many attempts (removed), used (removed). */
export type CodeJudgement =
  | { outcome: 'none' }
  | { outcome: 'expired' | 'too_many' | 'right'; user_id: string | null }
  /** `isLast`: the last wrong code that the address is allowed in a day */
  | { outcome: 'wrong'; user_id: string | null; left: number; isLast: boolean }

/** Judges a code in the caller's transaction. Concurrent codes are counted one by one. */
export async function judgeMailedCode(
  db: Db,
  given: { address_macs: readonly Buffer[]; code_macs: readonly Buffer[]; mostWrong: number },
): Promise<CodeJudgement> {
  const kept = await db
    .selectFrom('auth.mailed_codes')
    .selectAll()
    .select(sql<boolean>`expires_at <= clock_timestamp()`.as('is_expired'))
    .where('address_mac', 'in', given.address_macs)
    // After a rotation of SECRETS_KEY there may be an older code under the older hash of the address.
    .orderBy('created_at', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (kept === undefined) return { outcome: 'none' }
  const { user_id, wrong_attempts } = kept
  const remove = () =>
    db.deleteFrom('auth.mailed_codes').where('address_mac', 'in', given.address_macs).execute()
  if (kept.is_expired) {
    await remove()
    return { outcome: 'expired', user_id }
  }
  const ofAddress = { holder: kept.address_mac, purpose: 'mailed_code' }
  if (wrong_attempts >= given.mostWrong || (await readSpentSeconds(db, ofAddress)) > 0) {
    await remove()
    return { outcome: 'too_many', user_id }
  }
  // A code for an address without an account was sent to nobody, so it is never right.
  if (user_id !== null && given.code_macs.some((mac) => mac.equals(kept.code_mac))) {
    await remove()
    return { outcome: 'right', user_id }
  }
  await db
    .updateTable('auth.mailed_codes')
    .set({ wrong_attempts: wrong_attempts + 1 })
    .where('address_mac', '=', kept.address_mac)
    .execute()
  const isLast = await countWrongCode(db, ofAddress)
  return { outcome: 'wrong', user_id, left: given.mostWrong - wrong_attempts - 1, isLast }
}
