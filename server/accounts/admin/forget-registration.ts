import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import { deleteFactorOfUser } from '../factors/data/delete-factor-of-user.ts'
import { listFactors } from '../factors/data/factors.ts'
import { updateUser, type User } from '../people/data/users.ts'

/** Whether a mail has proven the account's address. With automatic confirmation a confirmed one says nothing. */
export function isAddressProven(
  { auth }: AuthContext['config'],
  { email_confirmed_at: confirmedAt }: Pick<User, 'email_confirmed_at'>,
): boolean {
  return confirmedAt !== null && !auth.email.autoconfirm
}

/**
 * Whether a person shares a client's account with others, as its founder too: nobody administers an account of their own.
 */
export async function sharesAccount(db: Db, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('account_members')
    .select('user_id')
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('account_id', '=', userId)]))
    .whereRef('user_id', '<>', 'account_id')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Makes an account unconfirmed again and removes its second factors: whoever registered the address need not be the
 * person who was invited. The caller holds the user's row.
 */
export async function forgetRegistration(db: Db, { id }: Pick<User, 'id'>): Promise<void> {
  await updateUser(db, id, { email_confirmed_at: null })
  for (const { id: factor_id } of await listFactors(db, id))
    await deleteFactorOfUser(db, { user_id: id, factor_id })
}
