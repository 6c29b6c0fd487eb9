import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import { deleteFactorOfUser } from '../factors/data/delete-factor-of-user.ts'
import { listFactors } from '../factors/data/factors.ts'
import { findAccountOf } from '../members/data/members.ts'
import { updateUser, type User } from '../people/data/users.ts'

/** Whether a mail has proven the account's address. With automatic confirmation a confirmed one says nothing. */
export function isAddressProven(
  { auth }: AuthContext['config'],
  { email_confirmed_at: confirmedAt }: Pick<User, 'email_confirmed_at'>,
): boolean {
  return confirmedAt !== null && !auth.email.autoconfirm
}

/** Whether a person belongs to a client's account that others founded: nobody administers an account of their own. */
export async function actsForOthers(db: Db, userId: string): Promise<boolean> {
  const account = await findAccountOf(db, userId)
  return account !== undefined && account !== userId
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
