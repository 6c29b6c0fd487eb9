import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database.ts'
import { awaySince } from './market-absences.ts'

/** A lead that is to be sold. */
export interface LeadRow {
  id: string
  lead_type: string
  state: string | null
  zip: string | null
  source_id: string | null
  phone: string | null
  alt_phone: string | null
  email: string | null
  age: number | null
  /** the person did not agree to be contacted, or took it back */
  refused_consent: boolean
  /** whether its source was stopped */
  is_withdrawn: boolean
  /** clients that had it before, and clients from whom an earlier lead of the same person was recently taken back */
  had_by: string[]
  /** recent sales of the same person, newest first */
  sales: { lead_id: string; client_user_id: string; at: string }[] | null
  /**
   * the moment from which its age counts: its arrival, later by the time in which no worker ran; null if it was offered
   * and nothing was decided about it yet
   */
  waits_since: Date | null
  /** its arrival, to the microsecond */
  came: string
  /** whether its hold has ended */
  is_over: boolean
  /** whether nothing was decided about it yet */
  is_new: boolean
}

/**
 * The leads to be decided about: the named ones, and those that events offer. `isByHand`: a person sells them, and may
 * sell an old lead that was never offered.
 */
export interface Offers {
  leads: readonly string[]
  events: readonly string[]
  isByHand?: boolean
}

/** SQL: the ids of these leads. */
function idsOf({ leads, events }: Offers): RawBuilder<unknown> {
  const named = sql`${[...leads]}::uuid[]`
  if (events.length === 0) return named
  return sql`(${named} || array(
    select lead_id from events where id = any(${[...events]}::uuid[]) and lead_id is not null))`
}

/**
 * Locks decisions about the types of these leads until the transaction ends.
 * @returns the types
 */
export async function lockLeadTypes(trx: Db, offers: Offers): Promise<string[]> {
  const { rows } = await sql<{ lead_type: string }>`
    with locked as materialized (
      select lead_type, pg_advisory_xact_lock(hashtext('market'), hashtext(lead_type)) from (
        select distinct lead_type from leads where id = any(${idsOf(offers)}) order by lead_type
      ) types
    )
    select lead_type from locked
  `.execute(trx)
  return rows.map((row) => row.lead_type)
}

/**
 * SQL on the lead `l`: the market may still sell it. It is new or unsold, belongs to no client, is no test, and is not
 * erased.
 */
export const IS_FOR_SALE = sql`l.status in ('new', 'unassigned')
  and num_nonnulls(l.user_id, l.assigned_to, l.redacted_at) = 0 and not l.is_test`

/**
 * Locks and reads those of these leads that the market may still sell, with recent sales of the same persons.
 * @param days number of days in which sales count
 * @param hadDays number of days in which leads taken back from a buyer count
 * @param holdHours hours after its arrival for which a lead is for sale, if the lead does not say itself until when
 */
export async function lockOfferedLeads(
  trx: Db,
  offers: Offers,
  { days, hadDays, holdHours }: { days: number; hadDays: number; holdHours: number },
): Promise<LeadRow[]> {
  const held = sql`l.created_at + make_interval(hours => ${holdHours})`
  const isOffered =
    offers.isByHand === true
      ? sql`exists (select from events e where e.lead_id = l.id and e.type = 'lead.offered')`
      : sql`true`
  // Written so that neither the index of unassigned leads nor that of types answers it: a plan cached for a small table
  // would read everything unsold. Phone and e-mail address are each looked up by their own index: an OR over both would
  // use neither.
  const { rows } = await sql<LeadRow>`
    select l.id, l.lead_type, l.state, l.zip, l.source_id, l.phone, l.alt_phone, l.email::text as email,
      coalesce(l.age, date_part('year', age(l.date_of_birth))::int) as age,
      l.consent_given is false or l.consent_revoked_at is not null as refused_consent,
      coalesce((select s.stopped_at is not null from sources s where s.id = l.source_id), false) as is_withdrawn,
      array(
        select a.client_user_id from lead_assignments a where a.lead_id = l.id and a.state <> 'active'
        union
        select a.client_user_id from (
          select s.id from leads s where s.phone = l.phone and s.phone is not null and ${isSoldBeside(hadDays)}
          union all
          select s.id from leads s where s.email = l.email and s.email is not null and ${isSoldBeside(hadDays)}
          union all
          select s.id from leads s where s.phone = l.phone and s.phone is not null and ${IS_LEFT_BESIDE}
          union all
          select s.id from leads s where s.email = l.email and s.email is not null and ${IS_LEFT_BESIDE}
        ) same join lead_assignments a on a.lead_id = same.id
        where a.state = 'revoked' and a.assigned_at > now() - make_interval(days => ${hadDays})
      ) as had_by,
      (select jsonb_agg(jsonb_build_object('lead_id', sold.id, 'client_user_id', sold.assigned_to, 'at', sold.assigned_at)
          order by sold.assigned_at desc) from (
        select s.id, s.assigned_to, s.assigned_at from leads s where s.phone = l.phone and s.phone is not null and ${isSoldBeside(days)}
        union
        select s.id, s.assigned_to, s.assigned_at from leads s where s.email = l.email and s.email is not null and ${isSoldBeside(days)}
      ) sold) as sales,
      l.created_at::text as came,
      coalesce(coalesce(l.expires_at, case when ${isOffered} then ${held} end) <= now(), false) as is_over,
      l.status = 'new' as is_new,
      case when l.status <> 'new' or not ${isOffered} then l.created_at + ${awaySince(sql`l.created_at`)} end as waits_since
    from leads l
    where l.id = any(${idsOf(offers)}) and ${IS_FOR_SALE}
    order by l.id for no key update of l
  `.execute(trx)
  return rows
}

/** SQL: the lead `s` is another lead of the type of `l`, and was sold within `days`. */
function isSoldBeside(days: number): RawBuilder<unknown> {
  return sql`coalesce(s.lead_type, '') = l.lead_type and s.assigned_at > now() - make_interval(days => ${days})
    and s.assigned_to is not null and not s.is_test and s.order_id is not null and s.id <> l.id`
}

/** SQL: the lead `s` is another lead of the type of `l`, and has no active assignment. */
const IS_LEFT_BESIDE = sql`coalesce(s.lead_type, '') = l.lead_type and s.assigned_to is null
  and s.status in ('unassigned', 'expired') and not s.is_test and s.id <> l.id`

/** A lead's phones and e-mail address in the form of the suppression list: `\x` and hex, under each key. */
export interface HashedContact {
  id: string
  phones: string[]
  emails: string[]
}

/** A lead of which a phone or the e-mail address is suppressed: for everybody, or for orders of these clients. */
export interface SuppressedLead {
  id: string
  is_for_all: boolean
  clients: string[]
}

/** @returns the leads that some or all clients may not buy */
export async function findSuppressed(trx: Db, asked: readonly HashedContact[]): Promise<SuppressedLead[]> {
  // Written so that the whole list is not read.
  const { rows } = await sql<SuppressedLead>`
    select id, is_for_all, clients from (
      select asked.id,
        (select true from suppressions s where s.kind = 'phone' and s.hash = any (asked.phones) limit 1) is not null
          or (select true from suppressions s where s.kind = 'email' and s.hash = any (asked.emails) limit 1) is not null as is_for_all,
        array(
          select s.client_user_id from client_suppressions s where s.kind = 'phone' and s.hash = any (asked.phones)
          union
          select s.client_user_id from client_suppressions s where s.kind = 'email' and s.hash = any (asked.emails)
        ) as clients
      from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as asked (id uuid, phones bytea[], emails bytea[])
    ) found where is_for_all or cardinality(clients) > 0`.execute(trx)
  return rows
}
