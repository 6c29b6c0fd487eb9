import type { LeadReceipt } from '#core/contract/leads/lead-ingest.ts'
import { isRefused } from '#core/data/is-refused.ts'
import type { LeadRow } from '#core/data/leads/receive-leads.ts'
import type { SourceCaller } from '#core/data/leads/sources/sources.ts'
import { BATCHES } from '#server/admission/limits.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import { readPosted, type PostedLead, type Reading } from '#core/use-cases/ingest/read-posted.ts'
import type { ServerContext } from '../context.ts'
import { repeatWhileDatabaseAway } from '../http/database/repeat-while-database-away.ts'
import { acceptLead, explainUnstored, requireLive } from './explain-unstored.ts'
import { storeLead, storeTogether, type Stored } from './store-leads.ts'

/**
 * Receives many leads in chunks, so that a single lead that arrives meanwhile waits for one chunk and not for
 * all.
 * Each chunk is committed by itself, so a failed batch may be stored in part. Chunks after the first run at
 * low priority.
 * @param isGone whether the caller has hung up; then the rest is skipped, and missing in the result
 * @returns one receipt for each lead, in order
 * @throws AppError unavailable if too many batches wait already, invalid_api_key if the key is revoked
 * meanwhile
 */
export async function receiveBatch(
  context: ServerContext,
  source: SourceCaller,
  posted: readonly PostedLead[],
  isGone: () => boolean,
): Promise<LeadReceipt[]> {
  context.admission.admitBatch()
  const receipts: LeadReceipt[] = []
  for (let at = 0; at < posted.length && !isGone(); at += BATCHES.piece) {
    // Read once, so that a repeat recognises by its ids a chunk that was committed although its connection
    // broke.
    let read: Reading[] | undefined
    const receive = async (): Promise<LeadReceipt[]> => {
      if (isGone()) return []
      const now = new Date()
      read ??= posted.slice(at, at + BATCHES.piece).map((one) => readPosted(source, one, now))
      return await storePiece(context, source, read, at > 0)
    }
    receipts.push(...(await repeatWhileDatabaseAway(() => context.admission.inBatchQueue(receive))))
  }
  return receipts
}

/** Each lead is accepted, already known, or rejected with its faults, independently of the others. */
async function storePiece(
  context: ServerContext,
  source: SourceCaller,
  readings: readonly Reading[],
  inBulk: boolean,
): Promise<LeadReceipt[]> {
  const rows = readings.flatMap(({ row }) => (row === undefined ? [] : [row]))
  if (rows.length === 0) await requireLive(context, source)
  const stored = await store(context, source, rows)
  context.announce.events(
    [...stored.values()].flatMap((lead) => lead?.events ?? []),
    { sender: source.source_id, inBulk },
  )
  const explain = await explainUnstored(
    context,
    source,
    rows.filter(({ id }) => stored.has(id) && stored.get(id) === undefined),
  )
  const receipts = readings.map(({ row, errors }): LeadReceipt => {
    if (row === undefined) return { result: 'rejected', errors }
    if (!stored.has(row.id)) return { result: 'rejected', errors: [REFUSED] }
    const lead = stored.get(row.id)
    return lead === undefined ? explain(row) : acceptLead(row, lead)
  })
  for (const { result } of receipts) context.operations.metrics.countLead(result)
  return receipts
}

const REFUSED = {
  path: '',
  message: 'This lead could not be stored, for a reason of ours. It has been logged.',
}

/** Stores the leads except those that the database refuses. */
async function store(
  context: ServerContext,
  source: SourceCaller,
  rows: readonly LeadRow[],
): Promise<Map<string, Stored>> {
  if (rows.length === 0) return new Map()
  const together = await storeTogether(context.dbByKey, rows)
  if (together !== undefined) return new Map(rows.map(({ id }, index) => [id, together[index]]))
  const stored = new Map<string, Stored>()
  for (const row of rows) {
    try {
      stored.set(row.id, await storeLead(context.db, row))
    } catch (error) {
      if (!isRefused(error)) throw error
      const failure = describeError(error)
      context.logger.error({ source_id: source.source_id, failure }, 'a lead of a batch was not stored')
    }
  }
  return stored
}
