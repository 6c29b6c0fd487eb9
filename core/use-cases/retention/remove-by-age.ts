import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { emptyOldLeads } from '#core/data/retention/empty-leads.ts'
import { giveRemovalBack, recordRemoval, takeRemoval, type Hold } from '#core/data/retention/progress.ts'
import { recordRun } from '#core/data/retention/record-run.ts'
import { removeDeliveries } from '#core/data/retention/remove-deliveries.ts'
import { removeEvents } from '#core/data/retention/remove-events.ts'
import { removeAuditRows, removeDecisions, removeLateLeads } from '#core/data/retention/remove-records.ts'
import type { OldestKept, Step } from '#core/data/retention/step.ts'
import type { Retained } from '#core/data/schema/retention-tables.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { uuidBefore } from '#core/domain/uuid-at.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { listOldRows, oldestKept, type Periods } from './old-rows.ts'

/** One piece of the removal of each kind. */
const REMOVE: Readonly<
  Record<Retained, (db: Kysely<Database>, after: string, oldest: OldestKept) => Promise<Step>>
> = {
  deliveries: removeDeliveries,
  events: removeEvents,
  unsold_leads: (db, after, oldest) => emptyOldLeads(db, 'unsold_leads', after, oldest),
  sold_leads: (db, after, oldest) => emptyOldLeads(db, 'sold_leads', after, oldest),
  decisions: removeDecisions,
  late_leads: removeLateLeads,
  audit_rows: removeAuditRows,
}

/**
 * The removal rests after each piece for this many times as long as the piece took. So it keeps a core of PostgreSQL busy
 * for a quarter of the time at most.
 */
export const REST = 3
/** Progress is recorded about this often, so that a crash repeats little. */
const RECORD_MS = 1000

export interface Removal {
  db: Kysely<Database>
  periods: Periods
  /** PostgreSQL's time. Never pass the time of a machine: if its clock is wrong, all rows may look old */
  now: Date
  signal: AbortSignal
  /** called after each piece */
  onRemoved?: (what: Retained, rows: number) => void
  /** {@link REST} by default */
  rest?: number
}

/**
 * Removes rows that are older than their period, in small pieces with rests, and empties old leads of their persons. Each
 * kind is in the hands of one process at a time; a run that is cut off is continued by the next. A run that removed more
 * than deliveries and events adds one row to the audit log.
 * @returns how many rows of each kind
 */
export async function removeByAge(removal: Removal): Promise<Partial<Record<Retained, number>>> {
  const removed: Partial<Record<Retained, number>> = {}
  const holder = randomUUID()
  const count = (what: Retained, rows: number): void => {
    removed[what] = (removed[what] ?? 0) + rows
    removal.onRemoved?.(what, rows)
  }
  try {
    for (const { what, days } of listOldRows(removal.periods)) {
      if (days === undefined || removal.signal.aborted) continue
      await removeKind({ ...removal, onRemoved: count }, { what, holder }, days)
    }
  } finally {
    await recordRun(removal.db, removed)
  }
  return removed
}

async function removeKind(removal: Removal, hold: Hold, days: number): Promise<void> {
  const { db, now, signal } = removal
  const oldest = oldestKept(now, days)
  const reached = await takeRemoval(db, hold, oldest.moment)
  if (reached === undefined) return
  let isWhole = false
  try {
    for await (const { removed, upTo } of walkThrough(removal, hold.what, oldest, reached))
      if (!(await recordRemoval(db, hold, { reached: upTo, removed }))) return
    isWhole = !signal.aborted
  } finally {
    await giveRemovalBack(db, hold, isWhole)
  }
}

/** Yields about once a second, and at the end: rows removed since, and the id up to which nothing is left to do. */
async function* walkThrough(
  { db, signal, onRemoved, rest = REST }: Removal,
  what: Retained,
  oldest: OldestKept,
  reached: string,
): AsyncGenerator<{ removed: number; upTo: string }> {
  let after = reached
  let waits: string | null = null
  let removed = 0
  let recorded = performance.now()
  while (!signal.aborted) {
    const began = performance.now()
    const from = after
    const step = await repeatOnConflict(() => REMOVE[what](db, from, oldest))
    const took = performance.now() - began
    onRemoved?.(what, step.removed)
    removed += step.removed
    waits ??= step.waits
    after = step.last ?? after
    const isOver = step.last === null
    if (isOver || performance.now() - recorded > RECORD_MS) {
      yield { removed, upTo: waits === null ? after : uuidBefore(waits) }
      removed = 0
      recorded = performance.now()
    }
    if (isOver) return
    await sleep(took * rest, undefined, { signal }).catch(() => undefined)
  }
  yield { removed, upTo: waits === null ? after : uuidBefore(waits) }
}
