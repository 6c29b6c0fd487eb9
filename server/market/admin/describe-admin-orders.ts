import type { AdminOrder, AdminOrderFilter } from '#core/contract/market/admin-order.ts'
import type { Db } from '#core/data/database.ts'
import { listAdminOrders, type StoredAdminOrder } from '#core/data/market/admin-orders.ts'
import type { PagePosition } from '#core/data/page.ts'
import { formatCents, requireCents } from '#core/domain/market/cents.ts'
import { findPriceRange } from '#core/domain/market/orders/describe-order.ts'
import { keyOfPrice } from '#core/domain/market/find-price.ts'

/** Orders as administrators see them, with the present cost of a lead for each. */
export async function describeAdminOrders(
  db: Db,
  filter: AdminOrderFilter & { id?: string },
  page: { limit: number; after: PagePosition | undefined },
): Promise<Array<AdminOrder & { position: string }>> {
  return (await listAdminOrders(db, filter, page)).map(describe)
}

function describe(row: StoredAdminOrder): AdminOrder & { position: string } {
  const { client_user_id: user_id, client_name: name, client_email: email, paused_by: by, ...others } = row
  const { also_paused_by_client: isAlso, ...rest } = others
  const { list_price, floor_price, exceptions, licensed_states, last_assigned_at, created_at, ...more } = rest
  const { updated_at, ...order } = more
  const said = exceptions.map(
    (one) => [keyOfPrice(one.client_user_id, one.state), requireCents(one.price)] as const,
  )
  const { lowest } = findPriceRange({
    client_user_id: user_id,
    states: order.states,
    price: order.price === null ? null : requireCents(order.price),
    account: { licensed_states },
    prices: { price: requireCents(list_price), floor: requireCents(floor_price), exceptions: new Map(said) },
  })
  return {
    ...order,
    client: { user_id, name, email },
    charged: formatCents(lowest),
    paused_by: by === 'client' || by === 'admin' ? by : by === null ? null : 'system',
    paused_by_client: by === 'client' || isAlso,
    last_assigned_at: last_assigned_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}
