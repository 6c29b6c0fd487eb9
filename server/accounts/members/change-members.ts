import type { Db } from '#core/data/database.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '#server/context.ts'
import type { Caller } from '#server/identity/caller.ts'
import type { Principal } from '#server/identity/find-live-session.ts'
import { writeAudit, type AuditAction } from '../audit/audit-log.ts'
import { listMembers, lockAccountOfMembers, type StoredMember } from './data/members.ts'

/** A person of an account, and the origin of the request. */
export interface By {
  caller: Principal
  from: Caller
}

/** The people of an account that is locked, and the one who changes something. */
export interface LockedMembers {
  trx: Db
  account: string
  accountName: string
  people: readonly StoredMember[]
  self: StoredMember
}

/**
 * Changes the people of the caller's account, under its lock: who was removed a moment ago changes nothing more.
 * @throws AppError not_found for an administrator, who has no such account; forbidden
 */
export async function changeMembers<Result>(
  { db }: Pick<ServerContext, 'db'>,
  { account_id: account, person_id: person, admin_role }: Principal,
  work: (locked: LockedMembers) => Promise<Result>,
): Promise<Result> {
  if (admin_role !== null) throw noMembers()
  return await repeatOnConflict(() =>
    db.transaction().execute(async (trx) => {
      const accountName = await lockAccountOfMembers(trx, account)
      if (accountName === undefined) throw noMembers()
      const people = await listMembers(trx, account)
      const self = people.find(({ user_id }) => user_id === person)
      if (self === undefined) throw new AppError('forbidden', 'You do not belong to this account any more.')
      return await work({ trx, account, accountName, people, self })
    }),
  )
}

export function noMembers(): AppError {
  return new AppError('not_found', 'Only clients have an account with people.')
}

/** @throws AppError not_found */
export function requireMember({ people }: LockedMembers, id: string): StoredMember {
  const member = people.find(({ user_id }) => user_id === id)
  if (member === undefined) throw new AppError('not_found', 'No person of your account has this id.')
  return member
}

/** @throws AppError conflict if nobody would own the account without this person */
export function keepAnOwner({ people }: LockedMembers, { user_id }: StoredMember): void {
  const owners = people.filter(({ role }) => role === 'owner')
  if (owners.every((owner) => owner.user_id === user_id) && owners.length > 0)
    throw new AppError('conflict', 'This is the last owner. Hand the account over first.')
}

/** Records a change of an account's people in its audit log, with the person who made it. */
export async function auditMember(
  trx: Db,
  { caller, from }: By,
  change: { action: AuditAction; account: string; details: Record<string, unknown> },
): Promise<void> {
  await writeAudit(trx, {
    action: change.action,
    user_id: change.account,
    actor: 'user',
    actor_id: caller.person_id,
    session_id: caller.session_id,
    caller: from,
    details: change.details,
  })
}
