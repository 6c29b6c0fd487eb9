import type { Returnable } from '#core/contract/market/lead-return.ts'
import { findReturnableLead } from '#core/data/market/lead-returns.ts'
import { judgeReturn, returnableUntil } from '#core/domain/market/judge-return.ts'
import type { ServerContext } from '../context.ts'

/** Whether the client who looks at a lead can return it; null if the client does not hold it. */
export async function showReturnable(
  { db, market }: Pick<ServerContext, 'db' | 'market'>,
  client: string,
  leadId: string,
): Promise<Returnable | null> {
  const lead = await findReturnableLead(db, client, leadId)
  if (lead === undefined) return null
  const refusal = judgeReturn(lead, new Date(), lead.timezone) ?? null
  return {
    until: returnableUntil(lead.assigned_at).toISOString(),
    refusal,
    duplicate_days: market.windows.duplicateDays,
  }
}
