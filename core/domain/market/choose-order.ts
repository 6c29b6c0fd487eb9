import { findPrice } from './find-price.ts'
import { judgeOrder, type LeadToJudge, type OrderToJudge, type Refusal } from './judge-order.ts'
import { localMoment } from './local-moment.ts'
import { readTally } from './tally.ts'

/** An order among others, with what says who is first. */
export interface OrderToChoose extends OrderToJudge {
  /** 1 is tried first */
  priority: number
  /** its part among those of the same priority */
  weight: number
  last_assigned_at: Date | null
  created_at: Date
}

/** `not_first`: it could have had the lead, and another came before it. */
export type NotChosen = Refusal | 'not_first'

export interface Choice<Order> {
  /** the order that gets the lead, and what it pays, in cents */
  chosen: { order: Order; price: number } | undefined
  /** why not the others; the first of those that are for the lead's state */
  refusals: { order: Order; reason: NotChosen }[]
  /** how many for each reason, over all */
  refused: Partial<Record<NotChosen, number>>
}

/**
 * Who gets a lead: of those that no reason keeps from it, the one of the least priority number; among equals the one that has received
 * least today for its weight, then the one that waits longest, the oldest, the one whose id is least.
 * @param most refusals that are told one by one
 */
export function chooseOrder<Order extends OrderToChoose>(
  lead: LeadToJudge,
  orders: readonly Order[],
  at: Date,
  most: number = Infinity,
): Choice<Order> {
  const { refusals, refused }: Choice<Order> = { chosen: undefined, refusals: [], refused: {} }
  let first: Order | undefined
  const note = (order: Order, reason: NotChosen): void => {
    refused[reason] = (refused[reason] ?? 0) + 1
    if (reason !== 'state' && refusals.length < most) refusals.push({ order, reason })
  }
  for (const order of orders) {
    const refusal = judgeOrder(lead, order, at)
    if (refusal !== undefined) note(order, refusal)
    else if (first === undefined) first = order
    else if (compareOrders(order, first, at) < 0) {
      note(first, 'not_first')
      first = order
    } else note(order, 'not_first')
  }
  const chosen = first && { order: first, price: findPrice(first.prices, first, lead.state) }
  return { chosen, refusals, refused }
}

/** Negative where the first of the two is tried first. */
export function compareOrders(a: OrderToChoose, b: OrderToChoose, at: Date): number {
  return (
    a.priority - b.priority ||
    // leads / weight, without a fraction that is not exact
    leadsToday(a, at) * b.weight - leadsToday(b, at) * a.weight ||
    compareWaits(a.last_assigned_at, b.last_assigned_at) ||
    a.created_at.getTime() - b.created_at.getTime() ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  )
}

function leadsToday({ tally, timezone }: OrderToChoose, at: Date): number {
  return readTally(tally, localMoment(timezone, at)).day_leads
}

/** Who never had one waits longest. */
function compareWaits(a: Date | null, b: Date | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  return a.getTime() - b.getTime()
}
