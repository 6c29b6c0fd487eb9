import type { Db } from '#core/data/database.ts'
import { findEarlierLeads } from '#core/data/leads/find-earlier-leads.ts'
import { isRefused } from '#core/data/is-refused.ts'
import { failImport } from '#core/data/imports/stage-rows.ts'
import {
  claimImport,
  finishImport,
  listWaitingRows,
  settleRows,
  type RunningImport,
  type SettledRow,
  type WaitingRow,
} from '#core/data/imports/take-rows.ts'
import { insertLeads, type LeadRow } from '#core/data/leads/receive-leads.ts'
import { isOwnerSuspended, isSourceLive } from '#core/data/leads/sources/sources.ts'
import { withinSavepoint } from '#core/data/within-savepoint.ts'
import type { EventToEnqueue } from '#core/data/outbox/events.ts'
import { readRow } from '#core/use-cases/ingest/read-row.ts'

/** The results of rows, and the events to enqueue after the commit. */
interface Storing {
  settled: SettledRow[]
  events: EventToEnqueue[]
  /** PostgreSQL's reasons for refusing rows, for the log */
  failures: unknown[]
}
export type TakenRows = Omit<Storing, 'settled'>

/**
 * Turns the next rows of an import into leads, in the caller's transaction. It does nothing if the import is not
 * running any more.
 */
export async function takeRows(trx: Db, id: string, limit: number): Promise<TakenRows> {
  const running = await claimImport(trx, id)
  const nothing = { events: [], failures: [] }
  if (running === undefined) return nothing
  if (!(await isSourceLive(trx, { source_id: running.source_id }))) {
    await failImport(trx, id, 'source_revoked')
    return nothing
  }
  if (await isOwnerSuspended(trx, running.source_id)) {
    await failImport(trx, id, 'client_suspended')
    return nothing
  }
  const rows = await listWaitingRows(trx, id, { after: running.taken_to, limit })
  if (rows.length === 0) {
    await finishImport(trx, id)
    return nothing
  }
  const { settled, events, failures } = await storeEach(trx, running, rows)
  await settleRows(trx, id, settled)
  return { events, failures }
}

/**
 * Stores the leads together. A lead that PostgreSQL refuses for its content must not keep the others from being stored.
 */
async function storeEach(trx: Db, running: RunningImport, rows: readonly WaitingRow[]): Promise<Storing> {
  try {
    return await withinSavepoint(trx, () => storeRows(trx, running, rows))
  } catch (error) {
    if (!isRefused(error)) throw error
    if (rows.length === 1) return { settled: rows.map(refuseForOurs), events: [], failures: [error] }
  }
  const all: Storing = { settled: [], events: [], failures: [] }
  for (const row of rows) {
    const { settled, events, failures } = await storeEach(trx, running, [row])
    all.settled.push(...settled)
    all.events.push(...events)
    all.failures.push(...failures)
  }
  return all
}

async function storeRows(trx: Db, running: RunningImport, rows: readonly WaitingRow[]): Promise<Storing> {
  const now = new Date()
  const read = rows.map((row) => ({ row: row.row, reading: readRow(running, row, now) }))
  const leads = read.flatMap(({ reading }) => (reading.row === undefined ? [] : [reading.row]))
  const stored = leads.length === 0 ? undefined : await insertLeads(trx, leads)
  const known = await findKnown(
    trx,
    leads.filter(({ id }) => stored?.has(id) === false),
  )
  const settled = read.map(({ row, reading }): SettledRow => {
    if (reading.row === undefined) return { row, outcome: 'refused', errors: reading.errors }
    const isNew = stored?.has(reading.row.id) === true || known.get(reading.row.id) === 'idempotency_key'
    return isNew
      ? { row, outcome: 'accepted', errors: [] }
      : { row, outcome: 'duplicate', errors: [DUPLICATE] }
  })
  return { settled, events: [...(stored?.values() ?? [])].flatMap(({ events }) => events), failures: [] }
}

/**
 * The key by which each lead was known that was not stored. If it is the row's own key, this very row was stored
 * before.
 */
async function findKnown(trx: Db, leads: readonly LeadRow[]): Promise<Map<string, string | null>> {
  if (leads.length === 0) return new Map()
  const earlier = await findEarlierLeads(trx, leads)
  return new Map(earlier.map(({ posted_id, by }) => [posted_id, by]))
}

const DUPLICATE = { path: 'external_id', message: 'The source has sent a lead with this id before' }

function refuseForOurs({ row }: WaitingRow): SettledRow {
  const message = 'This row could not be stored, for a reason of ours. It has been logged.'
  return { row, outcome: 'refused', errors: [{ path: '', message }] }
}
