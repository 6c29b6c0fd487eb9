import { IMPORT_LIMITS, type ImportMapping, type PreviewedRow } from '#core/contract/imports/lead-import.ts'
import { listHead } from '#core/data/imports/lead-imports.ts'
import { listWaitingRows } from '#core/data/imports/take-rows.ts'
import { AppError } from '#core/errors.ts'
import { describeLead } from '#core/use-cases/ingest/describe-lead.ts'
import { readRow } from '#core/use-cases/ingest/read-row.ts'
import type { ServerContext } from '../context.ts'
import { requireMapping } from './release-import.ts'
import { requireImport } from './show-import.ts'

/** @throws AppError not_found, conflict */
async function readFirst({ db }: ServerContext, id: string) {
  const { columns, state, source_id } = await requireImport(db, id)
  if (state !== 'ready') throw new AppError('conflict', `The import is ${state}, not ready.`)
  const rows = await listWaitingRows(db, id, { after: 0, limit: IMPORT_LIMITS.preview })
  return { columns, source_id, rows }
}

/** The first rows, for the person who maps the columns. @throws AppError not_found, conflict */
export async function listFirstRows(context: ServerContext, id: string) {
  const { rows } = await readFirst(context, id)
  return { rows: rows.map(({ row, cells }) => ({ row, cells })), head: await listHead(context.db, id) }
}

/**
 * Shows what the first rows would become. Whether the source has sent them before is known only when they are
 * stored.
 * @throws AppError not_found, validation_failed, conflict
 */
export async function previewImport(
  context: ServerContext,
  id: string,
  mapped: ImportMapping,
): Promise<{ rows: PreviewedRow[] }> {
  const { columns, source_id, rows } = await readFirst(context, id)
  requireMapping(mapped, columns)
  const now = new Date()
  return {
    rows: rows.map((row) => {
      const reading = readRow({ id, source_id, ...mapped }, row, now)
      return {
        row: row.row,
        cells: row.cells,
        lead: reading.row === undefined ? null : describeLead(reading.row, mapped),
        errors: reading.errors ?? [],
        ...(reading.row?.warnings === undefined ? {} : { warnings: [...reading.row.warnings] }),
      }
    }),
  }
}
