import type { Db } from '#core/data/database.ts'
import { deleteFlowCodes } from '#server/accounts/sessions/data/flows.ts'
import type { User } from './users.ts'

/**
 * Empties an account whose address nobody had confirmed, before the address's true owner moves in: whoever made it may still
 * know its password, hold its sessions, factors and identities (account pre-hijacking). A confirmed phone stays.
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
      // What an invitation says of somebody was said by an administrator.
      ...(user.invited_at === null ? { user_metadata: '{}' } : {}),
    })
    .where('id', '=', user.id)
    .execute()
}
