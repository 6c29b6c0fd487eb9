import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import { deleteOneTimeTokens } from './data/one-time-tokens.ts'
import { updateUser, type User } from '../people/data/users.ts'
import { beginMailFlow, mailOneTime, type Onward } from './mail-one-time.ts'

/** Asks the new address whether the account may change, and under secure changes the present address too. */
export async function mailEmailChange(
  context: AuthContext,
  db: Db,
  user: Pick<User, 'id' | 'email'>,
  newEmail: string,
  onward: Onward,
): Promise<void> {
  const { id, email } = user
  await updateUser(db, id, { new_email: newEmail, email_change_sent_at: new Date() })
  await deleteOneTimeTokens(db, id, ['email_change_current', 'email_change_new'])
  const mail = {
    user_id: id,
    template: 'account_email_change',
    type: 'email_change',
    account: newEmail,
    redirectTo: onward.redirectTo,
    flow_id: await beginMailFlow(db, id, 'email_change', onward),
  } as const
  await mailOneTime(context, db, { ...mail, kind: 'email_change_new', to: newEmail })
  if (email !== null && context.config.auth.secureEmailChange)
    await mailOneTime(context, db, { ...mail, kind: 'email_change_current', to: email })
}
