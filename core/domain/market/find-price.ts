/** The prices of leads of one type, in cents. */
export interface PriceList {
  price: number
  /** no lead is sold below this, whatever else is set */
  floor: number
  /** by `keyOfPrice`: for a client and a state, a client, or a state */
  exceptions: ReadonlyMap<string, number>
}

/** The key of an exception in a price list; null stands for all. */
export function keyOfPrice(clientId: string | null, state: string | null): string {
  return `${clientId ?? ''} ${state ?? ''}`
}

/**
 * The price that an order pays for a lead from this state: the most specific entry counts, but never less than the
 * floor (docs/product.md §10).
 */
export function findPrice(
  { price, floor, exceptions }: PriceList,
  order: { price: number | null; client_user_id: string },
  state: string | null,
): number {
  const said =
    order.price ??
    exceptions.get(keyOfPrice(order.client_user_id, state)) ??
    exceptions.get(keyOfPrice(order.client_user_id, null)) ??
    exceptions.get(keyOfPrice(null, state)) ??
    price
  return Math.max(said, floor)
}

/** For each list, the lowest exception of a client for any state; '' stands for everybody. */
const leasts = new WeakMap<PriceList, Map<string, number>>()

/** A lower bound in cents: no lead from any state costs this order less. */
export function findLeastPrice(
  prices: PriceList,
  order: { price: number | null; client_user_id: string },
): number {
  if (order.price !== null) return Math.max(order.price, prices.floor)
  const least = leasts.get(prices) ?? findLeasts(prices)
  const said = Math.min(prices.price, least.get('') ?? Infinity, least.get(order.client_user_id) ?? Infinity)
  return Math.max(said, prices.floor)
}

function findLeasts(prices: PriceList): Map<string, number> {
  const least = new Map<string, number>()
  for (const [key, price] of prices.exceptions) {
    const client = key.slice(0, key.indexOf(' '))
    least.set(client, Math.min(price, least.get(client) ?? Infinity))
  }
  leasts.set(prices, least)
  return least
}
