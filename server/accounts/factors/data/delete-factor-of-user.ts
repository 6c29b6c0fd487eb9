import type { Db } from '#core/data/database.ts'
import type { Factor } from './factors.ts'
import { forgetIdleRecoveryCodes } from './recovery-codes.ts'
import { lowerSessionsOfFactor } from '#server/accounts/sessions/data/session-levels.ts'

/**
 * Deletes a user's factor, and the assurance level that it gave the user's sessions. The caller holds the
 * user's row.
 */
export async function deleteFactorOfUser(
  db: Db,
  { user_id, factor_id }: { user_id: string; factor_id: string },
): Promise<Factor | undefined> {
  const deleted = await db
    .deleteFrom('auth.factors')
    .where('id', '=', factor_id)
    .where('user_id', '=', user_id)
    .returningAll()
    .executeTakeFirst()
  if (deleted === undefined) return undefined
  await lowerSessionsOfFactor(db, factor_id)
  await forgetIdleRecoveryCodes(db, user_id)
  return deleted
}
