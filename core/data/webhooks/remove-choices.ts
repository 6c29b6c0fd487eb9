import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'

const BATCH = 1000
/** A transaction that began before may still write its event, with the time at which it began. */
const LONGEST_TRANSACTION = sql`interval '1 hour'`

/**
 * Removes earlier triggers and conditions that no event to plan can need any more.
 * @returns how many were removed
 */
export async function removeWebhookChoices(db: Db): Promise<number> {
  let removed = 0
  for (;;) {
    const { rows } = await sql`
      delete from webhook_choices where id in (
        select id from webhook_choices
        where until < least(now(), (select min(created_at) from events where planned_at is null)) - ${LONGEST_TRANSACTION}
        limit ${BATCH} for update skip locked)
      returning 1 as removed`.execute(db)
    removed += rows.length
    if (rows.length < BATCH) return removed
  }
}
