import { EVIDENCE_LIMITS } from '#core/contract/market/return-evidence.ts'
import type { Db } from '#core/data/database.ts'
import { findLeadOf } from '#core/data/market/return-evidence.ts'
import { subjectErased } from './name-bytes.ts'

const HOUR_MS = 3_600_000
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Reads from the name of a file in the bucket of evidence which lead it is about: `<account>/<lead>/…`. A lead that the
 * account does not have is as if it were none. Until the file is sent with a return, it lives for a day.
 * @param given.before the file that is moved or copied: its day goes on
 * @throws FileRefusal bad_name for a lead that was erased
 */
export async function placeEvidence(
  db: Db,
  {
    name,
    account_id,
    before,
  }: { name: string; account_id: string | null; before?: { expires_at: Date | null } },
): Promise<{ lead_id: string | null; expires_at: Date }> {
  const [, folder = ''] = name.split('/')
  const lead = account_id !== null && UUID.test(folder) ? await findLeadOf(db, account_id, folder) : undefined
  if (lead?.is_erased === true) throw subjectErased()
  return {
    lead_id: lead === undefined ? null : folder,
    expires_at: before?.expires_at ?? new Date(Date.now() + EVIDENCE_LIMITS.unsentHours * HOUR_MS),
  }
}
