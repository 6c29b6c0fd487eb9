import { sql } from 'kysely'
import { eraseFilesOfAccount } from '#core/data/files/erase-files.ts'
import { eraseClientAccount } from '#core/data/market/client-accounts.ts'
import { cancelWaiting } from '#core/data/market/payments/payments.ts'
import { removeLostWebhooksOf } from '#core/data/realtime/lost-webhooks.ts'
import { deleteWebhooksOf } from '#core/data/webhooks/delete-webhooks.ts'
import { cancelAllDeliveries } from '#core/data/webhooks/deliveries/cancel-deliveries.ts'
import type { Db } from '#core/data/database.ts'

/**
 * Deletes the account and, by cascade, all that it owns. The database refuses if others still need its data
 * (leads, sources).
 * @returns hashes of bytes that the caller removes from the file store after the commit
 */
export async function deleteAccount(db: Db, userId: string): Promise<string[]> {
  await forgetAttempts(db, userId)
  await deleteWebhooksOf(db, userId)
  await removeLostWebhooksOf(db, userId)
  const freed = await eraseFilesOfAccount(db, userId)
  await db.deleteFrom('auth.users').where('id', '=', userId).execute()
  return freed
}

/**
 * Removes the person from the account: no address, phone, name, password, identity or session is left. It keeps the
 * account's id, so that leads and their history stay valid. Its webhooks are switched off and its sources stopped.
 * Waiting payments are cancelled, and waiting deliveries too, which the leads' timelines show. Its files are removed.
 * @param by the person who erases it
 * @returns as {@link deleteAccount}
 */
export async function eraseAccount(db: Db, userId: string, by: string): Promise<string[]> {
  await forgetAttempts(db, userId)
  for (const table of [
    'auth.identities',
    'auth.sessions',
    'auth.one_time_tokens',
    'auth.mailed_codes',
    'auth.factors',
    'auth.recovery_codes',
    'auth.flows',
    'auth.security_events',
  ] as const)
    await db.deleteFrom(table).where('user_id', '=', userId).execute()
  await db.deleteFrom('mails').where('recipient_user_id', '=', userId).execute()
  await removeLostWebhooksOf(db, userId)
  const now = sql<Date>`now()`
  // Switched off for good, so that nothing new is planned for them. The rows are locked FOR UPDATE, because
  // planning locks them FOR KEY SHARE and would otherwise still act on their earlier state.
  await sql`
    update client_webhook_configs set is_active = false, retired_at = now(), disabled_at = null, updated_at = now()
    where id in (select id from client_webhook_configs where client_user_id = ${userId} order by id for update)
  `.execute(db)
  await cancelAllDeliveries(db, userId, by)
  await eraseClientAccount(db, userId)
  // After the account: a request for a payment holds the account's row first.
  await cancelWaiting(db, userId, by)
  await db
    .updateTable('sources')
    .set({
      revoked_at: sql<Date>`coalesce(revoked_at, now())`,
      stopped_at: sql<Date>`coalesce(stopped_at, now())`,
      stop_reason: sql<string>`coalesce(stop_reason, 'Its client was erased')`,
    })
    .where('owner_user_id', '=', userId)
    .execute()
  await db
    .updateTable('profiles')
    .set({ email: '', name: '', status: 'suspended', updated_at: now })
    .where('user_id', '=', userId)
    .execute()
  await db
    .updateTable('auth.users')
    .set({
      email: null,
      phone: null,
      password_hash: null,
      new_email: null,
      new_phone: null,
      app_metadata: '{}',
      user_metadata: '{}',
      deleted_at: sql<Date>`coalesce(deleted_at, now())`,
      updated_at: now,
    })
    .where('id', '=', userId)
    .execute()
  return await eraseFilesOfAccount(db, userId)
}

/** Wrong passwords are counted by the address, or by the phone with its plus sign. */
async function forgetAttempts(db: Db, userId: string): Promise<void> {
  await sql`
    delete from auth.sign_in_attempts a using auth.users u
    where u.id = ${userId} and a.email in (u.email, '+' || u.phone)`.execute(db)
}
