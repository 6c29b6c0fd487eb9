import type { LeadRecord } from '#core/data/leads/lead-details.ts'
import {
  addClientSuppressions,
  addSuppressions,
  type SuppressedContact,
} from '#core/data/market/suppressions.ts'
import type { Db } from '#core/data/database.ts'
import type { PurposeKeys } from '#core/secrets/derived-keys.ts'
import { hashContact } from '#core/secrets/suppression-hash.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { OperatorContext } from '../operator-context.ts'

type Person = Pick<LeadRecord, 'is_test' | 'user_id' | 'phone' | 'alt_phone' | 'email'>

/**
 * Suppresses a person who asked not to be contacted. If the lead was bought, the person is suppressed for everybody. If
 * it is the client's own, only for this client, because anybody can post own leads. Test leads suppress nobody.
 */
export async function keepFromContact(
  { market: { suppressionKeys } }: Pick<OperatorContext, 'market'>,
  db: Db,
  caller: Pick<Principal, 'user_id' | 'person_id'>,
  lead: Person,
): Promise<void> {
  const hashes = hashesOf(suppressionKeys, lead)
  const created_by = caller.person_id
  if (hashes.length === 0) return
  if (lead.user_id === null)
    await addSuppressions(db, hashes, { reason: 'do_not_contact', note: null, created_by })
  else await addClientSuppressions(db, hashes, { client_user_id: caller.user_id, created_by })
}

/** Suppresses the person of a lead for everybody. @returns number of new entries */
export async function suppressLead(
  { market: { suppressionKeys } }: Pick<OperatorContext, 'market'>,
  db: Db,
  caller: Principal,
  lead: Person,
  { reason, note }: { reason: string; note: string },
): Promise<number> {
  const hashes = hashesOf(suppressionKeys, lead)
  if (hashes.length === 0) return 0
  return await addSuppressions(db, hashes, { reason, note, created_by: caller.person_id })
}

/** Suppresses an erased person for everybody. */
export async function suppressErased(
  { market: { suppressionKeys } }: Pick<OperatorContext, 'market'>,
  db: Db,
  caller: Principal,
  lead: Person,
): Promise<void> {
  const hashes = hashesOf(suppressionKeys, lead)
  const entry = { reason: 'erased', note: null, created_by: caller.person_id }
  if (hashes.length > 0) await addSuppressions(db, hashes, entry)
}

function hashesOf(keys: PurposeKeys, { is_test, email, phone, alt_phone }: Person): SuppressedContact[] {
  const contacts = [
    ['email', email],
    ['phone', phone],
    ['phone', alt_phone],
  ] as const
  return contacts.flatMap(([kind, contact]): SuppressedContact[] =>
    contact === null || is_test ? [] : [{ kind, hashes: hashContact(keys, kind, contact) }],
  )
}
