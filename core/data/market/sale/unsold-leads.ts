import { sql, type RawBuilder } from 'kysely'
import { BEGINNING } from '../../first-page.ts'
import type { Db } from '../../database.ts'

/** An unsold lead. `came` is PostgreSQL's text, because a Date would lose the microseconds. */
export interface UnsoldLead {
  id: string
  came: string
}

/**
 * Each round decides about all unsold leads of a type. A client that changes an order again and again would cause many
 * rounds, so this token bucket limits them. It allows a few rounds in a row.
 */
const ROUND_SECONDS = 10
const ROUNDS_AT_ONCE = 3

/** SQL on a lead type: its leads are due to be offered again, and its token bucket has room. */
export const IS_DUE_AGAIN = sql<boolean>`coalesce(offer_again_at, '-infinity') <= now()
  and coalesce(rounds_until, '-infinity') <= now() + make_interval(secs => ${sql.lit((ROUNDS_AT_ONCE - 1) * ROUND_SECONDS)})`

/**
 * Claims the types whose leads are due to be offered again; no other worker takes them for so long.
 * @param seconds until they are offered again without a cause
 */
export async function claimDueTypes(db: Db, seconds: number): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    update lead_types set offer_again_at = now() + make_interval(secs => ${seconds}),
      rounds_until = greatest(rounds_until, now()) + make_interval(secs => ${sql.lit(ROUND_SECONDS)})
    where code = any(array(select code from lead_types where ${IS_DUE_AGAIN} order by code for no key update))
    returning code
  `.execute(db)
  return rows.map(({ code }) => code)
}

/** Has leads of a type offered again at this moment, unless an earlier time is set. */
export async function offerTypeAt(db: Db, code: string, at: Date): Promise<void> {
  await sql`update lead_types set offer_again_at = ${at} where code = ${code} and offer_again_at > ${at}`.execute(
    db,
  )
}

/** Unsold leads of a type, oldest first. */
export async function listUnsold(
  db: Db,
  code: string,
  { limit, after }: { limit: number; after: UnsoldLead | undefined },
): Promise<UnsoldLead[]> {
  const { rows } = await sql<UnsoldLead>`
    select id, created_at::text as came from leads
    where status = 'unassigned' and lead_type = ${code}
      and (created_at, id) > (${after?.came ?? BEGINNING.time}::timestamptz, ${after?.id ?? BEGINNING.id}::uuid)
    order by created_at, id limit ${limit}
  `.execute(db)
  return rows
}

/**
 * Ends the hold of leads that were unsold for so long. The hold of a lead from an older version counts from its
 * arrival.
 * @returns how many; fewer than `limit` if there are no more, or others have locked them
 */
export async function endHolds(db: Db, holdHours: number, limit: number): Promise<number> {
  return await end(
    db,
    sql`array(
        select id from leads where status = 'unassigned' and coalesce(expires_at, created_at) <= now()
          and coalesce(expires_at, created_at + make_interval(hours => ${holdHours})) <= now()
        order by id limit ${limit} for no key update skip locked)`,
  )
}

/**
 * Ends the hold of these leads, which the caller has locked. They may be new ones, whose hold ended while they waited
 * for a decision.
 */
export async function endHoldsOf(trx: Db, leadIds: readonly string[]): Promise<void> {
  await end(trx, sql`${[...leadIds]}::uuid[]`)
}

async function end(db: Db, ids: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql`
    with ended as (
      update leads set status = 'expired', updated_at = now() where id = any(${ids})
      returning id
    ), told as (
      insert into events (type, lead_id, data, enqueued_at, planned_at)
      select 'lead.unassigned', id, jsonb_build_object('reason', 'expired'), now(), now() from ended
    ), decided as (
      insert into assignment_decisions (lead_id, outcome, reason) select id, 'expired', 'expired' from ended
      on conflict (lead_id) do update set outcome = 'expired', decided_at = now()
    )
    select from ended
  `.execute(db)
  return rows.length
}
