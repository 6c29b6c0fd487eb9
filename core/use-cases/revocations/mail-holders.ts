import type { Db } from '#core/data/database.ts'
import { takeHoldersToMail, type ChosenHolders } from '#core/data/leads/revocations/receipts.ts'
import { tellClient } from '../market/tell-client.ts'

/**
 * Tells clients by mail of revocations that no webhook of theirs answers for, once for each revocation.
 * @returns number of mails
 */
export async function mailHolders(trx: Db, of: ChosenHolders): Promise<number> {
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
