import type { HandOver, MemberList } from '#core/contract/accounts/members.ts'
import type { EventToEnqueue } from '#core/data/outbox/events.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '#server/context.ts'
import { auditMember, changeMembers, requireMember, type By } from './change-members.ts'
import { withdrawBeyond } from './data/invitations.ts'
import { setMemberRole } from './data/members.ts'
import { takeOut } from './remove-member.ts'
import { showMembers } from './show-members.ts'
import { tellHandedOver } from './tell-members.ts'

/**
 * Makes another person of the account its owner in the caller's place. The caller becomes a manager, or leaves.
 * @returns the people as they are now; undefined if the caller has left
 * @throws AppError not_found, forbidden, conflict
 */
export async function handOver(
  context: ServerContext,
  by: By,
  { to: id, leave }: HandOver,
): Promise<MemberList | undefined> {
  const released = await changeMembers(context, by.caller, async (locked) => {
    const { trx, account, accountName, self } = locked
    if (self.role !== 'owner') throw new AppError('forbidden', 'Only an owner may hand the account over.')
    const to = requireMember(locked, id)
    if (id === self.user_id) throw new AppError('conflict', 'You own the account already.')
    const person = by.caller.person_id
    if (to.role !== 'owner') await setMemberRole(trx, account, { user_id: id, role: 'owner', by: person })
    let events: EventToEnqueue[] = []
    if (leave) {
      const people = locked.people.map((one) => (one === to ? { ...to, role: 'owner' as const } : one))
      events = await takeOut({ ...locked, people }, by, self)
    } else {
      await setMemberRole(trx, account, { user_id: self.user_id, role: 'manager', by: person })
      await withdrawBeyond(trx, account, { invited_by: self.user_id, role: 'manager' })
    }
    const details = { member: id, before: { role: to.role }, after: { role: 'owner' }, leaves: leave }
    await auditMember(trx, by, { action: 'account_handed_over', account, details })
    await tellHandedOver(trx, accountName, { from: self, to })
    return events
  })
  context.announce.events(released)
  return leave ? undefined : await showMembers(context.db, by.caller)
}
