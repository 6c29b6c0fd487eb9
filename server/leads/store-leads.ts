import type { Db } from '#core/data/database.ts'
import { isRefused } from '#core/data/is-refused.ts'
import { insertLeads, type LeadRow, type NewLead } from '#core/data/leads/receive-leads.ts'
import { failpoint } from '#core/failpoints.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'

/** A new lead; undefined if it was stored before, or its source is stopped (explain-unstored.ts). */
export type Stored = NewLead | undefined

/**
 * Longer than a neighbour's commit takes on a slow disk. A lead that waits longer for a lock must not delay
 * others.
 */
const PATIENCE_MS = 250

/** Stores one lead, however long it waits for locks. Committed when this returns. */
export async function storeLead(db: Db, row: LeadRow): Promise<Stored> {
  const [stored] = await store(db, [row])
  return stored
}

/**
 * Stores leads in one statement, committed when this returns.
 * @returns the stored part of each, in order; or undefined if one unknown lead kept all of them from being
 * stored: then store each by itself
 */
export async function storeTogether(
  db: Db,
  rows: readonly LeadRow[],
): Promise<readonly Stored[] | undefined> {
  try {
    return await store(db, rows, PATIENCE_MS)
  } catch (error) {
    if (isRefused(error) || isLocked(error)) return undefined
    throw error
  }
}

async function store(db: Db, rows: readonly LeadRow[], patienceMs?: number): Promise<Stored[]> {
  await failpoint('before-commit')
  const stored = await repeatOnConflict(() => insertLeads(db, rows, patienceMs))
  await failpoint('after-commit')
  return rows.map(({ id }) => stored.get(id))
}

/** PostgreSQL's lock_not_available. */
function isLocked(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}
