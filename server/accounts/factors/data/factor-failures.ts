import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'
import {
  WRONG_CODES_MINUTES,
  WRONG_CODES_PER_ADDRESS,
  WRONG_CODES_PER_CHALLENGE,
  WRONG_CODES_PER_FACTOR,
} from '#server/accounts/auth-policy.ts'

const WINDOW = sql`make_interval(mins => ${sql.lit(WRONG_CODES_MINUTES)})`

/**
 * Seconds until the factor accepts codes from this address again; 0 if it does now. Each address has its own
 * count, so that a guesser does not lock the owner out. All addresses together have one too, so that many
 * addresses do not allow many guesses.
 */
export async function readGuessBlock(db: Db, factorId: string, ip: string): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select ceil(extract(epoch from case
      when sum(failures) filter (where ip = ${ip}) >= ${WRONG_CODES_PER_ADDRESS}
        then max(since) filter (where ip = ${ip})
      when sum(failures) >= ${WRONG_CODES_PER_FACTOR} then max(since)
    end + ${WINDOW} - clock_timestamp()))::integer as seconds
    from auth.factor_failures
    where factor_id = ${factorId} and since > clock_timestamp() - ${WINDOW}`.execute(db)
  return Math.max(0, rows[0]?.seconds ?? 0)
}

/**
 * Whether the factor was ever verified from this network. If so it is the owner's network and stays open
 * while others guess.
 */
export async function wasVerifiedFrom(
  db: Db,
  { user_id, factor_id, network }: { user_id: string; factor_id: string; network: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from auth.audit_log
    where user_id = ${user_id} and action = 'factor_verified' and details ->> 'factor_id' = ${factor_id}
      and ip <<= ${network}::inet
    limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Counts a wrong code for its challenge and for its factor. The caller holds the lock, so that codes are
 * counted one by one.
 */
export async function recordWrongCode(
  db: Db,
  { challengeId, factorId, ip }: { challengeId: string; factorId: string; ip: string },
): Promise<void> {
  await db
    .updateTable('auth.factor_challenges')
    .set((eb) => ({ wrong_attempts: eb('wrong_attempts', '+', 1) }))
    .where('id', '=', challengeId)
    .execute()
  await sql`
    delete from auth.factor_failures
    where factor_id = ${factorId} and since <= clock_timestamp() - ${WINDOW}`.execute(db)
  await sql`
    insert into auth.factor_failures as f (factor_id, ip, failures, since)
    values (${factorId}, ${ip}, 1, clock_timestamp())
    on conflict (factor_id, ip) do update set failures = f.failures + 1`.execute(db)
}

/** Whether a challenge has used up its wrong codes. */
export function isSpent({ wrong_attempts }: { wrong_attempts: number }): boolean {
  return wrong_attempts >= WRONG_CODES_PER_CHALLENGE
}

/** Resets the count of an address after a right code. */
export async function forgetWrongCodes(db: Db, factorId: string, ip: string): Promise<void> {
  await db.deleteFrom('auth.factor_failures').where('factor_id', '=', factorId).where('ip', '=', ip).execute()
}
