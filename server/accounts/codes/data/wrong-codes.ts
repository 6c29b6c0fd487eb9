import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'
import { WRONG_CODES_A_DAY } from '#server/accounts/auth-policy.ts'

const WINDOW = sql`interval '1 day'`

/**
 * The holder and purpose of codes: an account's by kind, or those mailed to an address whether or not it has
 * an account.
 */
export interface CodeHolder {
  holder: Buffer
  purpose: string
}

/** The account, or a factor of it, as a holder; {@link isSpent} builds the same in SQL. */
export function holderOf(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

/** SQL that is true if no code of this holder and purpose is accepted any more today. */
export function isSpent(holder: ReturnType<typeof sql>, purpose: ReturnType<typeof sql>) {
  return sql<boolean>`exists (
    select from auth.wrong_codes w where w.holder = ${holder} and w.purpose = ${purpose}
      and w.failures >= ${WRONG_CODES_A_DAY} and w.since > clock_timestamp() - ${WINDOW})`
}

/**
 * Seconds until the holder's codes are accepted again after the last wrong one of a day; 0 if they are
 * accepted now.
 */
export async function readSpentSeconds(db: Db, { holder, purpose }: CodeHolder): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from since + ${WINDOW} - clock_timestamp()))::integer as seconds
    from auth.wrong_codes
    where holder = ${holder} and purpose = ${purpose} and failures >= ${WRONG_CODES_A_DAY}`.execute(db)
  return Math.max(0, rows[0]?.seconds ?? 0)
}

/** Counts one wrong code. @returns whether it was the last that the day allows */
export async function countWrongCode(db: Db, { holder, purpose }: CodeHolder): Promise<boolean> {
  const { rows } = await sql<{ failures: number }>`
    insert into auth.wrong_codes as w (holder, purpose, failures, since)
    values (${holder}, ${purpose}, 1, clock_timestamp())
    on conflict (holder, purpose) do update set (failures, since) = (
      select case when is_over then 1 else w.failures + 1 end, case when is_over then clock_timestamp() else w.since end
      from (select w.since <= clock_timestamp() - ${WINDOW} as is_over) as age)
    returning failures`.execute(db)
  await sql`
    delete from auth.wrong_codes where (holder, purpose) in (
      select holder, purpose from auth.wrong_codes where since < now() - interval '2 days'
      order by since limit 20 for update skip locked)`.execute(db)
  return rows[0]?.failures === WRONG_CODES_A_DAY
}
