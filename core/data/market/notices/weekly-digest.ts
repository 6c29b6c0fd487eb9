import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/** A client whose last week is over, and not yet told; the week is from Monday to Sunday in the account's zone. */
export interface EndedWeek {
  user_id: string
  zone: string
  from: string
  to: string
  begins: Date
  ends: Date
  balance: string
}

/** Mondays at this hour, by the account's clock, the digest of the week before is made. */
const HOUR = 8

/**
 * Clients who chose the weekly digest, on Mondays after eight; a digest that is late by a day or more is left out.
 * @param at a moment in place of PostgreSQL's clock
 */
export async function listEndedWeeks(db: Db, limit: number, at?: Date): Promise<EndedWeek[]> {
  const { rows } = await sql<EndedWeek>`
    select c.user_id, c.timezone as zone, (monday - 7)::text as "from", (monday - 1)::text as "to",
      (monday - 7)::timestamp at time zone c.timezone as begins, monday::timestamp at time zone c.timezone as ends,
      p.balance::text as balance
    from client_accounts c join profiles p on p.user_id = c.user_id and p.status = 'active'
      cross join lateral (select coalesce(${at ?? null}::timestamptz, now()) at time zone c.timezone as clock) at
      cross join lateral (select date_trunc('week', clock)::date as monday) week
    where c.notices @> '{"weekly_digest": true}' and clock >= monday + make_interval(hours => ${HOUR}) and clock < monday + 1
      and not exists (
        select from mails m where m.recipient_user_id = c.user_id and m.template = 'weekly_digest'
          and m.notice_key = (monday - 7)::text)
    limit ${limit}`.execute(db)
  return rows
}
