import { EXPORT_DAYS, LONG_LIST_ROWS, type Export, type ExportKind } from '#core/contract/exports/export.ts'
import { findExport, removeExport, type StoredExport } from '#core/data/exports/exports.ts'
import { findFile } from '#core/data/files/stored-files.ts'
import { countLeads } from '#core/data/leads/lists/count-leads.ts'
import type { LeadFilter } from '#core/data/leads/lists/list-leads.ts'
import { countEntries } from '#core/data/market/count-entries.ts'
import { AppError } from '#core/errors.ts'
import { removeFiles } from '#core/use-cases/files/remove-files.ts'
import { decodePieces } from '../http/decode-pieces.ts'
import type { ServerContext } from '../context.ts'
import type { Principal } from '../identity/find-live-session.ts'
import { readerOf, requireKind } from './export-reader.ts'

const DAY_MS = 24 * 3600 * 1000

/** @throws AppError not_found */
export async function showExport(
  { db }: Pick<ServerContext, 'db'>,
  caller: Principal,
  id: string,
): Promise<Export> {
  const found = await findExport(db, readerOf(caller), id)
  if (found === undefined) throw notFound()
  return describeExport(found)
}

export function describeExport(stored: StoredExport): Export {
  const { id, kind, filters, state, rows_done, rows_all, size, failure } = stored
  const { created_at, started_at, finished_at } = stored
  return {
    id,
    kind,
    filters,
    state,
    rows_done,
    rows_all,
    failure,
    size: size === null ? null : Number(size),
    created_at: created_at.toISOString(),
    started_at: started_at?.toISOString() ?? null,
    finished_at: finished_at?.toISOString() ?? null,
    expires_at:
      finished_at === null ? null : new Date(finished_at.getTime() + EXPORT_DAYS * DAY_MS).toISOString(),
  }
}

/**
 * Removes an export with its file; a worker that makes it stops.
 * @throws AppError not_found
 */
export async function dropExport(
  { db }: Pick<ServerContext, 'db'>,
  caller: Principal,
  id: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const name = await removeExport(trx, readerOf(caller), id)
    if (name === undefined) throw notFound()
    await removeFiles({ db: trx }, { bucket: 'exports', account_id: undefined, names: [name] })
  })
}

/**
 * The file of an export, read at the reader's speed.
 * @throws AppError not_found, conflict if it is not ready
 */
export async function readExportFile(
  { db, files }: Pick<ServerContext, 'db' | 'files'>,
  caller: Principal,
  id: string,
): Promise<{ name: string; pieces: AsyncIterable<string> }> {
  const found = await findExport(db, readerOf(caller), id)
  if (found === undefined) throw notFound()
  if (found.state !== 'done') throw new AppError('conflict', 'This export has no file yet.')
  const file = await findFile(db, { bucket: 'exports', name: found.file_name })
  if (file === undefined) throw notFound()
  const name = `${found.kind}-${found.created_at.toISOString().slice(0, 10)}.csv`
  return { name, pieces: decodePieces(await files.read(file.sha256)) }
}

/**
 * Counts the rows of a list, up to the length from which it is exported in the background.
 * @throws AppError forbidden if the person's role does not include rows of this kind
 */
export async function measureExport(
  { db }: Pick<ServerContext, 'db'>,
  caller: Principal,
  { kind, ...filter }: LeadFilter & { kind: ExportKind },
): Promise<{ rows: number; is_more: boolean }> {
  requireKind(caller, kind)
  const limit = LONG_LIST_ROWS + 1
  const count =
    kind === 'ledger'
      ? await countEntries(db, caller.user_id, limit)
      : (await countLeads(db, caller, filter, { limit, after: undefined })).count
  return { rows: Math.min(count, LONG_LIST_ROWS), is_more: count > LONG_LIST_ROWS }
}

function notFound(): AppError {
  return new AppError('not_found', 'Export not found')
}
