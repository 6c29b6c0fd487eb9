import type { LedgerEntry } from '#core/contract/market/money/ledger.ts'
import { writeCsvRow } from '../write-csv-row.ts'

/** The first row of a CSV file of ledger entries. */
export const LEDGER_HEAD = writeCsvRow(['Date', 'Type', 'Amount', 'Balance', 'Lead', 'Note', 'Entry'])

export function writeLedgerRow(entry: LedgerEntry): string {
  const { id, created_at, entry_type, amount, balance_after, lead_id, note } = entry
  return writeCsvRow([created_at, entry_type, amount, balance_after, lead_id, note, id])
}
