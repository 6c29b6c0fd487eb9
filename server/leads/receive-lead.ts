import type { LeadReceipt } from '#core/contract/leads/lead-ingest.ts'
import type { LeadRow } from '#core/data/leads/receive-leads.ts'
import type { SourceCaller } from '#core/data/leads/sources/sources.ts'
import { readPosted, type PostedLead } from '#core/use-cases/ingest/read-posted.ts'
import type { ServerContext } from '../context.ts'
import { acceptLead, explainUnstored, requireLive } from './explain-unstored.ts'

/**
 * Receives a lead from a source: it is accepted, already known, or rejected with its faults. An accepted lead
 * is committed, with its events, before this returns; Redis hears of it afterwards and may be away.
 * @throws AppError invalid_api_key if the key was revoked since it was looked up, forbidden if its client is
 * suspended
 */
export async function receiveLead(
  context: ServerContext,
  source: SourceCaller,
  posted: PostedLead,
): Promise<LeadReceipt> {
  const { row, errors } = readPosted(source, posted)
  if (row === undefined) await requireLive(context, source)
  const receipt: LeadReceipt =
    row === undefined ? { result: 'rejected', errors } : await keep(context, source, row)
  context.operations.metrics.countLead(receipt.result)
  if ('lead_id' in receipt) context.tracing.note({ 'leadwire.lead_id': receipt.lead_id })
  return receipt
}

async function keep(context: ServerContext, source: SourceCaller, row: LeadRow): Promise<LeadReceipt> {
  const stored = await context.leads.storeGathered(row)
  if (stored === undefined) return (await explainUnstored(context, source, [row]))(row)
  context.announce.events(stored.events, { sender: source.source_id })
  return acceptLead(row, stored)
}
