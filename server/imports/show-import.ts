import type { LeadImport } from '#core/contract/imports/lead-import.ts'
import type { Db } from '#core/data/database.ts'
import { findImport, type StoredImport } from '#core/data/imports/lead-imports.ts'
import { isoTime } from '#core/data/leads/leads.ts'
import { describeFailure } from '#core/domain/imports/describe-failure.ts'
import { AppError } from '#core/errors.ts'

/** @throws AppError not_found */
export async function requireImport(db: Db, id: string): Promise<StoredImport> {
  const found = await findImport(db, id)
  if (found === undefined) throw new AppError('not_found', 'Import not found')
  return found
}

/** @throws AppError not_found */
export async function showImport(db: Db, id: string): Promise<LeadImport> {
  return describeImport(await requireImport(db, id))
}

/** An import as administrators see it. */
export function describeImport({
  position: _position,
  failure,
  failure_row,
  emptied_at,
  file_id,
  ...stored
}: StoredImport): LeadImport {
  return {
    ...stored,
    failure: failure === null ? null : { code: failure, sentence: describeFailure(failure, failure_row) },
    has_report: emptied_at === null && stored.duplicates + stored.refused > 0,
    has_file: file_id !== null,
    created_at: stored.created_at.toISOString(),
    started_at: isoTime(stored.started_at),
    finished_at: isoTime(stored.finished_at),
  }
}
