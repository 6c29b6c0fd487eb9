import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** The end of a replaced signing secret, which continues to sign for 24 hours (docs/contract.md §4). */
const OVERLAP = sql<Date>`now() + interval '24 hours'`

/** Sealed secrets that sign now. `previous` is null unless a replaced one still signs beside the current one. */
export interface SigningSecrets {
  current: string
  previous: { sealed: string; expiresAt: Date } | null
  /** whether Ed25519 keys sign too */
  isAsymmetric: boolean
}

export async function findSigningSecrets(
  db: Db,
  owner: string,
  id: string,
): Promise<SigningSecrets | undefined> {
  const row = await db
    .selectFrom('client_webhook_configs')
    .select([
      'signing_secret',
      'previous_signing_secret as sealed',
      'previous_secret_expires_at as expiresAt',
      'sign_asymmetric as isAsymmetric',
    ])
    .select(sql<boolean | null>`previous_secret_expires_at > now()`.as('overlaps'))
    .where('id', '=', id)
    .where('client_user_id', '=', owner)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { signing_secret: current, sealed, expiresAt, overlaps, isAsymmetric } = row
  const isPrevious = overlaps === true && sealed !== null && expiresAt !== null
  return { current, previous: isPrevious ? { sealed, expiresAt } : null, isAsymmetric }
}

/** Stores a new sealed secret; the old one also signs for 24 hours. */
export async function rotateSigningSecret(
  db: Db,
  owner: string,
  id: string,
  sealed: string,
): Promise<boolean> {
  const result = await db
    .updateTable('client_webhook_configs')
    .set((row) => ({
      previous_signing_secret: row.ref('signing_secret'),
      previous_secret_expires_at: OVERLAP,
      signing_secret: sealed,
      updated_at: sql<Date>`now()`,
    }))
    .where('id', '=', id)
    .where('client_user_id', '=', owner)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/**
 * Ends the replaced secret.
 * @returns false if the owner has no such configuration
 */
export async function endSecretOverlap(db: Db, owner: string, id: string): Promise<boolean> {
  const result = await db
    .updateTable('client_webhook_configs')
    .set({
      previous_signing_secret: null,
      previous_secret_expires_at: null,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .where('client_user_id', '=', owner)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
