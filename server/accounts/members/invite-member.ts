import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'
import { MEMBER_ROLE_WORDS } from '#core/contract/accounts/member-role-words.ts'
import { mayManage, type MemberRole } from '#core/contract/accounts/member-role.ts'
import type { MemberInvitation, NewMemberInvitation } from '#core/contract/accounts/members.ts'
import type { MemberInvitationMail } from '#core/contract/mail.ts'
import { APP_PATHS } from '#core/contract/paths.ts'
import { queueAccountMail } from '#core/data/outbox/mails.ts'
import { givenName } from '#core/domain/accounts/given-name.ts'
import { EMAIL_WORDS, normaliseEmail, validateEmail } from '#core/domain/accounts/validate-email.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '#server/context.ts'
import { spendMail } from '../guards/spend-mail.ts'
import { auditMember, changeMembers, type By, type LockedMembers } from './change-members.ts'
import {
  countInvitations,
  findWaitingRole,
  insertInvitation,
  listInvitations,
  withdrawInvitations,
} from './data/invitations.ts'

/** docs/product.md §9: days for which an invitation is good, how many may wait, and how many a day may be sent. */
const INVITATION_DAYS = 7
const MOST_OPEN = 20
const MOST_A_DAY = 50

/** The token is in the mail alone; 256 random bits need no slow hash. */
export function hashInvitationToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/**
 * Invites a person into the caller's account by mail. A second invitation of an address replaces the first.
 * @throws AppError validation_failed, forbidden, conflict, rate_limited
 */
export async function inviteMember(
  context: ServerContext,
  by: By,
  { email: given, role }: NewMemberInvitation,
): Promise<MemberInvitation> {
  const email = normaliseEmail(given)
  const [fault] = validateEmail(email)
  if (fault !== undefined) {
    const errors = [{ path: 'email', message: EMAIL_WORDS[fault] }]
    throw new AppError('validation_failed', 'This is no email address.', { errors })
  }
  // Anybody may open an account and name it as they like, so its name is mailed to nobody before somebody looked at it.
  if (!by.caller.is_approved)
    throw new AppError('conflict', 'You can invite people once your account has been approved.')
  await spendMail(context, by.caller.account_id)
  return await changeMembers(context, by.caller, async (locked) => {
    const { trx, account, people } = locked
    requireMayManage(locked, role)
    if (people.some((member) => member.email === email))
      throw new AppError('conflict', 'This person belongs to your account already.')
    await withdrawInvitations(trx, account, { email })
    await refuseTooMany(locked)
    const id = await sendInvitation(context, locked, { email, role })
    await auditMember(trx, by, {
      action: 'member_invited',
      account,
      details: { invitation_id: id, after: { role } },
    })
    const invitation = (await listInvitations(trx, account)).find((one) => one.id === id)
    if (invitation === undefined) throw new Error('an invitation vanished after its insert')
    return invitation
  })
}

/** @throws AppError forbidden if the caller's role may give or change this one */
export function requireMayManage({ self }: LockedMembers, role: MemberRole): void {
  if (mayManage(self.role, role)) return
  throw new AppError(
    'forbidden',
    `Only an owner may do this with the role ${MEMBER_ROLE_WORDS[role]}. Yours is ${MEMBER_ROLE_WORDS[self.role]}.`,
  )
}

/** Withdraws an invitation that waits; its link then opens nothing. @throws AppError not_found, forbidden */
export async function withdrawInvitation(context: ServerContext, by: By, id: string): Promise<void> {
  await changeMembers(context, by.caller, async (locked) => {
    const { trx, account } = locked
    const role = await findWaitingRole(trx, account, id)
    if (role === undefined) throw new AppError('not_found', 'No invitation with this id waits.')
    requireMayManage(locked, role)
    await withdrawInvitations(trx, account, { id })
    const details = { invitation_id: id, before: { role } }
    await auditMember(trx, by, { action: 'member_invitation_withdrawn', account, details })
  })
}

async function refuseTooMany({ trx, account }: LockedMembers): Promise<void> {
  const { open, today } = await countInvitations(trx, account)
  if (open >= MOST_OPEN)
    throw new AppError('conflict', `${MOST_OPEN} invitations wait already. Withdraw one first.`)
  if (today >= MOST_A_DAY)
    throw new AppError('rate_limited', `An account may send ${MOST_A_DAY} invitations a day.`, {
      retryAfterSeconds: 3600,
    })
}

async function sendInvitation(
  context: ServerContext,
  { trx, account, accountName, self }: LockedMembers,
  { email, role }: NewMemberInvitation,
): Promise<string> {
  const id = randomUUIDv7()
  const token = randomBytes(32).toString('base64url')
  const expiresAt = await insertInvitation(trx, {
    id,
    account_id: account,
    email,
    role,
    token_hash: hashInvitationToken(token),
    invited_by: self.user_id,
    days: INVITATION_DAYS,
  })
  const data: MemberInvitationMail['data'] = {
    address: email,
    account_name: accountName,
    invited_by_name: givenName(self) ?? self.email,
    role,
    // Behind the #, so that no server's log has it.
    url: `${context.config.http.publicUrl}${APP_PATHS.join}#token=${token}`,
    expires_at: expiresAt.toISOString(),
  }
  await queueAccountMail(trx, {
    recipient_user_id: self.user_id,
    address: email,
    template: 'member_invited',
    sealed: context.secrets.seal('mails.sealed_data', JSON.stringify(data)),
  })
  return id
}
