import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import { userBanned } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { writeAudit, type AuditAction } from '../audit/audit-log.ts'
import { isUserBlocked } from '#server/identity/data/blocks.ts'
import { acceptInvitedRole, findInvitedRole, setInvitedRole } from '../admin/data/invitations.ts'
import { sharesAccount, forgetRegistration, isAddressProven } from '../admin/forget-registration.ts'
import { deleteOneTimeTokens, type OneTimeToken } from './data/one-time-tokens.ts'
import { deleteSessionsOfUser } from '../sessions/data/sessions.ts'
import { settleAddress } from '../people/data/settle-address.ts'
import { lockUser, updateUser, type User } from '../people/data/users.ts'
import { dropUnprovenWays } from '../sign-up/drop-unproven-ways.ts'
import { explainTaken } from '../sign-up/explain-taken.ts'

/**
 * accepted: the person proved who they are; half: the other address of an e-mail change has not agreed yet;
 * stale: the code no longer means anything.
 */
export type Acceptance = 'accepted' | 'half' | 'stale'

/**
 * Does what a taken code or link stands for: confirms the address, or changes it. In the caller's
 * transaction.
 * @throws AuthError user_banned; email_exists or phone_exists if another account took the address meanwhile
 */
export async function acceptOneTime(
  context: Pick<AuthContext, 'config'>,
  db: Db,
  { user_id, kind, sent_to }: OneTimeToken,
  caller: Caller,
): Promise<Acceptance> {
  const user = await lockUser(db, user_id)
  if (user === undefined) return 'stale'
  if (await isUserBlocked(db, user_id)) throw userBanned()
  switch (kind) {
    case 'confirmation':
      return await confirm(db, user, 'email', sent_to, caller)
    case 'invite':
      return await acceptInvitation(context, db, user, sent_to, caller)
    case 'recovery':
    case 'magic_link':
      // Nobody had proven the address, so the person who chose the password may not be its owner.
      await dropUnprovenWays(db, user)
      return await confirm(db, (await lockUser(db, user_id)) ?? user, 'email', sent_to, caller)
    case 'phone_confirmation':
      return await confirm(db, user, 'phone', sent_to, caller)
    case 'email_change_current':
      return await agree(context, db, user, { side: 'current', sent_to }, caller)
    case 'email_change_new':
      return await agree(context, db, user, { side: 'new', sent_to }, caller)
    case 'phone_change':
      if (user.new_phone !== sent_to) return 'stale'
      await changeAddress(db, user, 'phone', sent_to, caller)
      return 'accepted'
    case 'reauthentication':
      return 'stale'
  }
}

/**
 * Gives whoever opens an invitation's mail the role of an administrator that it names, if any. Where nothing but this
 * mail proves the address, whoever registered it keeps no way to sign in; with a phone they would, so that account gets
 * no role. Nor does a person who shares a client's account by now.
 */
async function acceptInvitation(
  { config }: Pick<AuthContext, 'config'>,
  db: Db,
  user: User,
  sentTo: string,
  caller: Caller,
): Promise<Acceptance> {
  if (user.email !== sentTo) return 'stale'
  const invited = await findInvitedRole(db, user.id)
  const isProven = isAddressProven(config, user)
  const hasOtherOwner = !isProven && user.phone_confirmed_at !== null
  if (invited !== null && (hasOtherOwner || (await sharesAccount(db, user.id)))) {
    await setInvitedRole(db, user.id, null)
    return 'stale'
  }
  if (invited !== null && !isProven) await forgetRegistration(db, user)
  await dropUnprovenWays(db, (await lockUser(db, user.id)) ?? user)
  const acceptance = await confirm(db, (await lockUser(db, user.id)) ?? user, 'email', sentTo, caller)
  const role = acceptance === 'accepted' ? await acceptInvitedRole(db, user.id) : null
  if (role === null) return acceptance
  // A session from before the address was proven must not become an administrator's.
  await deleteSessionsOfUser(db, user.id, null)
  await writeAudit(db, { action: 'role_changed', user_id: user.id, caller, details: { after: { role } } })
  return acceptance
}

async function confirm(
  db: Db,
  user: User,
  provider: 'email' | 'phone',
  sentTo: string,
  caller: Caller,
): Promise<Acceptance> {
  if (user[provider] !== sentTo) return 'stale'
  const confirmedAt = provider === 'email' ? user.email_confirmed_at : user.phone_confirmed_at
  if (confirmedAt !== null) return 'accepted'
  await settleAddress(db, user, provider, sentTo)
  await writeAudit(db, { action: `${provider}_confirmed`, user_id: user.id, caller })
  return 'accepted'
}

/** One address agrees to a change. After both agreed, or if one is enough, the account has the new one. */
async function agree(
  { config }: Pick<AuthContext, 'config'>,
  db: Db,
  user: User,
  { side, sent_to }: { side: 'current' | 'new'; sent_to: string },
  caller: Caller,
): Promise<Acceptance> {
  const next = user.new_email
  if (next === null || sent_to !== (side === 'new' ? next : user.email)) return 'stale'
  const needsBoth = config.auth.secureEmailChange && user.email !== null
  if (needsBoth && (user.email_change_confirmed ?? side) === side) {
    await updateUser(db, user.id, { email_change_confirmed: side })
    return 'half'
  }
  await changeAddress(db, user, 'email', next, caller)
  return 'accepted'
}

/** The account has the new address from now on. Codes and links sent to the old one no longer work. */
export async function changeAddress(
  db: Db,
  user: User,
  provider: 'email' | 'phone',
  address: string,
  caller: Caller,
): Promise<void> {
  await settleAddress(db, user, provider, address).catch(explainTaken)
  await updateUser(db, user.id, provider === 'email' ? { new_email: null } : { new_phone: null })
  await deleteOneTimeTokens(db, user.id)
  const action: AuditAction = `${provider}_changed`
  await writeAudit(db, { action, user_id: user.id, caller })
}
