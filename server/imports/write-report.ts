import { listReportedRows, type ReportedRow } from '#core/data/imports/report-rows.ts'
import type { StoredImport } from '#core/data/imports/lead-imports.ts'
import { writeCsvRow } from '#core/domain/write-csv-row.ts'
import { AppError } from '#core/errors.ts'
import { auditChange, type By } from '../market/audit-change.ts'
import type { ServerContext } from '../context.ts'
import { requireImport } from './show-import.ts'

const PAGE = 500

/**
 * The rows that became no new lead, with the reason, page by page as the reader takes them. A corrected copy
 * can be imported again. The audit log records the download before its first byte, because it contains
 * personal data.
 * @throws AppError not_found, also if the rows are no longer kept
 */
export async function writeReport({ db }: ServerContext, by: By, id: string): Promise<AsyncIterable<string>> {
  const found = await requireImport(db, id)
  if (found.emptied_at !== null)
    throw new AppError('not_found', 'The rows of this import are not kept any longer.')
  const { source_id, owner_user_id, duplicates, refused } = found
  await auditChange(db, by, {
    action: 'leads_import_report_read',
    ...(owner_user_id !== null && { client: owner_user_id }),
    details: { import_id: id, source_id, duplicates, refused },
  })
  return writePages(db, found)
}

async function* writePages(
  db: ServerContext['db'],
  { id, columns, mapping }: StoredImport,
): AsyncGenerator<string> {
  yield `\uFEFF${writeCsvRow(['Row', 'Result', 'Reason', ...columns])}`
  const nameOf = (path: string): string => columns[mapping.indexOf(path)] ?? path
  let after: number | undefined = 0
  while (after !== undefined) {
    const page: ReportedRow[] = await listReportedRows(db, id, { after, limit: PAGE })
    yield page
      .map(({ row, outcome, errors, cells }) => {
        const reason = errors.map(({ path, message }) =>
          path === '' ? message : `${nameOf(path)}: ${message}`,
        )
        return writeCsvRow([String(row), outcome, reason.join('; '), ...cells])
      })
      .join('')
    after = page.length < PAGE ? undefined : page.at(-1)?.row
  }
}
