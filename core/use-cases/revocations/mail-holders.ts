import type { Db } from '#core/data/database.ts'
import { takeHoldersToMail } from '#core/data/leads/revocations/receipts.ts'
import { tellClient } from '../market/tell-client.ts'

/**
 * Tells clients by mail of revocations that no webhook of theirs answers for, once for each revocation.
 * @param of one revocation, or some holders
 * @returns number of mails
 */
export async function mailHolders(
  trx: Db,
  of: { revocation_id: string } | { holders: readonly string[] },
): Promise<number> {
  const taken = await takeHoldersToMail(trx, of)
  for (const { revocation_id, client_user_id, leads, due_on } of taken)
    await tellClient(
      trx,
      client_user_id,
      { template: 'consent_revoked', data: { revocation_id, leads, due_on } },
      revocation_id,
    )
  return taken.length
}
