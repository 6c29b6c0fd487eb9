import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/** A lead that is to be sold. */
export interface LeadRow {
  id: string
  lead_type: string
  state: string | null
  source_id: string | null
  phone: string | null
  email: string | null
  age: number | null
  had_by: string[]
  /** when, to the microsecond */
  came: string
}

/**
 * Waits until nobody else decides about leads of the types that these have; until the transaction ends, nobody else does.
 * @returns the types
 */
export async function lockLeadTypes(trx: Db, leadIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ lead_type: string }>`
    with locked as materialized (
      select lead_type, pg_advisory_xact_lock(hashtext('market'), hashtext(lead_type)) from (
        select distinct lead_type from leads where id = any(${[...leadIds]}::uuid[]) order by lead_type
      ) types
    )
    select lead_type from locked
  `.execute(trx)
  return rows.map((row) => row.lead_type)
}

/** Of these leads those that the market may still sell, locked: new or left over, nobody's own, no test, not erased. */
export async function lockOfferedLeads(
  trx: Db,
  leadIds: readonly string[],
  types: readonly string[],
): Promise<LeadRow[]> {
  // Spelt so that no index of what is nobody's answers it: a plan that is kept from a small table would read all that is unsold.
  const { rows } = await sql<LeadRow>`
    select l.id, l.lead_type, l.state, l.source_id, l.phone, l.email::text as email,
      coalesce(l.age, date_part('year', age(l.date_of_birth))::int) as age,
      array(select distinct a.client_user_id from lead_assignments a where a.lead_id = l.id and a.state <> 'active') as had_by,
      l.created_at::text as came
    from leads l
    where l.id = any(${[...leadIds]}::uuid[]) and l.lead_type = any(${[...types]}::text[])
      and l.status in ('new', 'unassigned') and num_nonnulls(l.user_id, l.assigned_to, l.redacted_at) = 0 and not l.is_test
    order by l.id for no key update of l
  `.execute(trx)
  return rows
}

/** Whom to look for; the hashes are the suppression list's, in hex. */
export interface PersonToFind {
  id: string
  lead_type: string
  phone: string | null
  email: string | null
  phone_hash: string | null
  email_hash: string | null
}

/** What is known of a lead's person: is he on the suppression list, and what of him was sold lately, newest first. */
interface Person {
  id: string
  is_suppressed: boolean
  sales: { lead_id: string; client_user_id: string; at: string }[] | null
}

/** @param days sales of so many days count */
export async function findPersons(trx: Db, asked: readonly PersonToFind[], days: number): Promise<Person[]> {
  // Each index by itself: an OR over phone and e-mail address would use neither. The type is spelt so that a plan which is kept from a
  // small table does not go by it, and what is suppressed so that not the whole list is read.
  const { rows } = await sql<Person>`
    with asked as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
        as a (id uuid, lead_type text, phone text, email text, phone_hash text, email_hash text)
    )
    select asked.id,
      (select true from suppressions s where s.kind = 'phone' and s.hash = decode(asked.phone_hash, 'hex') limit 1) is not null
        or (select true from suppressions s where s.kind = 'email' and s.hash = decode(asked.email_hash, 'hex') limit 1) is not null as is_suppressed,
      (select jsonb_agg(jsonb_build_object('lead_id', sold.id, 'client_user_id', sold.assigned_to, 'at', sold.assigned_at)
          order by sold.assigned_at desc) from (
        select l.id, l.assigned_to, l.assigned_at from leads l
        where l.phone = asked.phone and coalesce(l.lead_type, '') = asked.lead_type and l.assigned_at > now() - make_interval(days => ${days})
          and l.assigned_to is not null and l.phone is not null and not l.is_test and l.order_id is not null and l.id <> asked.id
        union
        select l.id, l.assigned_to, l.assigned_at from leads l
        where l.email = asked.email::citext and coalesce(l.lead_type, '') = asked.lead_type and l.assigned_at > now() - make_interval(days => ${days})
          and l.assigned_to is not null and l.email is not null and not l.is_test and l.order_id is not null and l.id <> asked.id
      ) sold) as sales
    from asked
  `.execute(trx)
  return rows
}
