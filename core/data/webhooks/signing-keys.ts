import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** A secret from which the Ed25519 keys of webhooks are derived (core/endpoint/sign-asymmetric.ts). */
export interface SigningKeyRow {
  id: string
  seed_sealed: string
  created_at: Date
  /** the end of a replaced one, which also signs until then; null: the newest */
  ends_at: Date | null
}

/** The secrets that sign now, newest first. */
export async function listSigningKeys(db: Db): Promise<SigningKeyRow[]> {
  return await db
    .selectFrom('webhook_signing_keys')
    .select(['id', 'seed_sealed', 'created_at', 'ends_at'])
    .where(sql<boolean>`ends_at is null or ends_at > now()`)
    .orderBy(sql`ends_at desc nulls first`)
    .orderBy('id', 'desc')
    .execute()
}

/** Stores the first secret, unless there is one that has no end. */
export async function addFirstSigningKey(db: Db, sealed: string): Promise<void> {
  await sql`
    insert into webhook_signing_keys (seed_sealed) values (${sealed})
    on conflict ((true)) where ends_at is null do nothing`.execute(db)
}

/** Replaces the newest secret, which also signs for these days, and forgets those that have ended. */
export async function replaceSigningKey(trx: Db, sealed: string, days: number): Promise<void> {
  await sql`delete from webhook_signing_keys where ends_at <= now()`.execute(trx)
  await sql`
    update webhook_signing_keys set ends_at = now() + make_interval(days => ${days}::int) where ends_at is null`.execute(
    trx,
  )
  await sql`insert into webhook_signing_keys (seed_sealed) values (${sealed})`.execute(trx)
}

/** Forgets secrets that no key opens. */
export async function deleteSigningKeys(trx: Db, ids: readonly string[]): Promise<void> {
  await trx.deleteFrom('webhook_signing_keys').where('id', 'in', ids).execute()
}
