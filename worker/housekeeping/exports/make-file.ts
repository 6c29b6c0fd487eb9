import { setTimeout as sleep } from 'node:timers/promises'
import { EXPORT_DAYS } from '#core/contract/exports/export.ts'
import { holdAsker } from '#core/data/exports/find-asker.ts'
import { finishExport, noteProgress, type ClaimedExport } from '#core/data/exports/make-export.ts'
import type { Viewer } from '#core/data/leads/leads.ts'
import { countEntries } from '#core/data/market/count-entries.ts'
import { failpoint } from '#core/failpoints.ts'
import { EXPORTS } from '#core/fairness/limits.ts'
import { countAllLeads } from '#core/use-cases/exports/count-export-rows.ts'
import { readFilters } from '#core/use-cases/exports/export-filters.ts'
import { judgeAsker } from '#core/use-cases/exports/judge-asker.ts'
import { readLeadRows, readLedgerRows, type ExportPiece } from '#core/use-cases/exports/read-export-rows.ts'
import { tellExport } from '#core/use-cases/exports/tell-export.ts'
import { storeFile } from '#core/use-cases/files/store-file.ts'
import type { WorkerContext } from '#worker/context.ts'

/** The export was removed, another worker has it, or the person may not read its rows any more. */
export class ExportLost extends Error {
  override readonly name = 'ExportLost'
}

interface Making {
  claimed: ClaimedExport
  /** whose rows it contains */
  viewer: Viewer
  signal: AbortSignal
}

const DAY_MS = 24 * 3600 * 1000
/** Tells spreadsheets that the file is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'
const MOST_ENTRIES = 2_000_000_000

/**
 * Makes the file of an export page by page, so that it is never whole in memory, with a rest after each page.
 * @throws ExportLost, FileRefusal, or the reason of `signal`
 */
export async function makeFile(
  { db, replica, files }: Pick<WorkerContext, 'db' | 'files'> & Partial<Pick<WorkerContext, 'replica'>>,
  making: Making,
): Promise<{ rows: number; size: number }> {
  const { claimed, viewer } = making
  const { id, kind, account_id, asked_by, file_name } = claimed
  const progress = followProgress(db, making)
  // The file has everything that was there when it was begun.
  const source = (await replica?.catchUp(making.signal)) === true ? replica?.db : undefined
  const pieces = await beginRows(source ?? db, making, progress)
  const expires_at = new Date(Date.now() + EXPORT_DAYS * DAY_MS)
  const stored = await storeFile(
    { db, files },
    {
      bucket: 'exports',
      // One of all accounts is nobody's own: the storage wire shows it to no one, whatever becomes of the person.
      account_id: claimed.is_of_all ? null : account_id,
      name: file_name,
      content_type: 'text/csv; charset=utf-8',
      bytes: writeSlowly(pieces, progress),
      created_by: asked_by,
      expires_at,
      upsert: true,
      alongside: async (trx, { size }) => {
        await failpoint('before-export-file')
        const rows = progress.done
        // The role may have changed while the rows were read.
        await holdAsker(trx, asked_by)
        if ((await judgeAsker(trx, claimed)) === undefined) throw new ExportLost()
        if (!(await finishExport(trx, claimed, { rows, size }))) throw new ExportLost()
        const isAdmin = viewer.role === 'admin'
        const data = { export_id: id, kind, rows, expires_at: expires_at.toISOString() }
        await tellExport(trx, { account_id, asked_by, isAdmin }, data)
      },
    },
  )
  return { rows: progress.done, size: stored.size }
}

/** Counts the rows, and begins to read them. */
async function beginRows(
  db: WorkerContext['db'],
  { claimed, viewer }: Making,
  progress: Progress,
): Promise<AsyncIterable<ExportPiece>> {
  if (claimed.kind === 'ledger') {
    progress.all = await countEntries(db, claimed.account_id, MOST_ENTRIES)
    return readLedgerRows(db, claimed.account_id)
  }
  const filter = readFilters(claimed.filters)
  progress.all = await countAllLeads(db, viewer, filter, progress.note)
  return readLeadRows(db, viewer, filter)
}

interface Progress {
  done: number
  /** null until the rows are counted */
  all: number | null
  /**
   * Notes the progress, unless that was done a moment ago.
   * @throws ExportLost, or the reason of the signal
   */
  note: () => Promise<void>
}

function followProgress(db: WorkerContext['db'], { claimed, signal }: Making): Progress {
  let notedAt = 0
  const progress: Progress = {
    done: 0,
    all: null,
    note: async () => {
      signal.throwIfAborted()
      if (performance.now() - notedAt < EXPORTS.progressMs) return
      notedAt = performance.now()
      const { done, all } = progress
      const isHeld = await noteProgress(db, claimed, { done, all, leaseSeconds: EXPORTS.leaseSeconds })
      if (!isHeld) throw new ExportLost()
    },
  }
  return progress
}

/** Rests after each page for as long as it took, so that others find the database free. */
async function* writeSlowly(
  pieces: AsyncIterable<ExportPiece>,
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(BYTE_ORDER_MARK)
  let beganAt = performance.now()
  for await (const { text, rows } of pieces) {
    const tookMs = performance.now() - beganAt
    yield Buffer.from(text)
    progress.done += rows
    await progress.note()
    if (rows > 0) await failpoint('within-export')
    await sleep(tookMs * EXPORTS.restTimes)
    beganAt = performance.now()
  }
}
