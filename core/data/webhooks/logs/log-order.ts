import { sql, type RawBuilder } from 'kysely'
import { DELIVERABLE_EVENTS } from '#core/contract/events.ts'

/** How the product's own attempts end. */
export const ATTEMPT_ENDS = ['delivered', 'failed'] as const

const literals = (words: readonly string[]): RawBuilder<unknown> =>
  sql.join(words.map((word) => sql.lit(word)))

/** SQL: what another writer of the table has left there, under other names. As the index webhook_delivery_logs_other has it. */
export function isOther(log: string): RawBuilder<unknown> {
  return sql`(${sql.ref(`${log}.event_type`)} not in (${literals(DELIVERABLE_EVENTS)})
    or ${sql.ref(`${log}.delivery_status`)} not in (${literals(ATTEMPT_ENDS)}))`
}

/**
 * SQL: in the order of the indexes of the log. There are no nulls; said as the primary key has it, the order would be asked of that, and
 * all attempts of everybody read for one webhook's.
 */
export function newestFirst(log: string): RawBuilder<unknown> {
  return sql`${sql.ref(`${log}.created_at`)} desc nulls last, ${sql.ref(`${log}.id`)} desc nulls last`
}
