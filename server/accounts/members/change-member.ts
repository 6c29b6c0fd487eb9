import { PERMISSIONS_OF_MEMBER } from '#core/contract/accounts/member-role.ts'
import type { MemberChange } from '#core/contract/accounts/members.ts'
import type { EventToEnqueue } from '#core/data/outbox/events.ts'
import { releaseMember } from '#core/use-cases/market/release-member.ts'
import type { ServerContext } from '#server/context.ts'
import { answerVersionConflict } from '#server/http/errors/answer-version-conflict.ts'
import type { Answer } from '#server/http/route.ts'
import { auditMember, changeMembers, keepAnOwner, requireMember, type By } from './change-members.ts'
import { withdrawBeyond } from './data/invitations.ts'
import { listMembers, setMemberRole } from './data/members.ts'
import { requireMayManage } from './invite-member.ts'
import { describeMember } from './show-members.ts'
import { tellMemberRole } from './tell-members.ts'

/**
 * Gives a person of the account another role, from their next request on.
 * @throws AppError not_found, forbidden, conflict for the last owner
 */
export async function changeMember(
  context: ServerContext,
  by: By,
  id: string,
  { role, version }: MemberChange,
): Promise<Answer> {
  let released: EventToEnqueue[] = []
  const answer = await changeMembers(context, by.caller, async (locked) => {
    const { trx, account, accountName } = locked
    const member = requireMember(locked, id)
    requireMayManage(locked, member.role)
    requireMayManage(locked, role)
    if (version !== undefined && version !== member.version)
      return answerVersionConflict(describeMember(member, by.caller), { role })
    if (role !== member.role) {
      if (member.role === 'owner') keepAnOwner(locked, member)
      await setMemberRole(trx, account, { user_id: id, role, by: by.caller.person_id })
      await withdrawBeyond(trx, account, { invited_by: id, role })
      const details = { member: id, before: { role: member.role }, after: { role } }
      await auditMember(trx, by, { action: 'member_role_changed', account, details })
      await tellMemberRole(trx, accountName, member, role)
      // Nobody gets leads whom the role does not let work on them.
      if (!PERMISSIONS_OF_MEMBER[role].includes('leads'))
        released = await releaseMember(trx, { account, member: id, by: by.caller.person_id })
    }
    const now = (await listMembers(trx, account)).find(({ user_id }) => user_id === id) ?? member
    return { status: 200, json: describeMember(now, by.caller) }
  })
  context.announce.events(released)
  return answer
}
