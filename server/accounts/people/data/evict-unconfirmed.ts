import type { Db } from '#core/data/database.ts'
import { deleteFlowCodes } from '#server/accounts/sessions/data/flows.ts'
import type { User } from './users.ts'

/**
 * Empties an unconfirmed account before the address's true owner takes it: its maker may still know its
 * password and hold its sessions, factors and identities (account pre-hijacking). A confirmed phone stays.
 */
export async function evictUnconfirmed(db: Db, user: User): Promise<void> {
  await db
    .deleteFrom('auth.identities')
    .where('user_id', '=', user.id)
    .$if(user.phone_confirmed_at !== null, (query) => query.where('provider', '<>', 'phone'))
    .execute()
  await db.deleteFrom('auth.sessions').where('user_id', '=', user.id).execute()
  await deleteFlowCodes(db, user.id)
  await db.deleteFrom('auth.factors').where('user_id', '=', user.id).execute()
  await db.deleteFrom('auth.recovery_codes').where('user_id', '=', user.id).execute()
  await db.deleteFrom('auth.one_time_tokens').where('user_id', '=', user.id).execute()
  await db
    .updateTable('auth.users')
    .set({
      password_hash: null,
      new_email: null,
      new_phone: null,
      // An administrator wrote what an invitation says of the person.
      ...(user.invited_at === null ? { user_metadata: '{}' } : {}),
    })
    .where('id', '=', user.id)
    .execute()
}
