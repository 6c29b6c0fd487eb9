import { sql, type Selectable } from 'kysely'
import type { FactorsTable } from '#core/data/schema/proof-tables.ts'
import type { Db } from '#core/data/database.ts'
import { UNVERIFIED_FACTOR_SECONDS } from '#server/accounts/auth-policy.ts'

export type Factor = Selectable<FactorsTable>

const lifeOfUnverified = sql`make_interval(secs => ${sql.lit(UNVERIFIED_FACTOR_SECONDS)})`
/** A factor that nobody verified in time counts as gone; {@link forgetUnverifiedFactors} removes it. */
const isLive = sql<boolean>`(status = 'verified' or created_at > now() - ${lifeOfUnverified})`

export async function listFactors(db: Db, userId: string): Promise<Factor[]> {
  return await db
    .selectFrom('auth.factors')
    .selectAll()
    .where('user_id', '=', userId)
    .where(isLive)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function findFactor(db: Db, userId: string, factorId: string): Promise<Factor | undefined> {
  return await db
    .selectFrom('auth.factors')
    .selectAll()
    .where('id', '=', factorId)
    .where('user_id', '=', userId)
    .where(isLive)
    .executeTakeFirst()
}

export async function insertFactor(
  db: Db,
  factor: Pick<Factor, 'user_id' | 'friendly_name' | 'factor_type' | 'secret_sealed' | 'phone'>,
): Promise<string> {
  const { id } = await db.insertInto('auth.factors').values(factor).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Removes the user's factors that were not verified in time, and so frees their names. */
export async function forgetUnverifiedFactors(db: Db, userId: string): Promise<void> {
  await db
    .deleteFrom('auth.factors')
    .where('user_id', '=', userId)
    .where(sql<boolean>`not ${isLive}`)
    .execute()
}

export async function deleteFactor(db: Db, factorId: string): Promise<void> {
  await db.deleteFrom('auth.factors').where('id', '=', factorId).execute()
}

/** Marks a factor verified after its first right code; drops other unverified ones of its type. */
export async function markFactorVerified(db: Db, factor: Factor): Promise<void> {
  await db
    .updateTable('auth.factors')
    .set({ status: 'verified', updated_at: sql<Date>`now()` })
    .where('id', '=', factor.id)
    .execute()
  await db
    .deleteFrom('auth.factors')
    .where('user_id', '=', factor.user_id)
    .where('factor_type', '=', factor.factor_type)
    .where('status', '=', 'unverified')
    .execute()
}

export async function noteUsedStep(db: Db, factorId: string, step: number): Promise<void> {
  await db.updateTable('auth.factors').set({ last_used_step: step }).where('id', '=', factorId).execute()
}
