import type { Db } from '#core/data/database.ts'
import {
  findLeadsOfPerson,
  type PersonContacts,
  type RevocableLead,
} from '#core/data/leads/revocations/find-revocable.ts'
import type { RevocationOrigin } from '#core/data/leads/revocations/write-revocation.ts'
import type { Contact } from '#core/domain/market/read-contact.ts'
import { contactsOf, type RevokedPerson } from '#core/use-cases/revocations/apply-revocation.ts'

/** More than clocks differ, and than a lead takes from its time of receipt to its commit. */
const OVERLAP_MS = 120_000

/** The person of these leads: with reach for everybody, all leads of the person. */
export async function gatherPerson(
  db: Db,
  { reach, client_user_id }: RevocationOrigin,
  leads: readonly RevocableLead[],
): Promise<RevokedPerson> {
  const contacts = contactsOf(leads)
  const foundAt = beforeNow()
  const holder = { user_id: client_user_id ?? '', role: 'client' } as const
  const others =
    reach === 'leads'
      ? []
      : await findLeadsOfPerson(db, contacts, reach === 'everybody' ? { everybody: true } : { holder })
  return { contacts, leads: [...leads, ...others], foundAt }
}

/** A person of whom only one contact is known: only this one goes on the suppression list. */
export async function gatherContact(db: Db, contact: Contact): Promise<RevokedPerson> {
  const contacts = onlyContact(contact)
  const foundAt = beforeNow()
  return { contacts, leads: await findLeadsOfPerson(db, contacts, { everybody: true }), foundAt }
}

/** One contact, as a person's contacts. */
export function onlyContact({ kind, value }: Contact): PersonContacts {
  return kind === 'phone' ? { phones: [value], emails: [] } : { phones: [], emails: [value] }
}

function beforeNow(): Date {
  return new Date(Date.now() - OVERLAP_MS)
}
