import { ADMINISTRATION_ZONE } from '#core/contract/market/administration-zone.ts'
import type { Db } from '#core/data/database.ts'
import {
  findLeadsOfPerson,
  holdSales,
  lockLeads,
  type PersonContacts,
  type RevocableLead,
} from '#core/data/leads/revocations/find-revocable.ts'
import { stopDeliveriesOf } from '#core/data/leads/revocations/stop-deliveries.ts'
import {
  insertHolders,
  insertInForce,
  markRevoked,
  noteRevokedEvents,
  removeRevocation,
  type RevocationOrigin,
} from '#core/data/leads/revocations/write-revocation.ts'
import {
  addClientSuppressions,
  addSuppressions,
  type SuppressedContact,
} from '#core/data/market/suppressions.ts'
import type { EventToEnqueue } from '#core/data/outbox/events.ts'
import { writeClientEvents } from '#core/data/outbox/write-client-events.ts'
import { readClock } from '#core/data/read-clock.ts'
import { uuidAt } from '#core/domain/uuid-at.ts'
import { findDeadline } from '#core/domain/leads/revocation-deadline.ts'
import { hashContact } from '#core/secrets/suppression-hash.ts'
import type { Market } from '../market/market.ts'
import { mailHolders } from './mail-holders.ts'

/** The other bits of the least uuid of version 7 of a millisecond. */
const FIRST_OF_ITS_TIME = '00000000-0000-7000-8000-000000000000'

/** The contacts and leads of a revocation. */
export interface RevokedPerson {
  /** the phones and addresses that go on the suppression list */
  contacts: PersonContacts
  /** the leads that were found before the transaction began */
  leads: readonly RevocableLead[]
  /** later leads of these contacts are found in the transaction */
  foundAt: Date
}

/**
 * Lets a revocation take effect, in the caller's transaction: the person is suppressed, the leads are marked, deliveries
 * that wait are cancelled, and each client that holds or held one of the leads is told, once for each lead.
 * @param given the id of a report that waited, which is in force already; undefined: a new one is written
 * @returns its id, the number of its leads, and the events to enqueue after the commit; undefined if nothing was added
 */
export async function applyRevocation(
  market: Pick<Market, 'suppressionKeys'>,
  trx: Db,
  origin: RevocationOrigin,
  { contacts, leads: found, foundAt }: RevokedPerson,
  given?: string,
): Promise<{ id: string; leads: number; events: EventToEnqueue[] } | undefined> {
  const isForAll = origin.reach === 'everybody'
  if (isForAll) await holdSales(trx)
  const since = uuidAt(foundAt, FIRST_OF_ITS_TIME)
  const later = isForAll ? await findLeadsOfPerson(trx, contacts, { everybody: true }, since) : []
  const ids = [...new Set([...found, ...later].map(({ id }) => id))]
  await lockLeads(trx, ids)
  const at = await readClock(trx)
  const deadline = findDeadline(at, ADMINISTRATION_ZONE)
  const added = await suppress(market, trx, origin, contacts)
  const client = origin.reach === 'client' ? (origin.client_user_id ?? undefined) : undefined
  const marked = await markRevoked(trx, ids, client)
  const id = given ?? (await insertInForce(trx, origin, at, deadline))
  const holders = await insertHolders(trx, id, ids, { due_at: deadline.due_at, client })
  if (added + marked + holders.length === 0) {
    if (given === undefined) await removeRevocation(trx, id)
    return undefined
  }
  await stopDeliveriesOf(trx, holders)
  const data = { revocation_id: id, revoked_at: at.toISOString(), reported_by: origin.reported_by }
  const events = await writeClientEvents(
    trx,
    holders.map((holder) => ({ type: 'lead.consent_revoked', ...holder, data })),
  )
  await noteRevokedEvents(trx, id)
  await mailHolders(trx, { revocation_id: id })
  return { id, leads: ids.length, events }
}

/** @returns number of new entries */
async function suppress(
  { suppressionKeys: keys }: Pick<Market, 'suppressionKeys'>,
  trx: Db,
  { reach, client_user_id: client, created_by: by }: RevocationOrigin,
  { phones, emails }: PersonContacts,
): Promise<number> {
  const contacts: SuppressedContact[] = [
    ...emails.map((email) => ({ kind: 'email' as const, hashes: hashContact(keys, 'email', email) })),
    ...phones.map((phone) => ({ kind: 'phone' as const, hashes: hashContact(keys, 'phone', phone) })),
  ]
  if (contacts.length === 0 || reach === 'leads') return 0
  if (reach === 'everybody')
    return await addSuppressions(trx, contacts, { reason: 'opted_out', note: null, created_by: by ?? null })
  return await addClientSuppressions(trx, contacts, { client_user_id: client ?? '', created_by: by ?? null })
}

/** The phones and addresses of leads. */
export function contactsOf(leads: readonly RevocableLead[]): PersonContacts {
  const present = (values: readonly (string | null)[]) => [
    ...new Set(values.filter((value) => value !== null)),
  ]
  return {
    phones: present(leads.flatMap(({ phone, alt_phone: second }) => [phone, second])),
    emails: present(leads.map(({ email }) => email?.toLowerCase() ?? null)),
  }
}
