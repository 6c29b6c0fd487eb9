import type { Db } from './database.ts'

/** The sealed proof, once a process has left it. */
export async function findSealedProof(db: Db): Promise<string | undefined> {
  const kept = await db.selectFrom('secrets_key_check').select('sealed').executeTakeFirst()
  return kept?.sealed
}

/** Leaves a sealed proof if there is none yet, and answers the one that is kept. */
export async function keepSealedProof(db: Db, sealed: string): Promise<string> {
  await db
    .insertInto('secrets_key_check')
    .values({ sealed })
    .onConflict((conflict) => conflict.column('only').doNothing())
    .execute()
  const kept = await db.selectFrom('secrets_key_check').select('sealed').executeTakeFirstOrThrow()
  return kept.sealed
}
