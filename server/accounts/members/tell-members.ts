import type { MemberRole } from '#core/contract/accounts/member-role.ts'
import type { Db } from '#core/data/database.ts'
import { queueMails, type QueuedMail } from '#core/data/outbox/mails.ts'
import { givenName } from '#core/domain/accounts/given-name.ts'
import type { OpenedInvitation } from './data/invitations.ts'
import type { StoredMember } from './data/members.ts'

/** Each change is told once, also if the same happens to the same person again later. */
const keyOf = (what: string): string => `${what} ${new Date().toISOString()}`

/** Tells the owners, and the person who invited, that somebody has joined. */
export async function tellJoined(
  trx: Db,
  people: readonly StoredMember[],
  { invitation, person }: { invitation: OpenedInvitation; person: string },
): Promise<void> {
  const joined = people.find(({ user_id }) => user_id === person)
  const told = people.filter(({ user_id, role }) => role === 'owner' || user_id === invitation.invited_by)
  const data = { member_name: nameOf(joined), role: invitation.role }
  await tell(trx, told, person, { template: 'member_joined', data }, invitation.id)
}

/** Tells a person that their role in the account is another. */
export async function tellMemberRole(
  trx: Db,
  accountName: string,
  member: StoredMember,
  role: MemberRole,
): Promise<void> {
  const data = { account_name: accountName, role }
  await tell(trx, [member], undefined, { template: 'member_role', data }, keyOf(role))
}

/** Tells the person who was removed, and the owners, what becomes of leads, webhooks and orders. */
export async function tellGone(
  trx: Db,
  accountName: string,
  people: readonly StoredMember[],
  { gone, isRemoved }: { gone: StoredMember; isRemoved: boolean },
): Promise<void> {
  const owners = people.filter(({ role, user_id }) => role === 'owner' && user_id !== gone.user_id)
  const key = keyOf(gone.user_id)
  const data = { member_name: nameOf(gone), removed: isRemoved }
  await tell(trx, owners, undefined, { template: 'member_gone', data }, key)
  if (isRemoved)
    await tell(
      trx,
      [gone],
      undefined,
      { template: 'member_removed', data: { account_name: accountName } },
      key,
    )
}

/** Tells both people of a hand-over. */
export async function tellHandedOver(
  trx: Db,
  accountName: string,
  { from, to }: { from: StoredMember; to: StoredMember },
): Promise<void> {
  const key = keyOf(to.user_id)
  for (const [reader, is_yours] of [
    [to, true],
    [from, false],
  ] as const) {
    const data = { account_name: accountName, from_name: nameOf(from), to_name: nameOf(to), is_yours }
    await tell(trx, [reader], undefined, { template: 'account_handed_over', data }, key)
  }
}

function nameOf(member: StoredMember | undefined): string {
  return member === undefined ? '' : (givenName(member) ?? member.email)
}

type Told = Extract<QueuedMail, { template: `member_${string}` | 'account_handed_over' }>
type Content = Told extends infer One ? (One extends Told ? Pick<One, 'template' | 'data'> : never) : never

async function tell(
  trx: Db,
  readers: readonly StoredMember[],
  except: string | undefined,
  mail: Content,
  key: string,
): Promise<void> {
  const others = readers.filter(({ user_id }) => user_id !== except)
  await queueMails(
    trx,
    others.map(({ user_id }): QueuedMail => ({ ...mail, recipient_user_id: user_id, notice_key: key })),
  )
}
