import type { SuppressionReason } from '#core/contract/market/suppression.ts'
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
  lead: { is_test: boolean; phone: string | null; email: string | null },
  reason: Extract<SuppressionReason, 'do_not_contact' | 'erased'>,
): Promise<void> {
  if (lead.is_test) return
  const hashes = (['email', 'phone'] as const).flatMap((kind): SuppressedHash[] => {
    const contact = lead[kind]
    return contact === null ? [] : [{ kind, hash: hashContact(suppressionKey, kind, contact) }]
  })
  const entry = { reason, note: null, created_by: caller.user_id }
  if (hashes.length > 0) await addSuppressions(db, hashes, entry)
}
