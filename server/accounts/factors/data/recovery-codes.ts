import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'

/** Replaces all recovery codes; earlier ones no longer work. */
export async function replaceRecoveryCodes(db: Db, userId: string, macs: readonly Buffer[]): Promise<void> {
  await db.deleteFrom('auth.recovery_codes').where('user_id', '=', userId).execute()
  await db
    .insertInto('auth.recovery_codes')
    .values(macs.map((code_mac) => ({ user_id: userId, code_mac })))
    .execute()
}

export async function countRecoveryCodes(
  db: Db,
  userId: string,
): Promise<{ left: number; created_at: Date | null }> {
  return await db
    .selectFrom('auth.recovery_codes')
    .select([
      sql<number>`(count(*) filter (where used_at is null))::integer`.as('left'),
      sql<Date | null>`max(created_at)`.as('created_at'),
    ])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** Uses a code up. @returns whether it was one of the user's, and unused */
export async function takeRecoveryCode(
  db: Db,
  userId: string,
  codeMacs: readonly Buffer[],
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('auth.recovery_codes')
    .set({ used_at: sql<Date>`clock_timestamp()` })
    .where('user_id', '=', userId)
    .where('code_mac', 'in', codeMacs)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Deletes the codes of a user without a second factor, because there is nothing that they could stand in for.
 * Later factors start with new codes.
 */
export async function forgetIdleRecoveryCodes(db: Db, userId: string): Promise<void> {
  await db
    .deleteFrom('auth.recovery_codes')
    .where('user_id', '=', userId)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('auth.factors')
            .select('id')
            .where('user_id', '=', userId)
            .where('status', '=', 'verified'),
        ),
      ),
    )
    .execute()
}
