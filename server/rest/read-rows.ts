import type { RowQuery } from '#core/data/rows/row-query.ts'
import type { Db } from '#core/data/database.ts'
import { findRows, findRowsIn } from '#core/data/rows/find-rows.ts'
import type { StoredRow } from '#core/data/rows/select-rows.ts'
import { OUT_OF_TIME } from '#core/data/rows/within-time.ts'
import { showRow } from '#core/use-cases/rows/show-row.ts'
import type { Answer } from '../http/route.ts'
import { keptLogs } from '../webhooks/kept-logs.ts'
import { answerRows, rangeOf } from './answer-rows.ts'
import { rangeUnsatisfiable } from './parse/parse-query.ts'
import type { RestCall } from './rest-call.ts'
import { RestError } from './rest-error.ts'

/** Rows that are made into text without leaving time for others. */
const TOGETHER = 50

/** Answers a GET. @throws RestError */
export async function readRows(call: RestCall): Promise<Answer> {
  const { wish, query } = call
  const { rows, total } = await find(call, query, wish.count)
  if (total !== undefined && query.offset > total) {
    const details = `An offset of ${query.offset} was requested, but there are only ${total} rows.`
    throw rangeUnsatisfiable(details, total)
  }
  const range = rangeOf(query.offset, rows.length, total)
  const status = total !== undefined && rows.length < total ? 206 : 200
  return answerRows(await showRows(call, rows), wish, { status, range })
}

/**
 * The rows of a query as JSON texts.
 * @param trx the transaction that writes them; without one, rows are read as they are now
 * @throws RestError
 */
export async function listRows(call: RestCall, query: RowQuery, trx?: Db): Promise<string[]> {
  const rows = trx === undefined ? (await find(call, query, undefined)).rows : await findIn(trx, call, query)
  return await showRows(call, rows)
}

/** The stored rows of a query. @throws RestError for a value that is none of its type, or a query that takes too long */
export async function find(
  { context, table, owner }: RestCall,
  query: RowQuery,
  count: 'exact' | 'planned' | undefined,
): Promise<{ rows: StoredRow[]; total: number | undefined }> {
  const asked = { table, owner, query, kept: keptLogs(context.config), count }
  try {
    // The second try finds in memory the pages that the first has read from the disk.
    return await findRows(context.db, asked).catch(async (error: unknown) => {
      if (codeOf(error) !== OUT_OF_TIME) throw error
      return await findRows(context.db, asked)
    })
  } catch (error) {
    throw explainFault(error)
  }
}

/** The stored rows of a query, as a transaction that writes sees them. @throws RestError as {@link find} */
export async function findIn(
  trx: Db,
  { context, table, owner }: RestCall,
  query: RowQuery,
): Promise<StoredRow[]> {
  try {
    return await findRowsIn(trx, { table, owner, query, kept: keptLogs(context.config) })
  } catch (error) {
    throw explainFault(error)
  }
}

/** Headers that cannot be read are null and logged. */
async function showRows({ context }: RestCall, rows: readonly StoredRow[]): Promise<string[]> {
  const { secrets, inSlices, logger } = context
  const shown: string[] = []
  const show = (row: StoredRow): string =>
    showRow(row, secrets, (error) =>
      logger.error({ err: error, row: row['id'] }, 'the headers of a row cannot be read as stored'),
    )
  for (let at = 0; at < rows.length; at += TOGETHER)
    shown.push(...(await inSlices(() => rows.slice(at, at + TOGETHER).map(show))))
  return shown
}

/** PostgreSQL's class of errors about values: they repeat what the request itself contained. */
const ABOUT_VALUES = /^22/

function explainFault(error: unknown): unknown {
  const code = codeOf(error)
  if (code !== undefined && error instanceof Error && ABOUT_VALUES.test(code))
    return new RestError(400, code, error.message.slice(0, 500))
  if (code !== OUT_OF_TIME) return error
  return new RestError(400, OUT_OF_TIME, 'canceling statement due to statement timeout', {
    hint: 'Ask for less: filter by an id or a time, order by created_at, leave out count=exact, or use /api/v1.',
  })
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
