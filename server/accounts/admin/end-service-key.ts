import { revokeServiceKey } from '#core/data/accounts/service-keys.ts'
import type { Db } from '#core/data/database.ts'
import { AppError } from '#core/errors.ts'
import { writeAudit } from '../audit/audit-log.ts'
import type { By } from './change-person.ts'

/**
 * Ends a service key for good. A repeat changes nothing, and leaves no second row in the audit log.
 * @returns the key's name, and whether it was valid until now
 * @throws AppError not_found
 */
export async function endServiceKey(
  { db }: { db: Db },
  { caller, from }: By,
  id: string,
  reason: string,
): Promise<{ name: string; isNew: boolean }> {
  return await db.transaction().execute(async (trx) => {
    const revoked = await revokeServiceKey(trx, id)
    if (revoked === undefined) throw new AppError('not_found', 'Key not found')
    const by = { actor: 'admin', actor_id: caller.person_id, caller: from } as const
    const details = { service_key_id: id, note: reason }
    if (revoked.isNew) await writeAudit(trx, { action: 'service_key_revoked', user_id: null, ...by, details })
    return revoked
  })
}
