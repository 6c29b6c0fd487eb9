import type { LeadSummary } from '#core/contract/leads/lead.ts'
import { writeCsvRow } from '../write-csv-row.ts'

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
  ['Do not contact', ({ consent_revoked }) => (consent_revoked ? 'yes' : 'no')],
]

/** The first row of a CSV file of leads. */
export const LEAD_HEAD = writeCsvRow(COLUMNS.map(([heading]) => heading))

export function writeLeadRow(lead: LeadSummary): string {
  return writeCsvRow(COLUMNS.map(([, cell]) => cell(lead)))
}
