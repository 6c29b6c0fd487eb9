import { findPrice } from './find-price.ts'
import {
  isForState,
  refuseLead,
  refuseNow,
  refuseState,
  type LeadToJudge,
  type OrderToJudge,
  type Refusal,
} from './judge-order.ts'
import { localMoment, type LocalMoment } from './local-moment.ts'
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
  return createChooser(orders, at, most)(lead)
}

/** An order that nothing keeps from leads from a state but what they are, and what it has received. */
interface Open<Order> {
  order: Order
  here: LocalMoment
  price: number
}

/** What all leads from one state have in common. */
type Field<Order> = Omit<Choice<Order>, 'chosen'> & { open: Open<Order>[] }

/**
 * {@link chooseOrder} for many leads of one moment: what does not depend on the lead is looked at once, and once for each state. What
 * orders receive, and their balances, may change between two leads.
 */
export function createChooser<Order extends OrderToChoose>(
  orders: readonly Order[],
  at: Date,
  most: number,
): (lead: LeadToJudge) => Choice<Order> {
  const judged = orders.map((order) => ({ order, reason: refuseNow(order, at) }))
  const fields = new Map<string | null, Field<Order>>()

  function makeField(state: string | null): Field<Order> {
    const field: Field<Order> = { open: [], refusals: [], refused: {} }
    for (const { order, reason = refuseState(order, state) } of judged) {
      if (reason !== undefined) note(field, order, reason, isForState(order.states, state) ? most : 0)
      else {
        const here = localMoment(order.timezone, at)
        field.open.push({ order, here, price: findPrice(order.prices, order, state) })
      }
    }
    fields.set(state, field)
    return field
  }

  return function choose(lead) {
    const field = fields.get(lead.state) ?? makeField(lead.state)
    const told = { refusals: [...field.refusals], refused: { ...field.refused } }
    let first: Open<Order> | undefined
    for (const open of field.open) {
      const reason = refuseLead(lead, open.order, open.here, open.price)
      if (reason !== undefined) note(told, open.order, reason, most)
      else if (first === undefined) first = open
      else if (compareOrders(open, first) < 0) {
        note(told, first.order, 'not_first', most)
        first = open
      } else note(told, open.order, 'not_first', most)
    }
    return { chosen: first && { order: first.order, price: first.price }, ...told }
  }
}

function note<Order>(
  told: Omit<Choice<Order>, 'chosen'>,
  order: Order,
  reason: NotChosen,
  most: number,
): void {
  told.refused[reason] = (told.refused[reason] ?? 0) + 1
  if (told.refusals.length < most) told.refusals.push({ order, reason })
}

/** Negative where the first of the two is tried first. */
function compareOrders(
  { order: a, here: ofA }: Open<OrderToChoose>,
  { order: b, here: ofB }: Open<OrderToChoose>,
): number {
  return (
    a.priority - b.priority ||
    // leads / weight, without a fraction that is not exact
    readTally(a.tally, ofA).day_leads * b.weight - readTally(b.tally, ofB).day_leads * a.weight ||
    compareWaits(a.last_assigned_at, b.last_assigned_at) ||
    a.created_at.getTime() - b.created_at.getTime() ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  )
}

/** Who never had one waits longest. */
function compareWaits(a: Date | null, b: Date | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  return a.getTime() - b.getTime()
}
