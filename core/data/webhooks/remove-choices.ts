import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'
import { openEvents } from '#core/data/outbox/open-events.ts'

const BATCH = 1000
/** Of the oldest events so many say which triggers and conditions are still needed. */
const MOST_OPEN = 1000
/** A transaction that began before may still write its event, by the moment at which it began. */
const LONGEST_TRANSACTION = sql`interval '1 hour'`

/** Removes earlier triggers and conditions by which no event will be planned any more. @returns how many were removed */
export async function removeWebhookChoices(db: Db): Promise<number> {
  let removed = 0
  for (;;) {
    const { rows } = await sql`
      delete from webhook_choices where id in (
        select id from webhook_choices
        where until < least(now(), (select min(created_at) from (${openEvents(sql`e.created_at`, { limit: MOST_OPEN })}) waiting)) - ${LONGEST_TRANSACTION}
        limit ${BATCH} for update skip locked)
      returning 1 as removed`.execute(db)
    removed += rows.length
    if (rows.length < BATCH) return removed
  }
}
