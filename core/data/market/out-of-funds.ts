import { sql } from 'kysely'
import { cheapestOf } from './balance.ts'

/**
 * SQL on the account `a` and its profile `p`: the client may buy, and its balance pays for no lead that its running orders
 * ask for. A balance above the dearest lead needs no look at the client's own prices.
 */
export const IS_OUT_OF_FUNDS = sql`
  a.status = 'active' and p.status = 'active' and p.role = 'client'
    and p.balance < (select max(dearest) from (select max(greatest(price, floor_price)) as dearest from lead_types
        union all select max(price) from lead_prices union all select max(price) from orders where deleted_at is null) prices)
    and p.balance < (${cheapestOf('a.user_id', 'running')})`
