import { AppError } from '#core/errors.ts'
import type { Db } from '#core/data/database.ts'
import type { AdminRole } from '#core/contract/accounts/admin-role.ts'
import { queueMails } from '#core/data/outbox/mails.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import type { ServerContext } from '#server/context.ts'
import type { Caller } from '#server/identity/caller.ts'
import type { Principal } from '#server/identity/find-live-session.ts'
import { writeAudit, type AuditAction } from '../audit/audit-log.ts'
import { isLastOwner } from '../people/data/roles.ts'
import { lockUser, type User } from '../people/data/users.ts'

/** An owner, and the origin of the request. */
export interface By {
  caller: Principal
  from: Caller
}

/** Changes one account in a transaction that holds its row. @throws AppError not_found */
export async function changePerson<Result>(
  { db }: Pick<ServerContext, 'db'>,
  id: string,
  work: (trx: Db, user: User) => Promise<Result>,
): Promise<Result> {
  return await repeatOnConflict(() =>
    db.transaction().execute(async (trx) => {
      const user = await lockUser(trx, id)
      if (user === undefined) throw personNotFound()
      return await work(trx, user)
    }),
  )
}

/** The row of the audit log of a change of a person; `note` is the reason. */
export async function auditPerson(
  trx: Db,
  { caller, from }: By,
  change: { action: AuditAction; user_id: string; details: Record<string, unknown> },
): Promise<void> {
  await writeAudit(trx, { ...change, actor: 'admin', actor_id: caller.person_id, caller: from })
}

/** Tells the person by mail that their role as an administrator is another; null: they are none any more. */
export async function tellRole(trx: Db, userId: string, role: AdminRole | null, key: string): Promise<void> {
  await queueMails(trx, [
    { template: 'administrator_role', data: { role }, recipient_user_id: userId, notice_key: key },
  ])
}

/** @throws AppError conflict */
export async function keepAnOwner(trx: Db, userId: string): Promise<void> {
  if (await isLastOwner(trx, userId))
    throw new AppError('conflict', 'This is the last owner. Make another administrator an owner first.')
}

export function personNotFound(): AppError {
  return new AppError('not_found', 'No account has this id.')
}
