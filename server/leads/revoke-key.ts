import { revokeSource } from '#core/data/leads/sources.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../context.ts'
import { auditChange, type By } from '../market/audit-change.ts'

/** Revokes a source's API key, for good; once more is harmless. @throws AppError not_found */
export async function revokeKey(context: ServerContext, by: By, id: string): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const revoked = await revokeSource(trx, id)
    if (revoked === 'none') throw new AppError('not_found', 'Source not found')
    if (revoked === 'now')
      await auditChange(trx, by, { action: 'source_revoked', details: { source_id: id } })
  })
  context.sources.forget()
}
