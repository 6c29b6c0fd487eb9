import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database.ts'
import { isTheirs, type Viewer } from '../leads.ts'

/** Phones in E.164 and e-mail addresses in lower case, of one person. */
export interface PersonContacts {
  phones: readonly string[]
  emails: readonly string[]
}

/** A lead whose consent can be revoked. */
export interface RevocableLead {
  id: string
  /** the client that its source names */
  owner: string | null
  phone: string | null
  alt_phone: string | null
  email: string | null
}

/** Selects the leads that a caller may revoke: all, those that a client holds, or those that a source sent. */
export type RevocableFor = { everybody: true } | { holder: Viewer } | { source_id: string }

/** Limit of leads of one revocation; a person has a few. */
const MOST_LEADS = 500

/** SQL: the lead `l` has one of these contacts. No index has both phones of every lead (data-subjects.ts). */
function hasContact({ phones, emails }: PersonContacts): RawBuilder<unknown> {
  return sql`(l.phone = any(${[...phones]}::text[]) or l.alt_phone = any(${[...phones]}::text[])
    or l.email = any(${[...emails]}::citext[]))`
}

/**
 * SQL: the caller may revoke the lead `l`. A client may as long as it holds the lead, which ends with a return, or its
 * source names the client.
 */
function mayRevoke(by: RevocableFor): RawBuilder<unknown> {
  if ('source_id' in by) return sql`l.source_id = ${by.source_id}`
  if ('everybody' in by) return sql`true`
  const { user_id: id } = by.holder
  return sql`(l.assigned_to = ${id} and l.status <> 'returned' or l.user_id = ${id}) and ${isTheirs({ ...by.holder, role: 'client' })}`
}

/** Test leads name nobody, and an erased lead has no person. */
const IS_OF_PERSON = sql`not l.is_test and l.redacted_at is null`

/**
 * The leads of a person that this caller may revoke, newest first.
 * @param since the least id of a moment (core/domain/uuid-at.ts), for later leads alone: they are found by their ids,
 * without reading all leads
 */
export async function findLeadsOfPerson(
  db: Db,
  contacts: PersonContacts,
  by: RevocableFor,
  since?: string,
): Promise<RevocableLead[]> {
  const { rows } = await sql<RevocableLead>`
    select l.id, l.user_id as owner, l.phone, l.alt_phone, l.email::text as email from leads l
    where ${hasContact(contacts)} and ${mayRevoke(by)} and ${IS_OF_PERSON}
      and ${since === undefined ? sql`true` : sql`l.id >= ${since}`}
    order by l.created_at desc, l.id desc limit ${MOST_LEADS}`.execute(db)
  return rows
}

/** One lead by its id, or by the id that its source gave it, if this caller may revoke it. */
export async function findRevocableLead(
  db: Db,
  named: { lead_id: string } | { external_id: string },
  by: RevocableFor,
): Promise<RevocableLead | undefined> {
  const isNamed =
    'lead_id' in named ? sql`l.id = ${named.lead_id}` : sql`l.external_id = ${named.external_id}`
  const { rows } = await sql<RevocableLead>`
    select l.id, l.user_id as owner, l.phone, l.alt_phone, l.email::text as email from leads l where ${isNamed} and ${mayRevoke(by)} and ${IS_OF_PERSON}`.execute(
    db,
  )
  return rows[0]
}

/** Those of these leads that still have a person. */
export async function readRevocableLeads(db: Db, ids: readonly string[]): Promise<RevocableLead[]> {
  const { rows } = await sql<RevocableLead>`
    select l.id, l.user_id as owner, l.phone, l.alt_phone, l.email::text as email from leads l where l.id = any(${[...ids]}::uuid[]) and ${IS_OF_PERSON} order by l.id`.execute(
    db,
  )
  return rows
}

/**
 * Waits for sales under way and holds back others until the transaction ends: a sale that read the suppression list before
 * this revocation is then seen by it.
 */
export async function holdSales(trx: Db): Promise<void> {
  await sql`
    with locked as materialized (
      select pg_advisory_xact_lock_shared(hashtext('market'), hashtext(code)) from (
        select code from lead_types order by code) types
    ) select count(*)::int as types from locked`.execute(trx)
}

/** Locks these leads in the common order. */
export async function lockLeads(trx: Db, ids: readonly string[]): Promise<void> {
  await sql`select from leads where id = any(${[...ids]}::uuid[]) order by id for no key update`.execute(trx)
}
