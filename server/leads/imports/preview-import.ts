import { IMPORT_LIMITS, type ImportMapping, type PreviewedRow } from '#core/contract/leads/lead-import.ts'
import { listWaitingRows } from '#core/data/leads/imports/take-rows.ts'
import { AppError } from '#core/errors.ts'
import { describeLead } from '#core/ingest/describe-lead.ts'
import { readRow } from '#core/ingest/read-row.ts'
import type { ServerContext } from '../../context.ts'
import { requireMapping } from './release-import.ts'
import { requireImport } from './show-import.ts'

/**
 * What the first rows would become. Whether the source has sent them before is only known when they are stored.
 * @throws AppError not_found, validation_failed, conflict
 */
export async function previewImport(
  { db }: ServerContext,
  id: string,
  mapped: ImportMapping,
): Promise<{ rows: PreviewedRow[] }> {
  const { columns, state, source_id } = await requireImport(db, id)
  if (state !== 'ready') throw new AppError('conflict', `The import is ${state}, not ready.`)
  requireMapping(mapped, columns)
  const now = new Date()
  const rows = await listWaitingRows(db, id, { after: 0, limit: IMPORT_LIMITS.preview })
  return {
    rows: rows.map((row) => {
      const reading = readRow({ id, source_id, ...mapped }, row, now)
      return {
        row: row.row,
        cells: row.cells,
        lead: reading.row === undefined ? null : describeLead(reading.row, mapped),
        errors: reading.errors ?? [],
      }
    }),
  }
}
