import { findPrice } from '../find-price.ts'
import { refuseLead, type LeadToJudge, type NotChosen, type OrderToChoose } from '../orders/judge-order.ts'
import { compareRanked, rankOrders, type Lane, type Ranked, type Ranking } from './rank-orders.ts'
import { overlayLetters, setLetter, spellLetters } from './refusal-letters.ts'

export interface Choice<Order> {
  /** the order that gets the lead, and its price in cents */
  chosen: { order: Order; price: number } | undefined
  /** number of orders that did not get it, by reason */
  refused: Partial<Record<NotChosen, number>>
  /** the reasons of the orders that are for the lead's state (refusal-letters.ts) */
  told: Record<string, string>
}

/**
 * Chooses the order that gets a lead among the orders that no reason excludes: the one with the lowest priority number.
 * Among equals it is the one that has received least today for its weight, then the one that waits longest, then the
 * oldest, then the one with the lowest id.
 */
export function chooseOrder<Order extends OrderToChoose>(
  lead: LeadToJudge,
  orders: readonly Order[],
  at: Date,
): Choice<Order> {
  return chooseRanked(lead, rankOrders(orders, at))
}

/** Like {@link chooseOrder}, for ranked orders. They are asked one after the other, until one takes the lead. */
export function chooseRanked<Order extends OrderToChoose>(
  lead: LeadToJudge,
  ranking: Ranking<Order>,
): Choice<Order> {
  const { everywhere } = ranking
  const there = lead.state === null ? undefined : ranking.lanes.get(lead.state)
  const refused = countRefused(ranking.size, everywhere, there)
  const letters = overlayLetters(everywhere.letters, there?.letters)
  let chosen: Choice<Order>['chosen']
  for (const { order, tally } of walk(everywhere.open, there?.open ?? [])) {
    const price = findPrice(order.prices, order, lead.state)
    const reason = refuseLead(lead, order, tally, price)
    refused.set('not_first', (refused.get('not_first') ?? 0) - 1)
    setLetter(letters, order.number, reason)
    if (reason === undefined) {
      chosen = { order, price }
      break
    }
    refused.set(reason, (refused.get(reason) ?? 0) + 1)
  }
  const counts = [...refused].filter(([, count]) => count > 0)
  return { chosen, refused: Object.fromEntries(counts), told: spellLetters(letters) }
}

function countRefused<Order>(
  size: number,
  everywhere: Lane<Order>,
  there: Lane<Order> | undefined,
): Map<NotChosen, number> {
  const refused = new Map(everywhere.refused)
  const add = (reason: NotChosen, count: number): void => {
    refused.set(reason, (refused.get(reason) ?? 0) + count)
  }
  for (const [reason, count] of there?.refused ?? []) add(reason, count)
  // `everywhere` counts its guests as orders without a licence, so the guests of this state are subtracted.
  add('not_licensed', -(there?.guests ?? 0))
  add('state', size - everywhere.size - (there?.size ?? 0))
  add('not_first', everywhere.open.length + (there?.open.length ?? 0))
  return refused
}

/** Merges both lists in their order. */
function* walk<Order extends OrderToChoose>(
  some: readonly Ranked<Order>[],
  others: readonly Ranked<Order>[],
): Iterable<Ranked<Order>> {
  for (let [one, two] = [0, 0]; ;) {
    const [a, b] = [some[one], others[two]]
    if (a !== undefined && (b === undefined || compareRanked(a, b) < 0)) {
      one += 1
      yield a
    } else if (b !== undefined) {
      two += 1
      yield b
    } else return
  }
}
