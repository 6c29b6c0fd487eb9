import type { AdminAuditFilter, AdminAuditRow } from '#core/contract/accounts/audit.ts'
import type { PagePosition } from '#core/data/page.ts'
import { readAuditDetails } from '#core/domain/accounts/audit-words.ts'
import { writeCsvRow } from '#core/domain/write-csv-row.ts'
import type { ServerContext } from '#server/context.ts'
import { auditPerson, type By } from '../admin/change-person.ts'
import { readAdminAudit } from './read-admin-audit.ts'

const PAGE = 500

type Cell = (row: AdminAuditRow, said: ReturnType<typeof readAuditDetails>) => string | null
const COLUMNS: ReadonlyArray<readonly [heading: string, cell: Cell]> = [
  ['Time', ({ at }) => at],
  ['Person', ({ actor, actor_name: name }) => name ?? actor],
  ['Person id', ({ actor_id }) => actor_id],
  ['Did', ({ sentence }) => sentence],
  ['Action', ({ action }) => action],
  ['Account', ({ user_name }) => user_name],
  ['Account id', ({ user_id }) => user_id],
  ['Before', (_row, { changes }) => joinFields(changes, 'before')],
  ['After', (_row, { changes }) => joinFields(changes, 'after')],
  ['Reason', (_row, { note }) => note],
  ['Details', (_row, { rest }) => rest],
  ['Network', ({ ip }) => (ip === '::' ? null : ip)],
]

/**
 * The audit log as CSV, page by page as the reader takes it. A row of the log says so before its first byte; what was
 * searched for is not in it, because it may be a name.
 */
export async function exportAudit(
  context: ServerContext,
  by: By,
  { client, ...filter }: AdminAuditFilter,
): Promise<AsyncIterable<string>> {
  await auditPerson(context.db, by, {
    action: 'audit_exported',
    user_id: by.caller.user_id,
    details: { ...filter, is_searched: client !== undefined },
  })
  return writePages(context, { client, ...filter })
}

async function* writePages({ db }: ServerContext, filter: AdminAuditFilter): AsyncGenerator<string> {
  yield writeCsvRow(COLUMNS.map(([heading]) => heading))
  let after: PagePosition | undefined
  do {
    const found = await readAdminAudit(db, filter, { limit: PAGE, after })
    const page = found.slice(0, PAGE)
    yield page.map(writeRow).join('')
    const last = found.length > PAGE ? page.at(-1) : undefined
    after = last && { at: last.position, id: last.id }
  } while (after !== undefined)
}

function writeRow(row: AdminAuditRow): string {
  const said = readAuditDetails(row.details)
  return writeCsvRow(COLUMNS.map(([, cell]) => cell(row, said)))
}

function joinFields(
  changes: ReturnType<typeof readAuditDetails>['changes'],
  side: 'before' | 'after',
): string {
  return changes.map((change) => `${change.field}: ${change[side]}`).join('\n')
}
