import type { GivenRole } from '#core/contract/accounts/member-role.ts'
import type { MemberInvitationMail } from '#core/contract/mail.ts'
import { openMail } from '#core/mail/open-mail.ts'
import type { CallResult, Person, TestApp } from '../../support/start-app.ts'

export const MEMBERS = '/api/v1/account/members'

/** Signs a new person up who belongs to the account with this role. */
export async function givenMember(app: TestApp, account: Person, role: GivenRole): Promise<Person> {
  const person = await app.newClient()
  await app.context.db
    .insertInto('account_members')
    .values({ user_id: person.id, account_id: account.id, role, added_by: account.id })
    .execute()
  return person
}

/** Calls one of the routes of an account's people as this person. */
export async function callMembers(
  app: TestApp,
  { token }: Person,
  method: string,
  path = '',
  body?: unknown,
): Promise<CallResult> {
  return await app.call(method, `${MEMBERS}${path}`, { token, ...(body !== undefined && { body }) })
}

/** Invites a person, and returns the token of the mailed link. */
export async function inviteByMail(
  app: TestApp,
  by: Person,
  { email, role }: { email: string; role: GivenRole },
): Promise<string> {
  const { status } = await callMembers(app, by, 'POST', '/invitations', { email, role })
  if (status !== 201) throw new Error(`the invitation was answered with ${status}`)
  return readToken(await readInvitationMail(app, email))
}

/** The newest invitation that was mailed to this address. */
export async function readInvitationMail(
  { context }: Pick<TestApp, 'context'>,
  email: string,
): Promise<MemberInvitationMail['data']> {
  const row = await context.db
    .selectFrom('mails')
    .selectAll()
    .where('recipient_address', '=', email)
    .where('template', '=', 'member_invited')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return (openMail(row, context.secrets) as MemberInvitationMail).data
}

export function readToken({ url }: { url: string }): string {
  return new URLSearchParams(new URL(url).hash.slice(1)).get('token') ?? ''
}

/** The notices about an account's people that wait for this reader, oldest first. */
export async function readNotices({ context }: Pick<TestApp, 'context'>, reader: Person) {
  return await context.db
    .selectFrom('mails')
    .select(['template', 'data'])
    .where('recipient_user_id', '=', reader.id)
    .where('template', 'in', [
      'member_joined',
      'member_role',
      'member_removed',
      'member_gone',
      'account_handed_over',
    ])
    .orderBy('id')
    .execute()
}

/** The rows of the audit log about the people of this account, oldest first. */
export async function readMemberAudit({ context }: Pick<TestApp, 'context'>, account: Person) {
  return await context.db
    .selectFrom('auth.audit_log')
    .select(['action', 'actor', 'actor_id', 'details'])
    .where('user_id', '=', account.id)
    .where('action', 'in', [
      'member_invited',
      'member_invitation_withdrawn',
      'member_joined',
      'member_role_changed',
      'member_removed',
      'member_left',
      'account_handed_over',
    ])
    .orderBy('id')
    .execute()
}
