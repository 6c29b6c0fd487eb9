import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'

/**
 * Records that a proof was shown. Call it in the transaction of what the proof opens, so that a failure
 * leaves it usable.
 * @param proof what identifies it: for a signed text the text, because some signatures have a second valid
 * form
 * @param expiresAt when it would be refused anyway
 * @returns false if it was shown before
 */
export async function useProof(db: Db, proof: readonly string[], expiresAt: Date): Promise<boolean> {
  const hash = createHash('sha256').update(JSON.stringify(proof)).digest()
  const noted = await db
    .insertInto('auth.used_proofs')
    .values({ hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('hash')
    .executeTakeFirst()
  await forgetExpiredProofs(db)
  return noted !== undefined
}

async function forgetExpiredProofs(db: Db): Promise<void> {
  // The clock that judges the proof may differ from this one: an hour is more than any skew that is allowed.
  await sql`
    delete from auth.used_proofs where hash in (
      select hash from auth.used_proofs where expires_at < now() - interval '1 hour'
      limit 20 for update skip locked)`.execute(db)
}
