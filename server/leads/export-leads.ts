import type { LeadSummary } from '#core/contract/leads/lead.ts'
import { listLeads, type LeadFilter } from '#core/data/leads/list-leads.ts'
import { writeCsvRow } from '#core/domain/write-csv-row.ts'
import { writeAudit } from '../accounts/audit/audit-log.ts'
import type { ServerContext } from '../context.ts'
import type { Caller } from '../identity/caller.ts'
import type { Principal } from '../identity/find-live-session.ts'

const PAGE = 500

const COLUMNS: ReadonlyArray<readonly [heading: string, cell: (lead: LeadSummary) => string | null]> = [
  ['Lead id', ({ id }) => id],
  ['Received', ({ created_at }) => created_at],
  ['Name', ({ name }) => name],
  ['Phone', ({ phone }) => phone],
  ['Email', ({ email }) => email],
  ['State', ({ state }) => state],
  ['City', ({ city }) => city],
  ['Type', ({ lead_type }) => lead_type],
  ['Status', ({ status }) => status],
  ['Price', ({ price }) => price],
  ['Disposition', ({ disposition }) => disposition],
  ['Delivery', ({ delivery_status }) => delivery_status],
  ['Source', ({ source }) => source],
  ['Test', ({ is_test }) => (is_test ? 'yes' : 'no')],
  ['Unread', ({ unread }) => (unread ? 'yes' : 'no')],
]

/**
 * A list of leads as CSV, page by page as the reader takes it. The audit log records it before its first
 * byte, because it contains personal data. The search text is not recorded, because it may be a name.
 */
export async function exportLeads(
  context: ServerContext,
  by: { caller: Principal; from: Caller },
  filter: LeadFilter,
): Promise<AsyncIterable<string>> {
  const { search, ...narrowed } = filter
  await writeAudit(context.db, {
    action: 'leads_exported',
    user_id: by.caller.user_id,
    actor_id: by.caller.person_id,
    caller: by.from,
    details: { ...narrowed, is_searched: search !== undefined },
  })
  return writePages(context, by.caller, filter)
}

async function* writePages(
  { db }: ServerContext,
  caller: Principal,
  filter: LeadFilter,
): AsyncGenerator<string> {
  yield writeCsvRow(COLUMNS.map(([heading]) => heading))
  let after: { at: string; id: string } | undefined
  do {
    const found = await listLeads(db, caller, filter, { limit: PAGE, after })
    const page = found.slice(0, PAGE)
    yield page.map((lead) => writeCsvRow(COLUMNS.map(([, cell]) => cell(lead)))).join('')
    const last = found.length > PAGE ? page.at(-1) : undefined
    after = last && { at: last.position, id: last.id }
  } while (after !== undefined)
}
