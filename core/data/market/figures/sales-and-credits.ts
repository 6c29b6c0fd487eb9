import { sql, type RawBuilder } from 'kysely'

/** SQL: an outcome says for how much a lead was sold. */
export const IS_SALE = sql`outcome = 'sold' and amount is not null`

/**
 * SQL on an assignment `alias`: the dollars of the last sale that its client's CRM reported with an amount. A correction
 * is a later report, and several webhooks report one sale.
 */
export function soldFor(alias: string): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`(
    select o.amount from lead_outcomes o
    where o.lead_id = ${column('lead_id')} and o.assignment_id = ${column('id')} and ${IS_SALE}
    order by o.id desc limit 1)`
}

/** SQL on a lead `l`: the client had its whole price back by a return. */
export function isPaidBack(client: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from lead_returns r where r.lead_id = l.id and r.client_user_id = ${client} and r.status = 'approved')`
}
