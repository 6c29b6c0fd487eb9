import type { LeadFilter } from '#core/data/leads/lists/list-leads.ts'
import type { Db } from '#core/data/database.ts'
import { readLeadRows } from '#core/use-cases/exports/read-export-rows.ts'
import { writeAudit } from '../accounts/audit/audit-log.ts'
import type { ServerContext } from '../context.ts'
import type { Caller } from '../identity/caller.ts'
import type { Principal } from '../identity/find-live-session.ts'

/**
 * A list of leads as CSV, page by page as the reader takes it. The audit log records it before its first
 * byte, because it contains personal data.
 */
export async function exportLeads(
  context: ServerContext,
  by: { caller: Principal; from: Caller },
  filter: LeadFilter,
): Promise<AsyncIterable<string>> {
  await auditExport(context.primaryDb, by, filter)
  return textsOf(readLeadRows(context.db, by.caller, filter))
}

/**
 * Records that leads are exported. The search text is not recorded, because it may be a name.
 * @param exportId of a file that is made in the background
 */
export async function auditExport(
  db: Db,
  { caller, from }: { caller: Principal; from: Caller },
  filter: LeadFilter,
  exportId?: string,
): Promise<void> {
  const { search, ...narrowed } = filter
  await writeAudit(db, {
    action: 'leads_exported',
    user_id: caller.user_id,
    actor_id: caller.person_id,
    caller: from,
    details: {
      ...narrowed,
      is_searched: search !== undefined,
      ...(exportId !== undefined && { export_id: exportId }),
    },
  })
}

async function* textsOf(pieces: AsyncIterable<{ text: string }>): AsyncGenerator<string> {
  for await (const { text } of pieces) yield text
}
