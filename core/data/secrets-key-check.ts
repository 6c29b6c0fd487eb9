import type { Db } from './database.ts'

/** The sealed proof, once a process has stored one. */
export async function findSealedProof(db: Db): Promise<string | undefined> {
  const kept = await db.selectFrom('secrets_key_check').select('sealed').executeTakeFirst()
  return kept?.sealed
}

/** Stores a sealed proof if there is none yet, and returns the stored one. */
export async function keepSealedProof(db: Db, sealed: string): Promise<string> {
  await db
    .insertInto('secrets_key_check')
    .values({ sealed })
    .onConflict((conflict) => conflict.column('only').doNothing())
    .execute()
  const kept = await db.selectFrom('secrets_key_check').select('sealed').executeTakeFirstOrThrow()
  return kept.sealed
}
