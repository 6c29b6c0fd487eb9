import { sql, type RawBuilder } from 'kysely'
import { DELIVERABLE_EVENTS } from '#core/contract/events.ts'

/** The outcomes that this product writes for attempts. */
export const ATTEMPT_ENDS = ['delivered', 'failed'] as const

const literals = (words: readonly string[]): RawBuilder<unknown> =>
  sql.join(words.map((word) => sql.lit(word)))

/**
 * SQL: outcomes under other names, which another writer of the table has left. Written as in the index
 * webhook_delivery_logs_other.
 */
export function isOther(log: string): RawBuilder<unknown> {
  return sql`(${sql.ref(`${log}.event_type`)} not in (${literals(DELIVERABLE_EVENTS)})
    or ${sql.ref(`${log}.delivery_status`)} not in (${literals(ATTEMPT_ENDS)}))`
}

/**
 * SQL: in the order of the indexes of the log. `nulls last` is needed although there are no nulls. Without it the order
 * would be that of the primary key, and PostgreSQL would use that key: it would read the attempts of all clients to
 * find those of one webhook.
 */
export function newestFirst(log: string): RawBuilder<unknown> {
  return sql`${sql.ref(`${log}.created_at`)} desc nulls last, ${sql.ref(`${log}.id`)} desc nulls last`
}
