import { findPrice } from '../find-price.ts'
import { refuseLead, type LeadToJudge, type NotChosen, type OrderToChoose } from '../judge-order.ts'
import { compareRanked, rankOrders, type Lane, type Ranked, type Ranking } from './rank-orders.ts'
import { overlayLetters, setLetter, spellLetters } from './refusal-letters.ts'

export interface Choice<Order> {
  /** the order that gets the lead, and what it pays, in cents */
  chosen: { order: Order; price: number } | undefined
  /** how many orders did not get it for each reason, over all */
  refused: Partial<Record<NotChosen, number>>
  /** why not each of those that are for the lead's state (refusal-letters.ts) */
  told: Record<string, string>
}

/**
 * Who gets a lead: of those that no reason keeps from it, the one of the least priority number; among equals the one that has received
 * least today for its weight, then the one that waits longest, the oldest, the one whose id is least.
 */
export function chooseOrder<Order extends OrderToChoose>(
  lead: LeadToJudge,
  orders: readonly Order[],
  at: Date,
): Choice<Order> {
  return chooseRanked(lead, rankOrders(orders, at))
}

/** {@link chooseOrder} of orders that are ranked. They are asked one after the other, until one takes the lead. */
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
  // They are counted as without a licence everywhere.
  add('not_licensed', -(there?.guests ?? 0))
  add('state', size - everywhere.size - (there?.size ?? 0))
  add('not_first', everywhere.open.length + (there?.open.length ?? 0))
  return refused
}

/** Both, the first first. */
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
