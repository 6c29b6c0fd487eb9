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
