import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'
import { SIGN_IN_ATTEMPTS, SIGN_IN_WINDOW_MINUTES } from '#server/accounts/auth-policy.ts'

export interface Attempt {
  email: string
  /** the network of the caller, or an address that stands for another count (count-sign-in.ts) */
  ip: string
  /** Failures block the account for this count; otherwise they are only counted. */
  blocks: boolean
}

const WINDOW = sql`make_interval(mins => ${sql.lit(SIGN_IN_WINDOW_MINUTES)})`

/** Seconds until the block of this account and address ends; 0 when there is none. */
export async function readBlockSeconds(db: Db, { email, ip }: Attempt): Promise<number> {
  const row = await db
    .selectFrom('auth.sign_in_attempts')
    .select(sql<number>`ceil(extract(epoch from blocked_until - now()))::integer`.as('seconds'))
    .where('email', '=', email)
    .where('ip', '=', ip)
    .where('blocked_until', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row?.seconds ?? 0
}

/** Failures within the window. */
export async function readFailures(db: Db, { email, ip }: Attempt): Promise<number> {
  const row = await db
    .selectFrom('auth.sign_in_attempts')
    .select('failures')
    .where('email', '=', email)
    .where('ip', '=', ip)
    .where('last_failed_at', '>', sql<Date>`now() - ${WINDOW}`)
    .executeTakeFirst()
  return row?.failures ?? 0
}

/**
 * Counts a failed attempt. The count starts again if its last attempt is older than the window or its block
 * has ended.
 * @returns the seconds still blocked if the attempt came after the last one allowed, else 0
 */
export async function recordFailure(db: Db, { email, ip, blocks }: Attempt): Promise<number> {
  const { rows } = await sql<{ failures: number; seconds: number | null }>`
    insert into auth.sign_in_attempts as a (email, ip, failures) values (${email}, ${ip}, 1)
    on conflict (email, ip) do update set
      (failures, blocked_until, last_failed_at) = (
        select
          case when stale then 1 else a.failures + 1 end,
          case when stale then null
               when ${blocks} and a.failures + 1 = ${SIGN_IN_ATTEMPTS} then now() + ${WINDOW}
               else a.blocked_until end,
          now()
        from (select coalesce(a.blocked_until <= now(), a.last_failed_at < now() - ${WINDOW}) as stale) as age
      )
    returning failures, ceil(extract(epoch from blocked_until - now()))::integer as seconds
  `.execute(db)
  await forgetStaleAttempts(db)
  const row = rows[0]
  return row !== undefined && row.failures > SIGN_IN_ATTEMPTS ? (row.seconds ?? 0) : 0
}

/**
 * A right password resets the count, unless a block began in the meantime: then it is refused like any other.
 */
export async function forgetFailures(db: Db, attempt: Attempt): Promise<void> {
  await db
    .deleteFrom('auth.sign_in_attempts')
    .where('email', '=', attempt.email)
    .where('ip', '=', attempt.ip)
    .where(sql<boolean>`coalesce(blocked_until <= now(), true)`)
    .execute()
}

/** Keeps the table as small as the last window: each failure deletes a few old rows. */
async function forgetStaleAttempts(db: Db): Promise<void> {
  await sql`
    delete from auth.sign_in_attempts where (email, ip) in (
      select email, ip from auth.sign_in_attempts
      where last_failed_at < now() - ${WINDOW} and coalesce(blocked_until <= now(), true)
      order by last_failed_at limit 20 for update skip locked
    )`.execute(db)
}
