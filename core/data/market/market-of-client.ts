import { sql } from 'kysely'
import type { Db } from '../database.ts'

/**
 * The facts that all orders of a client depend on: its account, its balance, and its price for each type. Money is
 * decimal text.
 */
export interface MarketOfClient {
  account: AccountRow
  /** in the order of their labels */
  lead_types: LeadTypeRow[]
}

interface AccountRow {
  status: 'onboarding' | 'active' | 'closed' | 'suspended'
  licensed_states: string[]
  timezone: string
  balance: string
}

interface LeadTypeRow {
  code: string
  label: string
  price: string
  floor_price: string
  exceptions: Array<{ state: string | null; client_user_id: string | null; price: string }>
}

/** Returns undefined if there is no such client's account. */
export async function readMarketOfClient(db: Db, owner: string): Promise<MarketOfClient | undefined> {
  const { rows } = await sql<AccountRow>`
    select case when p.status = 'suspended' then p.status else a.status end as status, a.licensed_states, a.timezone, p.balance
    from client_accounts a join profiles p on p.user_id = a.user_id where a.user_id = ${owner}`.execute(db)
  const account = rows[0]
  if (account === undefined) return undefined
  const types = await sql<LeadTypeRow>`
    select t.code, t.label, t.price, t.floor_price, coalesce((
      select jsonb_agg(jsonb_build_object('state', l.state, 'client_user_id', l.client_user_id, 'price', l.price::text))
      from lead_prices l
      where l.lead_type = t.code and (l.client_user_id is null or l.client_user_id = ${owner})), '[]') as exceptions
    from lead_types t order by t.label, t.code`.execute(db)
  return { account, lead_types: types.rows }
}
