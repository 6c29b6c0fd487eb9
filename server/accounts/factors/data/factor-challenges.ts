import { sql, type Selectable } from 'kysely'
import type { FactorChallengesTable } from '#core/data/schema/proof-tables.ts'
import type { Db } from '#core/data/database.ts'
import { CHALLENGE_SECONDS } from '#server/accounts/auth-policy.ts'

export type FactorChallenge = Selectable<FactorChallengesTable>

/** Begins a challenge, and deletes the factor's expired ones. */
export async function insertChallenge(
  db: Db,
  challenge: { id: string; factor_id: string; ip: string; code_mac: Buffer | null },
): Promise<Date> {
  const now = sql<Date>`clock_timestamp()`
  await db
    .deleteFrom('auth.factor_challenges')
    .where('factor_id', '=', challenge.factor_id)
    .where('expires_at', '<', now)
    .execute()
  const { expires_at } = await db
    .insertInto('auth.factor_challenges')
    .values({
      ...challenge,
      expires_at: sql<Date>`clock_timestamp() + make_interval(secs => ${CHALLENGE_SECONDS})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('auth.factors')
    .set({ last_challenged_at: now })
    .where('id', '=', challenge.factor_id)
    .execute()
  return expires_at
}

export async function findChallenge(
  db: Db,
  factorId: string,
  challengeId: string,
): Promise<(FactorChallenge & { is_expired: boolean }) | undefined> {
  return await db
    .selectFrom('auth.factor_challenges')
    .selectAll()
    .select(sql<boolean>`expires_at <= clock_timestamp()`.as('is_expired'))
    .where('id', '=', challengeId)
    .where('factor_id', '=', factorId)
    .executeTakeFirst()
}

export async function deleteChallenge(db: Db, challengeId: string): Promise<void> {
  await db.deleteFrom('auth.factor_challenges').where('id', '=', challengeId).execute()
}
