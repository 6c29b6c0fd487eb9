import type { LeadReceipt } from '#core/contract/leads/lead-ingest.ts'
import { findEarlierLeads, type EarlierLead } from '#core/data/leads/find-earlier-leads.ts'
import type { LeadRow } from '#core/data/leads/receive-leads.ts'
import { isSourcePaused } from '#core/data/leads/sources/pause-source.ts'
import { isOwnerSuspended, isSourceLive, type SourceCaller } from '#core/data/leads/sources/sources.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../context.ts'
import { keyRefused } from '../identity/find-source.ts'
import { CLIENT_SUSPENDED, SOURCE_PAUSED } from '#core/contract/leads/posting-answers.ts'

/**
 * The receipts of leads that were not stored, because their source had sent them before or because they are
 * already stored.
 * @param source the source of all of them
 * @throws AppError invalid_api_key if the source's key was revoked, forbidden if its client is suspended or it is paused
 */
export async function explainUnstored(
  context: ServerContext,
  source: SourceCaller,
  rows: readonly LeadRow[],
): Promise<(row: LeadRow) => LeadReceipt> {
  if (rows.length === 0) return () => notFound()
  const earlier = await findEarlierLeads(context.dbByKey, rows)
  if (earlier.length < rows.length) throw await refuseStopped(context, source)
  const byId = new Map(earlier.map((lead) => [lead.posted_id, lead]))
  return (row) => explain(row, byId.get(row.id))
}

/**
 * Checks the key before faults of leads are reported: nothing of them will be stored, so no statement has
 * checked it.
 * @throws AppError invalid_api_key if it was revoked, forbidden if its client is suspended or it is paused
 */
export async function requireLive(context: ServerContext, source: SourceCaller): Promise<void> {
  const { dbByKey } = context
  if (!(await isSourceLive(dbByKey, source))) throw refuseRevoked(context)
  if (await isOwnerSuspended(dbByKey, source.source_id)) throw refuseSuspended()
  if (await isSourcePaused(dbByKey, source.source_id)) throw refusePaused()
}

function explain(row: LeadRow, earlier: EarlierLead | undefined): LeadReceipt {
  const id = earlier?.lead_id ?? notFound()
  if (earlier?.by === 'id') return acceptLead(row, earlier)
  if (earlier?.by === 'idempotency_key' && !sameFingerprint(earlier, row)) {
    const message = 'This Idempotency-Key was used for a lead with other values'
    return { result: 'rejected', errors: [{ path: 'Idempotency-Key', message }] }
  }
  return { result: 'duplicate', lead_id: id, ...tellTest(earlier) }
}

/** The receipt of a stored lead, with what was left out of it. */
export function acceptLead({ id, warnings }: LeadRow, lead: { is_test: boolean | null }): LeadReceipt {
  const told = warnings === undefined ? {} : { warnings: [...warnings] }
  return { result: 'accepted', lead_id: id, ...tellTest(lead), ...told }
}

function tellTest(lead: { is_test: boolean | null } | undefined): { is_test?: true } {
  return lead?.is_test === true ? { is_test: true } : {}
}

function sameFingerprint(earlier: EarlierLead, row: LeadRow): boolean {
  return `\\x${earlier.fingerprint?.toString('hex') ?? ''}` === row.ingest_fingerprint
}

async function refuseStopped(context: ServerContext, source: SourceCaller): Promise<AppError> {
  if (await isOwnerSuspended(context.dbByKey, source.source_id)) return refuseSuspended()
  // A key that was revoked is refused as such, also while its source is paused.
  const isLive = await isSourceLive(context.dbByKey, source)
  if (isLive && (await isSourcePaused(context.dbByKey, source.source_id))) return refusePaused()
  return refuseRevoked(context)
}

function refuseSuspended(): AppError {
  return new AppError('forbidden', CLIENT_SUSPENDED)
}

function refusePaused(): AppError {
  return new AppError('forbidden', SOURCE_PAUSED)
}

function refuseRevoked({ identity: { sources } }: ServerContext): AppError {
  sources.forget()
  return keyRefused()
}

function notFound(): never {
  throw new Error('a lead was neither stored nor found')
}
