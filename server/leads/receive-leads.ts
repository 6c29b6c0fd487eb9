import { createHash, randomUUIDv7 } from 'node:crypto'
import type { LeadReceipt } from '#core/contract/leads/lead-ingest.ts'
import type { FieldError } from '#core/contract/problem.ts'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import { failpoint } from '#core/failpoints.ts'
import { BATCHES } from '#core/fairness/limits.ts'
import {
  findEarlierLeads,
  insertLeads,
  type EarlierLead,
  type LeadRow,
} from '#core/data/leads/receive-leads.ts'
import type { SourceCaller } from '#core/data/leads/sources.ts'
import type { NormalisedLead } from '#core/domain/leads/normalise-lead.ts'
import type { ServerContext } from '../context.ts'
import { readLead } from './read-lead.ts'
import { repeatOnConflict } from '../http/repeat-on-conflict.ts'
import { repeatWhileDatabaseAway } from '../http/repeat-while-database-away.ts'

/** One lead of a request: what was posted, and the idempotency key that covers it. */
export interface PostedLead {
  item: unknown
  idempotencyKey: string | undefined
}

/**
 * Takes many leads piece by piece, so that a single lead that comes meanwhile waits for one piece and not for all.
 * Each piece is committed by itself: a batch that fails may be stored in part.
 * @param isGone whether the caller has hung up; then the rest is left alone, and is not in what is returned
 * @returns one receipt for each, in order
 * @throws AppError unavailable when too many batches wait already
 */
export async function receiveBatch(
  context: ServerContext,
  source: SourceCaller,
  posted: readonly PostedLead[],
  isGone: () => boolean,
): Promise<LeadReceipt[]> {
  context.batches.admit()
  const receipts: LeadReceipt[] = []
  for (let at = 0; at < posted.length && !isGone(); at += BATCHES.piece) {
    // Read once, so that a piece that was committed though its connection broke is known by its ids when it is repeated.
    let read: Reading[] | undefined
    const receive = async (): Promise<LeadReceipt[]> => {
      if (isGone()) return []
      read ??= readLeads(source, posted.slice(at, at + BATCHES.piece))
      return await storeReadings(context, source, read)
    }
    receipts.push(...(await repeatWhileDatabaseAway(() => context.batches.inTurn(receive))))
  }
  return receipts
}

/**
 * Takes leads from a source: each is accepted, known already, or rejected with its faults, and none spoils another. What is
 * accepted is committed, with its events, before this returns; Redis is told afterwards and may be away.
 * @returns one receipt for each, in order
 */
export async function receiveLeads(
  context: ServerContext,
  source: SourceCaller,
  posted: readonly PostedLead[],
): Promise<LeadReceipt[]> {
  return await storeReadings(context, source, readLeads(source, posted))
}

/** A lead that can be stored, or its faults. */
type Reading = { row: LeadRow; errors?: never } | { row?: never; errors: FieldError[] }

function readLeads(source: SourceCaller, posted: readonly PostedLead[]): Reading[] {
  const now = new Date()
  return posted.map(({ item, idempotencyKey }) => {
    const reading = readLead(item, now)
    return reading.ok ? { row: toRow(reading.lead, source, idempotencyKey) } : { errors: reading.errors }
  })
}

async function storeReadings(
  context: ServerContext,
  source: SourceCaller,
  readings: readonly Reading[],
): Promise<LeadReceipt[]> {
  const rows = readings.flatMap(({ row }) => (row === undefined ? [] : [row]))
  const accepted = await store(context, source, rows)
  const earlier = await findDuplicates(
    context,
    source,
    rows.filter((row) => !accepted.has(row.id)),
  )
  const receipts = readings.map(({ row, errors }): LeadReceipt => {
    if (row === undefined) return { result: 'rejected', errors }
    return accepted.has(row.id) ? { result: 'accepted', lead_id: row.id } : earlier(row)
  })
  for (const { result } of receipts) context.metrics.countLead(result)
  return receipts
}

async function store(
  context: ServerContext,
  source: SourceCaller,
  rows: readonly LeadRow[],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set()
  await failpoint('before-commit')
  const stored = await repeatOnConflict(() => insertLeads(context.db, rows, source.auto_assign))
  await failpoint('after-commit')
  const ids = stored.map(({ lead_id }) => lead_id)
  if (source.auto_assign)
    context.announceEventsOf(() => findEventsToEnqueueOfLeads(context.db, ids), source.source_id)
  else
    context.announceEvents(
      stored.map(({ event }) => event),
      source.source_id,
    )
  return new Set(ids)
}

/** The receipt of each lead that was not stored because the source had sent it before, or because it is stored already. */
async function findDuplicates(
  context: ServerContext,
  source: SourceCaller,
  rows: readonly LeadRow[],
): Promise<(row: LeadRow) => LeadReceipt> {
  const given = <T>(values: readonly (T | null)[]): T[] => values.filter((value) => value !== null)
  const earlier =
    rows.length === 0
      ? []
      : await findEarlierLeads(
          context.db,
          source.source_id,
          given(rows.map((row) => row.external_id)),
          given(rows.map((row) => row.idempotency_key)),
          rows.map((row) => row.id),
        )
  const ids = new Set(earlier.map((lead) => lead.id))
  const byKey = new Map(earlier.map((lead) => [lead.idempotency_key, lead]))
  const byExternalId = new Map(earlier.map((lead) => [lead.external_id, lead]))
  return (row) => {
    if (ids.has(row.id)) return { result: 'accepted', lead_id: row.id }
    const sameKey = row.idempotency_key === null ? undefined : byKey.get(row.idempotency_key)
    if (sameKey !== undefined && !sameFingerprint(sameKey, row)) {
      const message = 'This Idempotency-Key was used for a lead with other values'
      return { result: 'rejected', errors: [{ path: 'Idempotency-Key', message }] }
    }
    const known = sameKey ?? (row.external_id === null ? undefined : byExternalId.get(row.external_id))
    if (known === undefined) throw new Error('a lead was neither stored nor found')
    return { result: 'duplicate', lead_id: known.id }
  }
}

function sameFingerprint(earlier: EarlierLead, row: LeadRow): boolean {
  return `\\x${earlier.fingerprint?.toString('hex') ?? ''}` === row.ingest_fingerprint
}

function toRow(lead: NormalisedLead, source: SourceCaller, idempotencyKey: string | undefined): LeadRow {
  return {
    ...lead,
    id: randomUUIDv7(),
    status: 'new',
    user_id: source.owner_user_id,
    source_id: source.source_id,
    source: lead.source ?? source.name,
    idempotency_key: idempotencyKey ?? null,
    // normaliseLead writes its fields in one fixed order, so equal leads have equal text.
    ingest_fingerprint: `\\x${createHash('sha256').update(JSON.stringify(lead)).digest('hex')}`,
  }
}
