import type { Db } from '#core/data/database.ts'
import { changeAddress } from '../codes/accept-one-time.ts'
import type { AuthContext } from '../auth-context.ts'
import type { Caller } from '#server/identity/caller.ts'
import { mergeMetadata } from './clean-metadata.ts'
import { readAccount } from './data/accounts.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { deleteOneTimeTokens } from '../codes/data/one-time-tokens.ts'
import { deleteSessionsOfUser } from '../sessions/data/sessions.ts'
import { updateUser, type User } from './data/users.ts'
import { mailEmailChange } from '../codes/mail-email-change.ts'
import type { Onward } from '../codes/mail-one-time.ts'
import type { OwnChanges } from './own-changes.ts'
import { issuePhoneCode } from '../sms/phone-code.ts'
import type { Principal } from '#server/identity/find-live-session.ts'

/** Sets the new password and ends everything that the old one opened: other sessions, codes and links. */
export async function changePassword(
  db: Db,
  user: User,
  password_hash: string,
  { session_id }: Principal,
  caller: Caller,
): Promise<void> {
  await updateUser(db, user.id, { password_hash })
  await deleteOneTimeTokens(db, user.id)
  await deleteSessionsOfUser(db, user.id, session_id)
  await writeAudit(db, { action: 'password_changed', user_id: user.id, session_id, caller })
}

/** Merges the given values into the stored ones. */
export async function changeMetadata(
  db: Db,
  user: User,
  { data, app_metadata }: OwnChanges,
  { session_id }: Principal,
  caller: Caller,
): Promise<void> {
  if (data === undefined && app_metadata === undefined) return
  await updateUser(db, user.id, {
    ...(data === undefined ? {} : { user_metadata: JSON.stringify(mergeMetadata(user.user_metadata, data)) }),
    ...(app_metadata === undefined
      ? {}
      : { app_metadata: JSON.stringify(mergeMetadata(user.app_metadata, app_metadata)) }),
  })
  const changed = [
    ...(data === undefined ? [] : ['user_metadata']),
    ...(app_metadata === undefined ? [] : ['app_metadata']),
  ]
  await writeAudit(db, {
    action: 'user_updated',
    user_id: user.id,
    session_id,
    caller,
    details: { changed },
  })
}

/** Asks the addresses for the change, or makes it at once if nobody need be asked. */
export async function changeEmail(
  context: AuthContext,
  db: Db,
  userId: string,
  email: string,
  onward: Onward,
  { session_id }: Principal,
  caller: Caller,
): Promise<void> {
  if (email === '') return
  const { user } = await readAccount(db, userId)
  if (isImmediate(context, user)) {
    await changeAddress(db, user, 'email', email, caller)
    return
  }
  await mailEmailChange(context, db, user, email, onward)
  await writeAudit(db, { action: 'email_change_requested', user_id: userId, session_id, caller })
}

/**
 * Changes the phone at once, or begins the change with a code to the new phone.
 * @returns the code to send; undefined if none is needed
 */
export async function changePhone(
  context: AuthContext,
  db: Db,
  userId: string,
  phone: string,
  caller: Caller,
): Promise<string | undefined> {
  if (phone === '') return undefined
  if (context.config.auth.phone.autoconfirm) {
    await changeAddress(db, (await readAccount(db, userId)).user, 'phone', phone, caller)
    return undefined
  }
  await updateUser(db, userId, { new_phone: phone, phone_change_sent_at: new Date() })
  return await issuePhoneCode(context, db, { user_id: userId, kind: 'phone_change', phone })
}

/** Whether a new address counts at once: the account has no address to give up, and new ones count as confirmed. */
export function isImmediate({ config }: AuthContext, user: User): boolean {
  return user.is_anonymous && user.email === null && config.auth.email.autoconfirm
}
