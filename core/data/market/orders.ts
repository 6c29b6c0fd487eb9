import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { OwnOrder } from '#core/domain/market/choice/find-head-start.ts'
import type { Db } from '../database.ts'
import { POSITION_FORMAT, type PagePosition } from '../page.ts'
import type { OrderTalliesTable, OrdersTable } from '../schema/market-tables.ts'

const COLUMNS = [
  'o.id',
  'o.client_user_id',
  'o.name',
  'o.lead_type',
  'o.states',
  'o.age_min',
  'o.age_max',
  'o.accept_unknown_age',
  'o.excluded_sources',
  'o.max_lead_age_minutes',
  'o.zip_codes',
  'o.near_zip',
  'o.near_miles',
  'o.daily_cap',
  'o.weekly_cap',
  'o.monthly_cap',
  'o.total_cap',
  'o.daily_budget',
  'o.monthly_budget',
  'o.price',
  'o.schedule',
  'o.timezone',
  'o.counts_in',
  'o.counts_in_until',
  'o.starts_at',
  'o.ends_at',
  'o.paused_by',
  'o.pause_reason',
  'o.also_paused_by_client',
  'o.when_undelivered',
  'o.member_user_id',
  'o.version',
  'o.created_at',
  'o.updated_at',
  't.day',
  't.day_leads',
  't.day_spent',
  't.week',
  't.week_leads',
  't.month',
  't.month_leads',
  't.month_spent',
  't.total_leads',
  't.last_assigned_at',
] as const

/** An order with the number of leads it has received, which counts for the day, week and month that it names. */
export type OrderRow = Pick<
  Selectable<OrdersTable>,
  Exclude<keyof OrdersTable, 'priority' | 'weight' | 'deleted_at' | 'number' | 'ahead_day' | 'ahead_leads'>
> &
  Pick<Selectable<OrderTalliesTable>, Exclude<keyof OrderTalliesTable, 'order_id'>>

/** The fields of an order that its client decides; the schedule as JSON text. */
export type OrderFields = Pick<
  Updateable<OrdersTable>,
  Exclude<
    keyof OrdersTable,
    | 'id'
    | 'client_user_id'
    | 'price'
    | 'priority'
    | 'weight'
    | 'paused_by'
    | 'pause_reason'
    | 'also_paused_by_client'
    | 'version'
    | 'created_at'
    | 'updated_at'
    | 'deleted_at'
    | 'number'
    | 'ahead_day'
    | 'ahead_leads'
  >
>

/** The client's orders, or those of one person of the account (`member`), newest first, with one row more than `limit` if there are more. */
export async function listOrders(
  db: Db,
  owner: string,
  page: { limit: number; after: PagePosition | undefined; member?: string | undefined },
): Promise<Array<OrderRow & { position: string }>> {
  return await selectOrders(db, owner)
    .select(sql<string>`to_char(o.created_at at time zone 'utc', ${sql.lit(POSITION_FORMAT)})`.as('position'))
    .$if(page.member !== undefined, (query) => query.where('o.member_user_id', '=', page.member ?? null))
    .$if(page.after !== undefined, (query) =>
      query.where(
        sql<boolean>`(o.created_at, o.id) < (${page.after?.at ?? null}::timestamptz, ${page.after?.id ?? null}::uuid)`,
      ),
    )
    .orderBy('o.created_at', 'desc')
    .orderBy('o.id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

export async function findOrder(db: Db, owner: string, id: string): Promise<OrderRow | undefined> {
  return await selectOrders(db, owner).where('o.id', '=', id).executeTakeFirst()
}

/** One of the client's orders, locked: nobody else changes it, or gives it a lead, before the transaction ends. */
export async function lockOrder(trx: Db, owner: string, id: string): Promise<OrderRow | undefined> {
  await trx
    .selectFrom('orders')
    .select('id')
    .where('id', '=', id)
    .where('client_user_id', '=', owner)
    .forNoKeyUpdate()
    .execute()
  return await findOrder(trx, owner, id)
}

export async function insertOrder(
  trx: Db,
  order: OrderFields &
    Pick<Insertable<OrdersTable>, 'id' | 'client_user_id' | 'name' | 'lead_type' | 'timezone' | 'paused_by'> &
    Pick<
      Insertable<OrdersTable>,
      'price' | 'priority' | 'weight' | 'pause_reason' | 'also_paused_by_client' | 'ahead_day' | 'ahead_leads'
    >,
): Promise<void> {
  await trx.insertInto('orders').values(order).execute()
}

/** Changes the given fields, and returns the new version. */
export async function updateOrder(trx: Db, id: string, change: OrderFields): Promise<OrderRow> {
  return await trx
    .updateTable('orders as o')
    .from('order_tallies as t')
    .set({ ...change, version: sql<number>`o.version + 1`, updated_at: sql<Date>`now()` })
    .where('o.id', '=', id)
    .whereRef('t.order_id', '=', 'o.id')
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/**
 * Sets or ends the client's own pause; a pause by others takes precedence
 * (migrations/20261127070010-keep-clients-pause.ts). The version stays the same, so that an edit of the order that is
 * under way meets no conflict.
 */
export async function setOrderPaused(
  trx: Db,
  id: string,
  change: Pick<Updateable<OrdersTable>, 'paused_by' | 'also_paused_by_client'>,
): Promise<void> {
  await trx
    .updateTable('orders')
    .set({ ...change, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/**
 * Hides an order; its purchases continue to name it.
 * @returns whether it was there
 */
export async function removeOrder(db: Db, owner: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set({ deleted_at: sql<Date>`now()`, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('client_user_id', '=', owner)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Locks the creation of orders for this client until the transaction ends. The market never asks for this lock, so
 * however many requests create orders at once, the market meets at most one of them.
 */
export async function lockNewOrders(trx: Db, owner: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('new-orders'), hashtext(${owner}))`.execute(trx)
}

/**
 * Number of the client's orders, and number created within `days`, including deleted ones.
 * @param most limit of counting the created ones
 */
export async function countOrders(
  db: Db,
  owner: string,
  { days, most }: { days: number; most: number },
): Promise<{ live: number; made: number }> {
  const { rows } = await sql<{ live: number; made: number }>`
    select
      (select count(*)::int from orders where client_user_id = ${owner} and deleted_at is null) as live,
      (select count(*)::int from (
        select from orders where client_user_id = ${owner} and created_at > now() - make_interval(days => ${days})
        limit ${most}) made) as made`.execute(db)
  return rows[0] ?? { live: 0, made: 0 }
}

/**
 * Today's counts of the client's orders of a type, including recently deleted ones. Orders that counted nothing are
 * left out, and equal counts appear once. Nobody sells to the client before the transaction ends.
 */
export async function readOwnOrdersLocked(trx: Db, owner: string, leadType: string): Promise<OwnOrder[]> {
  await sql`select from profiles where user_id = ${owner} for no key update`.execute(trx)
  const { rows } = await sql<OwnOrder>`
    select distinct o.timezone, o.counts_in, o.counts_in_until, o.weight, o.ahead_day::text as ahead_day, o.ahead_leads, t.day::text as day, t.day_leads
    from (
      select id, timezone, counts_in, counts_in_until, weight, ahead_day, ahead_leads from orders
      where client_user_id = ${owner} and lead_type = ${leadType} and deleted_at is null
      union all
      select id, timezone, counts_in, counts_in_until, weight, ahead_day, ahead_leads from orders
      where client_user_id = ${owner} and lead_type = ${leadType} and deleted_at > now() - interval '2 days'
    ) o join order_tallies t on t.order_id = o.id
    where o.ahead_leads > 0 or t.day_leads > 0`.execute(trx)
  return rows
}

function selectOrders(db: Db, owner: string) {
  return db
    .selectFrom('orders as o')
    .innerJoin('order_tallies as t', 't.order_id', 'o.id')
    .select(COLUMNS)
    .where('o.client_user_id', '=', owner)
    .where('o.deleted_at', 'is', null)
}
