import type { LeadRecord } from '#core/data/leads/lead-details.ts'
import {
  addClientSuppressions,
  addSuppressions,
  type SuppressedHash,
} from '#core/data/market/suppressions.ts'
import type { Db } from '#core/data/database.ts'
import { hashContact } from '#core/secrets/suppression-hash.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'

type Person = Pick<LeadRecord, 'is_test' | 'user_id' | 'phone' | 'alt_phone' | 'email'>

/**
 * Whoever told the holder of a lead not to be contacted is sold to nobody any more where the holder bought the lead, and not to the holder
 * where it is the holder's own: else anybody could post whom nobody should get. Fictional people of tests stay.
 */
export async function keepFromContact(
  { suppressionKey }: Pick<ServerContext, 'suppressionKey'>,
  db: Db,
  caller: Principal,
  lead: Person,
): Promise<void> {
  const hashes = hashesOf(suppressionKey, lead)
  const created_by = caller.user_id
  if (hashes.length === 0) return
  if (lead.user_id === null)
    await addSuppressions(db, hashes, { reason: 'do_not_contact', note: null, created_by })
  else await addClientSuppressions(db, hashes, { client_user_id: caller.user_id, created_by })
}

/** Whoever was erased is sold to nobody any more. */
export async function suppressErased(
  { suppressionKey }: Pick<ServerContext, 'suppressionKey'>,
  db: Db,
  caller: Principal,
  lead: Person,
): Promise<void> {
  const hashes = hashesOf(suppressionKey, lead)
  const entry = { reason: 'erased', note: null, created_by: caller.user_id }
  if (hashes.length > 0) await addSuppressions(db, hashes, entry)
}

function hashesOf(key: Buffer, { is_test, email, phone, alt_phone }: Person): SuppressedHash[] {
  const contacts = [
    ['email', email],
    ['phone', phone],
    ['phone', alt_phone],
  ] as const
  return contacts.flatMap(([kind, contact]): SuppressedHash[] =>
    contact === null || is_test ? [] : [{ kind, hash: hashContact(key, kind, contact) }],
  )
}
