import type { Db } from '#core/data/database.ts'
import { writeAudit, type AuditAction } from '../accounts/audit/audit-log.ts'
import type { Caller } from '../identity/caller.ts'
import type { Principal } from '../identity/find-live-session.ts'

/** An administrator, and the origin of the request. */
export interface By {
  caller: Principal
  from: Caller
}

/**
 * Records an administrator's change of the market, in the transaction of the change.
 * @param change.client the account that it is about, whose owner may read it; left out if it is about no
 * account
 * @param change.details ids, amounts and fixed words; `before` and `after` of each change. Only
 * administrators see a `note`
 */
export async function auditChange(
  db: Db,
  { caller, from }: By,
  change: { action: AuditAction; client?: string; details: Record<string, unknown> },
): Promise<void> {
  await writeAudit(db, {
    action: change.action,
    user_id: change.client ?? null,
    actor: 'admin',
    actor_id: caller.person_id,
    caller: from,
    details: change.details,
  })
}
