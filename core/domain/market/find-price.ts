/** What leads of one type cost, in cents. */
export interface PriceList {
  price: number
  /** below which none is sold, whatever else is said */
  floor: number
  /** by `keyOfPrice`: for a client and a state, a client, or a state */
  exceptions: ReadonlyMap<string, number>
}

/** Under which an exception stands in a price list; null where it is for all. */
export function keyOfPrice(clientId: string | null, state: string | null): string {
  return `${clientId ?? ''} ${state ?? ''}`
}

/** What an order pays for a lead from this state: what is said of fewest counts, and never less than the floor (docs/product.md §10). */
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

/** Of each list the least that is said for a client in any state; '' is everybody. */
const leasts = new WeakMap<PriceList, Map<string, number>>()

/** No lead from any state costs this order less, in cents. */
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
