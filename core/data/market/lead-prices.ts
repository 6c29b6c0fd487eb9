import { sql, type RawBuilder } from 'kysely'
import type { LeadPrice, LeadPriceFilter } from '#core/contract/market/lead-price.ts'
import { clientName } from '../accounts/named-client.ts'
import type { Db } from '../database.ts'
import { POSITION_FORMAT, type PagePosition } from '../page.ts'

/** The client and the state of a price. */
export interface PriceScope {
  lead_type: string
  state: string | null
  client_user_id: string | null
}

interface StoredPrice extends PriceScope {
  id: string
  price: string
  name: string
  email: string | null
  created_at: Date
}

const COLUMNS = sql`l.id, l.lead_type, l.state::text, l.client_user_id, l.price, ${clientName('p')} as name, p.email, l.created_at
  from lead_prices l left join profiles p on p.user_id = l.client_user_id`

/** A page of the exceptions to the types' prices, newest first, with one row more than `limit` if there are more. */
export async function listLeadPrices(
  db: Db,
  filter: LeadPriceFilter & { id?: string },
  { limit, after }: { limit: number; after: PagePosition | undefined },
): Promise<Array<LeadPrice & { position: string }>> {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (filter.id !== undefined) conditions.push(sql`l.id = ${filter.id}`)
  if (filter.lead_type !== undefined) conditions.push(sql`l.lead_type = ${filter.lead_type}`)
  if (filter.client !== undefined) conditions.push(sql`l.client_user_id = ${filter.client}`)
  if (after !== undefined)
    conditions.push(sql`(l.created_at, l.id) < (${after.at}::timestamptz, ${after.id}::uuid)`)
  const { rows } = await sql<StoredPrice & { position: string }>`
    select to_char(l.created_at at time zone 'utc', ${sql.lit(POSITION_FORMAT)}) as position, ${COLUMNS}
    where ${sql.join(conditions, sql` and `)}
    order by l.created_at desc, l.id desc limit ${limit + 1}`.execute(db)
  return rows.map(({ client_user_id: client, name, email, created_at, ...row }) => ({
    ...row,
    client: client === null ? null : { user_id: client, name, email: email ?? '' },
    created_at: created_at.toISOString(),
  }))
}

/**
 * Sets a price, or replaces it.
 * @returns its id, and the earlier price
 */
export async function putLeadPrice(
  trx: Db,
  { lead_type, state, client_user_id }: PriceScope,
  price: string,
): Promise<{ id: string; before: string | null }> {
  const earlier = await trx
    .selectFrom('lead_prices')
    .select(['id', 'price'])
    .where('lead_type', '=', lead_type)
    .where(sql<boolean>`state is not distinct from ${state}`)
    .where(sql<boolean>`client_user_id is not distinct from ${client_user_id}::uuid`)
    .executeTakeFirst()
  if (earlier !== undefined) {
    await trx.updateTable('lead_prices').set({ price }).where('id', '=', earlier.id).execute()
    return { id: earlier.id, before: earlier.price }
  }
  const { id } = await trx
    .insertInto('lead_prices')
    .values({ lead_type, state, client_user_id, price })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, before: null }
}

/**
 * Removes a price.
 * @returns the removed price; undefined if there is none with this id
 */
export async function removeLeadPrice(
  trx: Db,
  id: string,
): Promise<(PriceScope & { price: string }) | undefined> {
  return await trx
    .deleteFrom('lead_prices')
    .where('id', '=', id)
    .returning(['lead_type', 'state', 'client_user_id', 'price'])
    .executeTakeFirst()
}

/** Whether there is a client with this id. */
export async function isClient(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('client_accounts as a')
    .innerJoin('profiles as p', 'p.user_id', 'a.user_id')
    .select('a.user_id')
    .where('a.user_id', '=', id)
    .where('p.role', '=', 'client')
    .executeTakeFirst()
  return row !== undefined
}
