import { sql, type RawBuilder, type Updateable } from 'kysely'
import type { AdminOrderFilter } from '#core/contract/market/admin-order.ts'
import { clientName } from '../accounts/named-client.ts'
import type { Db } from '../database.ts'
import { POSITION_FORMAT, type PagePosition } from '../page.ts'
import type { OrdersTable } from '../schema/market-tables.ts'

/** An order, its client, and its prices in the price list. Money is decimal text. */
export interface StoredAdminOrder {
  id: string
  client_user_id: string
  client_name: string
  client_email: string
  name: string
  lead_type: string
  lead_type_label: string
  list_price: string
  floor_price: string
  /** the exceptions to the price of the type, for everybody and for this client */
  exceptions: { state: string | null; client_user_id: string | null; price: string }[]
  licensed_states: string[]
  states: string[]
  max_lead_age_minutes: number | null
  daily_cap: number | null
  weekly_cap: number | null
  monthly_cap: number | null
  price: string | null
  priority: number
  weight: number
  paused_by: string | null
  pause_reason: string | null
  also_paused_by_client: boolean
  leads: number
  last_assigned_at: Date | null
  version: number
  created_at: Date
  updated_at: Date
  position: string
}

/**
 * A page of all clients' orders, newest first, with one row more than `limit` if there are more; or the order with an
 * id.
 */
export async function listAdminOrders(
  db: Db,
  filter: AdminOrderFilter & { id?: string },
  { limit, after }: { limit: number; after: PagePosition | undefined },
): Promise<StoredAdminOrder[]> {
  const conditions: RawBuilder<unknown>[] = [sql`o.deleted_at is null`]
  if (filter.id !== undefined) conditions.push(sql`o.id = ${filter.id}`)
  if (filter.client !== undefined) conditions.push(sql`o.client_user_id = ${filter.client}`)
  if (filter.lead_type !== undefined) conditions.push(sql`o.lead_type = ${filter.lead_type}`)
  if (filter.paused === 'true') conditions.push(sql`o.paused_by is not null`)
  if (filter.paused === 'false') conditions.push(sql`o.paused_by is null`)
  if (after !== undefined)
    conditions.push(sql`(o.created_at, o.id) < (${after.at}::timestamptz, ${after.id}::uuid)`)
  const { rows } = await sql<StoredAdminOrder>`
    select o.id, o.client_user_id, ${clientName('p')} as client_name, p.email as client_email, o.name, o.lead_type,
      t.label as lead_type_label, t.price as list_price, t.floor_price,
      coalesce((
        select jsonb_agg(jsonb_build_object('state', l.state, 'client_user_id', l.client_user_id, 'price', l.price::text))
        from lead_prices l
        where l.lead_type = o.lead_type and (l.client_user_id is null or l.client_user_id = o.client_user_id)), '[]') as exceptions,
      a.licensed_states,
      o.states, o.max_lead_age_minutes, o.daily_cap, o.weekly_cap, o.monthly_cap, o.price, o.priority, o.weight, o.paused_by, o.pause_reason,
      o.also_paused_by_client, y.total_leads as leads, y.last_assigned_at, o.version, o.created_at, o.updated_at,
      to_char(o.created_at at time zone 'utc', ${sql.lit(POSITION_FORMAT)}) as position
    from orders o join profiles p on p.user_id = o.client_user_id
      join client_accounts a on a.user_id = o.client_user_id join lead_types t on t.code = o.lead_type
      join order_tallies y on y.order_id = o.id
    where ${sql.join(conditions, sql` and `)}
    order by o.created_at desc, o.id desc limit ${limit + 1}`.execute(db)
  return rows
}

/** Reads the terms of an order that administrators decide, and locks it until the end of the transaction. */
export async function lockAdminOrder(trx: Db, id: string) {
  const { rows } = await sql<
    Pick<
      StoredAdminOrder,
      | 'client_user_id'
      | 'name'
      | 'lead_type'
      | 'price'
      | 'priority'
      | 'weight'
      | 'paused_by'
      | 'pause_reason'
      | 'also_paused_by_client'
      | 'version'
      | 'floor_price'
    >
  >`
    select o.client_user_id, o.name, o.lead_type, o.price, o.priority, o.weight, o.paused_by, o.pause_reason, o.also_paused_by_client, o.version, t.floor_price
    from orders o join lead_types t on t.code = o.lead_type
    where o.id = ${id} and o.deleted_at is null for no key update of o`.execute(trx)
  return rows[0]
}

/** Changes a locked order, and increments its version. */
export async function changeAdminOrder(
  trx: Db,
  id: string,
  change: Pick<Updateable<OrdersTable>, 'price' | 'priority' | 'weight' | 'paused_by' | 'pause_reason'>,
): Promise<void> {
  await trx
    .updateTable('orders')
    .set({ ...change, version: sql<number>`version + 1`, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/** The terms of an order that administrators decide. */
export type DecidedTerms = Pick<
  StoredAdminOrder,
  'price' | 'priority' | 'weight' | 'paused_by' | 'pause_reason'
>

/**
 * The terms that a client's new order takes over from the client's newest order of the type or, if none is left, from
 * the one deleted last. So nobody gets rid of them by deleting an order and creating it again. The new order is paused
 * if somebody other than the client has paused an existing order. It is also paused if the order deleted last was
 * paused in that way, and no order created since was resumed. Nothing is locked: a decision that administrators make at
 * this moment counts as made after the new order, and the market never waits for the creation of an order.
 */
export async function readInheritedTerms(
  trx: Db,
  client: string,
  leadType: string,
): Promise<DecidedTerms | undefined> {
  const { rows } = await sql<
    DecidedTerms & { is_paused_by_others: boolean; is_let_go: boolean; is_there: boolean }
  >`
    with last as (
      select id, deleted_at from orders where client_user_id = ${client} and lead_type = ${leadType} and deleted_at is not null
      order by deleted_at desc, id desc limit 1
    )
    select o.price, o.priority, o.weight, o.paused_by, o.pause_reason,
      o.paused_by is not null and o.paused_by <> 'client' as is_paused_by_others,
      o.deleted_at is null as is_there,
      o.deleted_at is null and o.created_at >= (select deleted_at from last)
        and (o.paused_by is null or o.paused_by = 'client') as is_let_go
    from orders o
    where o.client_user_id = ${client} and o.lead_type = ${leadType}
      and (o.deleted_at is null or o.id = (select id from last))
    order by o.deleted_at nulls first, o.created_at desc, o.id desc`.execute(trx)
  const [first] = rows
  if (first === undefined) return undefined
  const isLetGo = rows.some(({ is_let_go }) => is_let_go)
  const paused = rows.find((row) => row.is_paused_by_others && (row.is_there || !isLetGo))
  const { price, priority, weight } = first
  const { paused_by, pause_reason } = paused ?? { paused_by: null, pause_reason: null }
  return { price, priority, weight, paused_by, pause_reason }
}
