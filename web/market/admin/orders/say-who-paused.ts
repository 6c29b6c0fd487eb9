import type { AdminOrder } from '#core/contract/market/admin-order.ts'

type PausedOrder = Pick<AdminOrder, 'paused_by' | 'paused_by_client'>

export function isPausedByOthers({ paused_by: by }: PausedOrder): boolean {
  return by !== null && by !== 'client'
}

/** Says to administrators who has paused an order; undefined if nobody has. */
export function sayWhoPaused(order: PausedOrder): string | undefined {
  const who = [
    ...(isPausedByOthers(order) ? [order.paused_by === 'admin' ? 'us' : 'the system'] : []),
    ...(order.paused_by_client ? ['the client'] : []),
  ]
  return who.length === 0 ? undefined : `Paused by ${who.join(' and ')}`
}
