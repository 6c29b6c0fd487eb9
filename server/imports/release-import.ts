import type { ImportMapping, LeadImport } from '#core/contract/imports/lead-import.ts'
import { startImport } from '#core/data/imports/lead-imports.ts'
import { isOwnerSuspended, isSourceLive } from '#core/data/leads/sources/sources.ts'
import { AppError } from '#core/errors.ts'
import { checkMapping } from '#core/use-cases/ingest/check-mapping.ts'
import { auditChange, type By } from '../market/audit-change.ts'
import type { ServerContext } from '../context.ts'
import { requireImport, showImport } from './show-import.ts'

/**
 * Lets rows become leads, with the mapping of their columns.
 * @throws AppError not_found, validation_failed, conflict
 */
export async function releaseImport(
  { db }: ServerContext,
  by: By,
  id: string,
  mapping: ImportMapping,
): Promise<LeadImport> {
  const { columns, state, source_id, owner_user_id, rows } = await requireImport(db, id)
  if (state !== 'ready') throw new AppError('conflict', `The import is ${state}, not ready.`)
  requireMapping(mapping, columns)
  if (!(await isSourceLive(db, { source_id })))
    throw new AppError('conflict', 'The source of this import was revoked.')
  if (await isOwnerSuspended(db, source_id))
    throw new AppError('conflict', 'The client of this import is suspended. Resume the account first.')
  await db.transaction().execute(async (trx) => {
    if (!(await startImport(trx, id, mapping)))
      throw new AppError('conflict', 'The import was started or cancelled meanwhile.')
    await auditChange(trx, by, {
      action: 'leads_import_started',
      ...(owner_user_id !== null && { client: owner_user_id }),
      details: { import_id: id, source_id, rows },
    })
  })
  return await showImport(db, id)
}

/** @throws AppError validation_failed */
export function requireMapping(mapping: ImportMapping, columns: readonly string[]): void {
  const errors = checkMapping(mapping, columns)
  if (errors.length > 0)
    throw new AppError('validation_failed', 'The columns cannot be mapped so.', { errors })
}
