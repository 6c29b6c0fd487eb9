import type { SuppressionReason } from '#core/contract/market/suppression.ts'
import type { LeadRecord } from '#core/data/leads/lead-details.ts'
import { addSuppressions, type SuppressedHash } from '#core/data/market/suppressions.ts'
import type { Db } from '#core/data/database.ts'
import { hashContact } from '#core/secrets/suppression-hash.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'

/** Whoever told the holder of his lead not to be contacted, or was erased, is sold to nobody any more. Fictional people of tests stay. */
export async function suppressPerson(
  { suppressionKey }: Pick<ServerContext, 'suppressionKey'>,
  db: Db,
  caller: Principal,
  lead: Pick<LeadRecord, 'is_test' | 'phone' | 'alt_phone' | 'email'>,
  reason: Extract<SuppressionReason, 'do_not_contact' | 'erased'>,
): Promise<void> {
  if (lead.is_test) return
  const contacts = [
    ['email', lead.email],
    ['phone', lead.phone],
    ['phone', lead.alt_phone],
  ] as const
  const hashes = contacts.flatMap(([kind, contact]): SuppressedHash[] =>
    contact === null ? [] : [{ kind, hash: hashContact(suppressionKey, kind, contact) }],
  )
  const entry = { reason, note: null, created_by: caller.user_id }
  if (hashes.length > 0) await addSuppressions(db, hashes, entry)
}
