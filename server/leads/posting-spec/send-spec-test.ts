import type { LeadReceipt } from '#core/contract/leads/lead-ingest.ts'
import type { ServerContext } from '../../context.ts'
import { requireAllowed } from '../../http/rate-limits.ts'
import { receiveLead } from '../receive-lead.ts'
import { findSharedSource } from './find-shared-source.ts'

/**
 * A lead as the source would post it, by the same code, but always a test: a link lets nobody sell. Its
 * `external_id` is validated but not kept, so that nobody with a link can use up the ids of the source's real
 * leads, or learn which exist.
 * @throws AppError not_found, rate_limited
 */
export async function sendSpecTest(
  context: ServerContext,
  token: string,
  lead: Record<string, unknown>,
): Promise<LeadReceipt> {
  const source = await findSharedSource(context, token)
  requireAllowed(await context.leads.specRates.spend('spec_test', source.id), 'test leads')
  return await receiveLead(
    context,
    { source_id: source.id },
    { item: lead, idempotencyKey: undefined, isTrial: true },
  )
}
