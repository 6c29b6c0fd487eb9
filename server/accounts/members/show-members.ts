import type { AccountMember, MemberList } from '#core/contract/accounts/members.ts'
import type { Db } from '#core/data/database.ts'
import type { Principal } from '#server/identity/find-live-session.ts'
import { listInvitations } from './data/invitations.ts'
import { listMembers, type StoredMember } from './data/members.ts'

/** The people of the caller's account, and who is invited. */
export async function showMembers(db: Db, caller: Principal): Promise<MemberList> {
  const { account_id: account } = caller
  const people = await listMembers(db, account)
  return {
    data: people.map((member) => describeMember(member, caller)),
    next_cursor: null,
    invitations: await listInvitations(db, account),
  }
}

export function describeMember(
  { joined_at, ...member }: StoredMember,
  { account_id, person_id, viewed_by }: Principal,
): AccountMember {
  return {
    ...member,
    joined_at: joined_at.toISOString(),
    is_you: member.user_id === person_id && viewed_by === undefined,
    is_founder: member.user_id === account_id,
  }
}
