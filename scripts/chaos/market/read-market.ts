import { sql, type Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'

/** The market's rows in PostgreSQL. Money is cents. */
export interface MarketRows {
  leads: { id: string; status: string; isDecided: boolean }[]
  assignments: MarketAssignment[]
  /** in the order in which they took effect */
  entries: MarketEntry[]
  balances: { clientId: string; balance: number }[]
}

export interface MarketAssignment {
  id: string
  leadId: string
  clientId: string
  state: string
  price: number
  /** the id of the approved return, if any */
  returnId: string | null
  /** one of the client's webhooks received the lead */
  isDelivered: boolean
}

export interface MarketEntry {
  clientId: string
  type: string
  amount: number
  balanceAfter: number
  reference: string | null
}

const cents = (column: string) => sql`(${sql.ref(column)} * 100)::float8`

export async function readMarket(db: Kysely<Database>): Promise<MarketRows> {
  const [leads, assignments, entries, balances] = await Promise.all([
    sql<MarketRows['leads'][number]>`
      select l.id, l.status, d.lead_id is not null as "isDecided"
      from leads l left join assignment_decisions d on d.lead_id = l.id`.execute(db),
    sql<MarketAssignment>`
      select a.id, a.lead_id as "leadId", a.client_user_id as "clientId", a.state, ${cents('a.price')} as price, r.id as "returnId",
        exists (select from webhook_deliveries d where d.lead_id = a.lead_id and d.client_user_id = a.client_user_id
          and d.state = 'delivered') as "isDelivered"
      from lead_assignments a left join lead_returns r on r.assignment_id = a.id and r.status = 'approved'
      where a.order_id is not null`.execute(db),
    sql<MarketEntry>`
      select client_user_id as "clientId", entry_type as type, ${cents('amount')} as amount,
        ${cents('balance_after')} as "balanceAfter", reference_id as reference
      from balance_ledger order by client_user_id, id`.execute(db),
    sql<MarketRows['balances'][number]>`
      select user_id as "clientId", ${cents('balance')} as balance from profiles`.execute(db),
  ])
  return {
    leads: leads.rows,
    assignments: assignments.rows,
    entries: entries.rows,
    balances: balances.rows,
  }
}
