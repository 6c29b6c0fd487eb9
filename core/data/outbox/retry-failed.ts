import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database.ts'

/** Rows that one statement changes, so that it holds its locks only for a short time; the caller repeats it. */
export const RETRY_BATCH = 1000

/** SQL: its consumer gave it up, after PostgreSQL refused several times to plan it. */
const IS_FAILED_EVENT = sql`e.failed_at is not null and e.planned_at is null`

/**
 * SQL: it was given up, and can still be sent. A mail with a code or link lost that when it was given up, and is of no
 * use by then; so is one that has expired.
 */
const IS_FAILED_MAIL = sql`m.next_try_at is null and m.sent_at is null and m.last_failure is not null
  and m.last_failure <> 'expired' and (m.recipient_address is null or m.contact_message_id is not null)`

const since = (column: RawBuilder<unknown>, moment: Date | undefined): RawBuilder<unknown> =>
  moment === undefined ? sql`true` : sql`${column} >= ${moment}`

/** Counts the events that were given up, and the mails that were and can still be sent. */
export async function countFailed(
  db: Db,
  kind: 'events' | 'mails',
  moment: Date | undefined,
): Promise<number> {
  if (kind === 'events') {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from events e where ${IS_FAILED_EVENT} and ${since(sql`e.failed_at`, moment)}`.execute(
      db,
    )
    return rows[0]?.count ?? 0
  }
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from mails m where ${IS_FAILED_MAIL} and ${since(sql`m.created_at`, moment)}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/**
 * Has failed events planned again, at most {@link RETRY_BATCH}: the relay enqueues them within half a minute.
 * @param moment only those that failed from then on
 * @returns how many
 */
export async function retryEvents(trx: Db, moment: Date | undefined): Promise<number> {
  const { numAffectedRows } = await sql`
    update events set failures = 0, failed_at = null where id = any(array(
      select e.id from events e where ${IS_FAILED_EVENT} and ${since(sql`e.failed_at`, moment)}
      order by e.id limit ${RETRY_BATCH} for update skip locked))`.execute(trx)
  return Number(numAffectedRows ?? 0n)
}

/**
 * Has failed mails sent again, at most {@link RETRY_BATCH}; they are due at once.
 * @param moment only those that were made from then on
 * @returns how many
 */
export async function retryMails(trx: Db, moment: Date | undefined): Promise<number> {
  const { numAffectedRows } = await sql`
    update mails set tries = 0, last_failure = null, next_try_at = now() where id = any(array(
      select m.id from mails m where ${IS_FAILED_MAIL} and ${since(sql`m.created_at`, moment)}
      order by m.id limit ${RETRY_BATCH} for update skip locked))`.execute(trx)
  return Number(numAffectedRows ?? 0n)
}
