import { sql, type RawBuilder } from 'kysely'
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

/** One offer of all unsold leads of a type, newest first. */
export interface Round {
  code: string
  /** differs from round to round of the type; PostgreSQL's text */
  mark: string
  /** when it was claimed; PostgreSQL's text */
  began: string
  /** it goes on to the oldest lead even if the demand changes: no round has done so for a while */
  is_thorough: boolean
}

/**
 * Claims the types whose leads are due to be offered again; no other worker takes them for so long.
 * @param seconds until they are offered again without a cause
 */
export async function claimDueTypes(db: Db, seconds: number): Promise<Round[]> {
  const { rows } = await sql<Round>`
    update lead_types set offer_again_at = now() + make_interval(secs => ${seconds}),
      rounds_until = greatest(rounds_until, now()) + make_interval(secs => ${sql.lit(ROUND_SECONDS)})
    where code = any(array(select code from lead_types where ${IS_DUE_AGAIN} order by code for no key update))
    returning code, rounds_until::text as mark, now()::text as began,
      coalesce(offered_all_at, '-infinity') <= now() - make_interval(secs => ${seconds}) as is_thorough
  `.execute(db)
  return rows
}

/**
 * Whether a round may go on to older leads. If the demand has changed since it began, the newest leads are offered
 * first, by the next round.
 */
export async function mayGoOn(db: Db, { code, mark, is_thorough }: Round): Promise<boolean> {
  if (is_thorough) return true
  const { rows } = await sql`
    select from lead_types where code = ${code} and rounds_until = ${mark}::timestamptz and offer_again_at > now()
  `.execute(db)
  return rows.length > 0
}

/** Notes that a round has offered every unsold lead of its type. */
export async function noteAllOffered(db: Db, { code, began }: Round): Promise<void> {
  await sql`update lead_types set offered_all_at = ${began}::timestamptz where code = ${code}`.execute(db)
}

/** Has leads of a type offered again at this moment, unless an earlier time is set. */
export async function offerTypeAt(db: Db, code: string, at: Date): Promise<void> {
  await sql`update lead_types set offer_again_at = ${at} where code = ${code} and offer_again_at > ${at}`.execute(
    db,
  )
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Unsold leads of a type, newest first. */
export async function listUnsold(
  db: Db,
  code: string,
  { limit, after }: { limit: number; after: UnsoldLead | undefined },
): Promise<UnsoldLead[]> {
  const { rows } = await sql<UnsoldLead>`
    select id, created_at::text as came from leads
    where status = 'unassigned' and lead_type = ${code}
      and (created_at, id) < (${after?.came ?? 'infinity'}::timestamptz, ${after?.id ?? LAST_ID}::uuid)
    order by created_at desc, id desc limit ${limit}
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
