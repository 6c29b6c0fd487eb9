import { sql } from 'kysely'
import type { OrderEstimateRequest } from '#core/contract/market/order.ts'
import type { Db } from '../database.ts'

/** Counting stops one above this number. */
export const COUNTED_LEADS = 10_000

/**
 * Counts the leads of the market since then that such an order could have had: tests and leads of clients' own sources
 * are not for sale. They are found by their ids, which contain their time.
 * @param from.licensed states in which the client may buy; an empty list means all
 * @param from.near the ZIP codes in the circle that it names
 * @param from.unsold states whose leads are not sold to anybody
 * @param from.since the least id of that moment (core/domain/uuid-at.ts)
 */
export async function countFittingLeads(
  db: Db,
  wanted: OrderEstimateRequest,
  {
    licensed,
    unsold,
    near,
    since,
  }: { licensed: readonly string[]; unsold: readonly string[]; near: readonly string[]; since: string },
): Promise<number> {
  const age = sql`coalesce(l.age, date_part('year', age(l.date_of_birth))::int)`
  const isSomewhere = wanted.zip_codes.length > 0 || wanted.near_zip !== null
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from leads l
      where l.id >= ${since} and l.lead_type = ${wanted.lead_type}
        and not l.is_test and l.user_id is null and l.status not in ('rejected', 'duplicate')
        and (${wanted.states.length === 0}::boolean or l.state = any(${wanted.states}::text[]))
        and (${licensed.length === 0}::boolean or l.state = any(${licensed}::text[]))
        and coalesce(l.state <> all(${unsold}::text[]), true)
        and (${wanted.age_min === null && wanted.age_max === null}::boolean
          or (${age} is null and ${wanted.accept_unknown_age}::boolean)
          or ${age} between ${wanted.age_min ?? 0}::int and ${wanted.age_max ?? 1000}::int)
        and (${!isSomewhere}::boolean or left(l.zip, 5) = any(${near}::text[]) or left(l.zip, 5) = any(${wanted.zip_codes}::text[])
          or left(l.zip, 4) = any(${wanted.zip_codes}::text[]) or left(l.zip, 3) = any(${wanted.zip_codes}::text[]))
        and (l.source_id is null or l.source_id <> all(${wanted.excluded_sources}::uuid[]))
      limit ${COUNTED_LEADS + 1}) counted`.execute(db)
  return rows[0]?.count ?? 0
}
