import { CsvFault } from '#core/csv/csv-fault.ts'
import { openCsv } from '#core/csv/open-csv.ts'
import { readParts } from '#core/data/imports/import-parts.ts'
import {
  finishReading,
  listUnreadImports,
  stageRows,
  type StagedRow,
  type UnreadImport,
} from '#core/data/imports/stage-rows.ts'
import { failpoint } from '#core/failpoints.ts'
import type { WorkerContext } from '#worker/context.ts'
import { keepFile } from './keep-file.ts'
import { createTryImport } from './try-import.ts'

/** Limits of one statement, in rows and in characters. */
const MOST_ROWS = 500
const MOST_CHARACTERS = 256 * 1024

/**
 * Reads uploaded files into rows. One worker reads one file after the other. If it dies, the next one begins the file
 * again and finds the rows that are already there.
 */
export function createReadImports(
  context: Pick<WorkerContext, 'db' | 'holdDb' | 'logger' | 'files'>,
): (signal: AbortSignal) => Promise<void> {
  const tryImport = createTryImport(context)
  return async (signal) => {
    for (const unread of await listUnreadImports(context.db)) {
      if (signal.aborted) return
      await tryImport({ id: unread.id, state: 'reading', signal }, () => readFile(context, unread, signal))
    }
  }
}

async function readFile(
  context: Pick<WorkerContext, 'db' | 'holdDb' | 'logger' | 'files'>,
  unread: UnreadImport,
  signal: AbortSignal,
): Promise<void> {
  const { db } = context
  const csv = await openCsv(readParts(db, unread.id), unread)
  let count = 0
  let characters = 0
  let gathered: StagedRow[] = []
  const keep = async (): Promise<boolean> => {
    const isAlive = await stageRows(db, unread.id, gathered, count)
    await failpoint('after-stage')
    gathered = []
    characters = 0
    return isAlive && !signal.aborted
  }
  for await (const row of csv.rows) {
    count += 1
    gathered.push(row)
    for (const cell of row.cells) characters += cell.length
    if ((gathered.length >= MOST_ROWS || characters >= MOST_CHARACTERS) && !(await keep())) return
  }
  if (gathered.length > 0 && !(await keep())) return
  if (count === 0) throw new CsvFault('no_rows')
  await keepFile(context, unread)
  const { columns, delimiter, header, head, found } = csv
  await finishReading(db, unread.id, { columns, delimiter, header, head, ...found(), rows: count })
}
