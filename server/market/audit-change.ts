import type { Db } from '#core/data/database.ts'
import { writeAudit, type AuditAction } from '../accounts/audit/audit-log.ts'
import type { Caller } from '../identity/caller.ts'
import type { Principal } from '../identity/find-live-session.ts'

/** An administrator, and from where he asks. */
export interface By {
  caller: Principal
  from: Caller
}

/**
 * Notes what an administrator changed in the market, in the transaction of the change.
 * @param change.client whose account it is about, who may read it; nobody's where it is left out
 * @param change.details ids, amounts and words of ours; `before` and `after` of what changed. A `note` is the administrators' own
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
    actor_id: caller.user_id,
    caller: from,
    details: change.details,
  })
}
