import type { EventToEnqueue } from '#core/data/outbox/events.ts'
import { releaseMember } from '#core/use-cases/market/release-member.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '#server/context.ts'
import { deleteSessionsOfUser } from '../sessions/data/sessions.ts'
import {
  auditMember,
  changeMembers,
  keepAnOwner,
  requireMember,
  type By,
  type LockedMembers,
} from './change-members.ts'
import { withdrawInvitations } from './data/invitations.ts'
import { deleteMember, type StoredMember } from './data/members.ts'
import { requireMayManage } from './invite-member.ts'
import { tellGone } from './tell-members.ts'

/**
 * Removes a person from the account. Their sessions end at once, and both sides are told.
 * @throws AppError not_found, forbidden, conflict for oneself and for the last owner
 */
export async function removeMember(context: ServerContext, by: By, id: string): Promise<void> {
  if (id === by.caller.person_id)
    throw new AppError('conflict', 'You cannot remove yourself. Leave the account instead.')
  const released = await changeMembers(context, by.caller, async (locked) => {
    const member = requireMember(locked, id)
    requireMayManage(locked, member.role)
    keepAnOwner(locked, member)
    const events = await takeOut(locked, by, member)
    const details = { member: id, before: { role: member.role } }
    await auditMember(locked.trx, by, { action: 'member_removed', account: locked.account, details })
    return events
  })
  context.announce.events(released)
}

/**
 * Takes the caller out of the account; all their sessions end.
 * @throws AppError forbidden, conflict for the last owner
 */
export async function leaveAccount(context: ServerContext, by: By): Promise<void> {
  const released = await changeMembers(context, by.caller, async (locked) => {
    const { self } = locked
    if (locked.people.length === 1)
      throw new AppError('conflict', 'You are alone in this account. There is nothing to leave.')
    keepAnOwner(locked, self)
    const events = await takeOut(locked, by, self)
    const details = { member: self.user_id, before: { role: self.role } }
    await auditMember(locked.trx, by, { action: 'member_left', account: locked.account, details })
    return events
  })
  context.announce.events(released)
}

/**
 * Removal and leaving alike; the account is locked, and keeps an owner.
 * @returns events to announce after the commit
 */
export async function takeOut(
  { trx, account, accountName, people }: LockedMembers,
  by: By,
  gone: StoredMember,
): Promise<EventToEnqueue[]> {
  await deleteMember(trx, account, gone.user_id, by.caller.person_id)
  await withdrawInvitations(trx, account, { invited_by: gone.user_id })
  await deleteSessionsOfUser(trx, gone.user_id, null)
  await tellGone(trx, accountName, people, { gone, isRemoved: gone.user_id !== by.caller.person_id })
  return await releaseMember(trx, { account, member: gone.user_id, by: by.caller.person_id })
}
