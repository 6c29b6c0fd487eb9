import { sql, type RawBuilder } from 'kysely'

/** SQL on an assignment: what a return pays back, which is the price without a late credit. */
export function restOfPrice(assignment: string): RawBuilder<string> {
  const column = (name: string) => sql.ref(`${assignment}.${name}`)
  return sql`(${column('price')} - coalesce((select late.amount from balance_ledger late
    where late.entry_type = 'late_credit' and late.reference_id = ${column('id')}::text), 0))`
}
