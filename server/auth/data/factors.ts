import type { Selectable } from 'kysely'
import type { FactorsTable } from '#core/data/auth-tables.ts'
import type { Db } from '#core/data/database.ts'

export type Factor = Selectable<FactorsTable>

export async function listFactors(db: Db, userId: string): Promise<Factor[]> {
  return await db
    .selectFrom('auth.factors')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
}
