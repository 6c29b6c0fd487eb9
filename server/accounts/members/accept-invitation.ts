import type { Me } from '#core/contract/accounts/account.ts'
import type { ShownInvitation } from '#core/contract/accounts/members.ts'
import { readMe } from '#core/data/accounts/profiles.ts'
import type { Db } from '#core/data/database.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '#server/context.ts'
import type { Principal } from '#server/identity/find-live-session.ts'
import { findRole } from '../people/data/roles.ts'
import { lockUser } from '../people/data/users.ts'
import { auditMember, type By } from './change-members.ts'
import { findInvitation, markAccepted, type OpenedInvitation } from './data/invitations.ts'
import {
  findAccountOf,
  isAccountUsed,
  listMembers,
  lockAccountOfMembers,
  setMemberRole,
} from './data/members.ts'
import { hashInvitationToken } from './invite-member.ts'
import { tellJoined } from './tell-members.ts'

/**
 * Shows an invitation's offer to the person who may accept it.
 * @throws AppError not_found, conflict
 */
export async function readInvitation(
  { db }: Pick<ServerContext, 'db'>,
  caller: Principal,
  token: string,
): Promise<ShownInvitation> {
  const invitation = await requireInvitation(db, token)
  if (invitation.accepted_at !== null) throw noInvitation()
  await refuseUnfit(db, invitation, caller)
  const { account_name, role, email, invited_by_name, expires_at } = invitation
  return { account_name, role, email, invited_by_name, expires_at: expires_at.toISOString() }
}

/**
 * Brings the invited person into the account. Their own account, which must be unused, waits until they leave. A repeat
 * by the same person changes nothing.
 * @throws AppError not_found, conflict
 */
export async function acceptInvitation(context: ServerContext, by: By, token: string): Promise<Me> {
  const { person_id: person } = by.caller
  const found = await requireInvitation(context.db, token)
  await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      await lockAccountOfMembers(trx, found.account_id)
      await lockUser(trx, person)
      // Only now does nobody else accept or withdraw it.
      const invitation = await requireInvitation(trx, token)
      const { account_id: account, role } = invitation
      if (invitation.accepted_at !== null) {
        if ((await findAccountOf(trx, person)) === account) return
        throw noInvitation()
      }
      await refuseUnfit(trx, invitation, by.caller)
      const inviter = invitation.invited_by ?? account
      await setMemberRole(trx, account, { user_id: person, role, by: inviter })
      await markAccepted(trx, invitation.id)
      const details = { invitation_id: invitation.id, member: person, after: { role } }
      await auditMember(trx, by, { action: 'member_joined', account, details })
      await tellJoined(trx, await listMembers(trx, account), { invitation, person })
    }),
  )
  // A repeat may come after another role.
  const people = await listMembers(context.db, found.account_id)
  const member = people.find(({ user_id }) => user_id === person)
  const me =
    member &&
    (await readMe(context.db, {
      user_id: person,
      account_id: found.account_id,
      member_role: member.role,
    }))
  if (me === undefined) throw noInvitation()
  return me
}

async function requireInvitation(db: Db, token: string): Promise<OpenedInvitation> {
  const found = await findInvitation(db, hashInvitationToken(token))
  if (found === undefined) throw noInvitation()
  return found
}

function noInvitation(): AppError {
  return new AppError('not_found', 'This invitation was used or withdrawn. Ask for another one.')
}

/** @throws AppError conflict, with the reason why this person cannot accept */
async function refuseUnfit(db: Db, invitation: OpenedInvitation, caller: Principal): Promise<void> {
  const reason = await findReason(db, invitation, caller)
  if (reason !== undefined) throw new AppError('conflict', reason)
}

async function findReason(
  db: Db,
  invitation: OpenedInvitation,
  { person_id: person }: Principal,
): Promise<string | undefined> {
  const user = await db
    .selectFrom('auth.users')
    .select(['email', 'email_confirmed_at'])
    .where('id', '=', person)
    .executeTakeFirst()
  // Nothing about the account is told to somebody with another address.
  if (user?.email !== invitation.email)
    return 'This invitation is for another email address. Sign in with the address that it was sent to.'
  if (user.email_confirmed_at === null) return 'Confirm your email address first.'
  if (invitation.is_expired) return 'This invitation has expired. Ask for another one.'
  if (invitation.is_blocked) return 'This account is suspended.'
  if ((await findRole(db, person)) !== null)
    return 'An administrator of Leadwire cannot belong to a client’s account.'
  const account = await findAccountOf(db, person)
  if (account !== undefined)
    return account === invitation.account_id
      ? 'You belong to this account already.'
      : 'You belong to an account with other people. Leave it first.'
  if (await isAccountUsed(db, person))
    return 'Your own account has been used, so it cannot join another one. Sign up with another email address and ask for an invitation there.'
  return undefined
}
