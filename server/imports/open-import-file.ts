import type { FileLink } from '#core/contract/files/file-link.ts'
import { findImportFile } from '#core/data/imports/import-files.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../context.ts'
import { auditChange, type By } from '../market/audit-change.ts'
import { linkFile } from '../storage/link-file.ts'
import { requireImport } from './show-import.ts'

/**
 * A URL for the file of an import, as it was uploaded. The audit log records it first, because the file contains
 * personal data.
 * @throws AppError not_found, also if the file is no longer kept
 */
export async function openImportFile(context: ServerContext, by: By, id: string): Promise<FileLink> {
  const { source_id, owner_user_id } = await requireImport(context.db, id)
  const file = await findImportFile(context.db, id)
  if (file === undefined) throw new AppError('not_found', 'The file of this import is not kept any longer.')
  await auditChange(context.db, by, {
    action: 'leads_import_file_read',
    ...(owner_user_id !== null && { client: owner_user_id }),
    details: { import_id: id, source_id },
  })
  return await linkFile(context, file)
}
