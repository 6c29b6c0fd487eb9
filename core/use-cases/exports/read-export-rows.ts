import type { Db } from '#core/data/database.ts'
import { listLeads, type LeadFilter } from '#core/data/leads/lists/list-leads.ts'
import type { Viewer } from '#core/data/leads/leads.ts'
import { listEntries } from '#core/data/market/ledger.ts'
import { LEAD_HEAD, writeLeadRow } from '#core/domain/exports/lead-rows.ts'
import { LEDGER_HEAD, writeLedgerRow } from '#core/domain/exports/ledger-rows.ts'

/** Rows that are in memory at the same time. */
const PAGE = 500

/** A piece of a CSV file, and its number of rows; the heading is none. */
export interface ExportPiece {
  text: string
  rows: number
}

/**
 * A list of leads as CSV, page by page as the reader takes it. Each page begins behind the last lead of the one before,
 * so leads that change meanwhile appear once at most.
 */
export async function* readLeadRows(db: Db, viewer: Viewer, filter: LeadFilter): AsyncGenerator<ExportPiece> {
  yield { text: LEAD_HEAD, rows: 0 }
  let after: { at: string; id: string } | undefined
  do {
    const found = await listLeads(db, viewer, filter, { limit: PAGE, after })
    const page = found.slice(0, PAGE)
    yield { text: page.map(writeLeadRow).join(''), rows: page.length }
    const last = found.length > PAGE ? page.at(-1) : undefined
    after = last && { at: last.position, id: last.id }
  } while (after !== undefined)
}

/** A client's whole ledger as CSV, newest first, page by page as the reader takes it. */
export async function* readLedgerRows(db: Db, userId: string): AsyncGenerator<ExportPiece> {
  yield { text: LEDGER_HEAD, rows: 0 }
  let before: string | undefined
  for (;;) {
    const entries = await listEntries(db, userId, { limit: PAGE, before })
    if (entries.length > 0) yield { text: entries.map(writeLedgerRow).join(''), rows: entries.length }
    if (entries.length < PAGE) return
    before = entries.at(-1)?.id
  }
}
