import { sql, type RawBuilder } from 'kysely'

/** How an attempt ends; the log has no others. */
export const ATTEMPT_ENDS = ['delivered', 'failed'] as const

/**
 * SQL: in the order of the indexes of the log. There are no nulls; said as the primary key has it, the order would be asked of that, and
 * all attempts of everybody read for one webhook's.
 */
export function newestFirst(log: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${log}.created_at desc nulls last, ${log}.id desc nulls last`
}
