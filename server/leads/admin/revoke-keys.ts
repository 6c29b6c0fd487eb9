import { findSourceOfKey, revokeSourceKey } from '#core/data/leads/sources/source-keys.ts'
import { lockSource, revokeSource } from '#core/data/leads/sources/sources.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'
import { auditChange, type By } from '../../market/audit-change.ts'

/**
 * Revokes one API key for good; a repeat is harmless. Other keys of its source stay valid.
 * @throws AppError not_found
 */
export async function revokeKey(context: ServerContext, by: By, id: string): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const source_id = await findSourceOfKey(trx, id)
    if (source_id === undefined) throw new AppError('not_found', 'Key not found')
    await lockSource(trx, source_id)
    if (await revokeSourceKey(trx, { id, source_id }))
      await auditChange(trx, by, { action: 'source_key_revoked', details: { source_id, key_id: id } })
  })
  context.identity.sources.forget()
}

/**
 * Revokes every API key of a source; a repeat is harmless. Leads that came before are still delivered.
 * @throws AppError not_found
 */
export async function revokeAllKeys(context: ServerContext, by: By, id: string): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const revoked = await revokeSource(trx, id)
    if (revoked === 'none') throw new AppError('not_found', 'Source not found')
    if (revoked === 'now')
      await auditChange(trx, by, { action: 'source_revoked', details: { source_id: id } })
  })
  context.identity.sources.forget()
}
