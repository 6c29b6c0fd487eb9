import { chooseRanked, type Choice } from './choose-order.ts'
import { UNSOLD_STATES } from '../../leads/us-states.ts'
import type { LeadToJudge } from '../orders/judge-order.ts'
import type { BookedOrder, OrderBook } from './order-book.ts'

const DAY_MS = 86_400_000

/**
 * Numbers of days in which an earlier sale of the same person counts (docs/product.md §10): as a duplicate, and as a
 * sale to the same client.
 */
export interface SaleWindows {
  duplicateDays: number
  resaleDays: number
}

/** A sale of a lead of the same type with the same phone or e-mail address, within the longer of {@link SaleWindows}. */
export interface EarlierSale {
  lead_id: string
  client_user_id: string
  at: Date
}

/** An offered lead, with the known facts about the person. */
export interface OfferedLead extends Omit<LeadToJudge, 'sold_to' | 'kept_from' | 'waited_ms'> {
  id: string
  lead_type: string
  phone: string | null
  /** the moment from which its age counts; null: this is the first decision about it, which is never too late */
  waits_since: Date | null
  /** used only for the suppression list */
  alt_phone: string | null
  email: string | null
  /** suppressed for everybody */
  is_suppressed: boolean
  /** clients that the person told not to make contact */
  kept_from: readonly string[]
  /** the person took consent back, or did not agree, by its source; a source that says nothing is not refused */
  refused_consent: boolean
  /** whether its source was stopped */
  is_withdrawn: boolean
  /** newest first */
  sales: readonly EarlierSale[]
  /**
   * clients that had this lead, or, within the resale window, another lead of the person that was taken back from them
   */
  had_by: readonly string[]
}

/** The decision about a lead; `choice` is set if orders were considered. */
export interface Decision<Order> {
  lead: OfferedLead
  outcome: 'assigned' | 'duplicate' | 'rejected' | 'no_buyer'
  /** null if it is assigned */
  reason: string | null
  duplicate_of: string | null
  choice: Choice<Order> | undefined
}

/**
 * Decides lead by lead, as if each came alone: a lead uses up caps and balances for the next one, and a person is sold
 * once. The order book is restored afterwards.
 * @param options.aside orders that are left out, as if they did not exist
 * @returns also the orders that got leads, as they are afterwards
 */
export function decideLeads<Order extends BookedOrder>(
  leads: readonly OfferedLead[],
  book: OrderBook<Order>,
  { at, windows, aside = [] }: { at: Date; windows: SaleWindows; aside?: Iterable<string> },
): { decisions: Decision<Order>[]; sold: Order[] } {
  const bought = new Map<string, EarlierSale>()
  const decide = (lead: OfferedLead): Decision<Order> => {
    const keys = keysOf(lead)
    const sales = [...keys.flatMap((key) => bought.get(key) ?? []), ...lead.sales]
    const decision = decideLead(lead, sales, book, { at, windows })
    const chosen = decision.choice?.chosen
    if (chosen !== undefined) {
      book.sell(chosen.order, chosen.price, at)
      for (const key of keys)
        bought.set(key, { lead_id: lead.id, client_user_id: chosen.order.client_user_id, at })
    }
    return decision
  }
  const left = [...aside].flatMap((id) => book.get(id) ?? [])
  try {
    for (const { id } of left) book.remove(id)
    const decisions = leads.map(decide)
    return { decisions, sold: book.takeBack() }
  } finally {
    book.takeBack()
    for (const order of left) book.put(order)
  }
}

function decideLead<Order extends BookedOrder>(
  lead: OfferedLead,
  sales: readonly EarlierSale[],
  book: OrderBook<Order>,
  { at, windows }: { at: Date; windows: SaleWindows },
): Decision<Order> {
  const none = { lead, duplicate_of: null, choice: undefined }
  if (lead.is_withdrawn) return { ...none, outcome: 'rejected', reason: 'source_stopped' }
  if (lead.refused_consent) return { ...none, outcome: 'rejected', reason: 'no_consent' }
  if (lead.is_suppressed) return { ...none, outcome: 'rejected', reason: 'suppressed' }
  const within = (days: number) => (sale: EarlierSale) => at.getTime() - sale.at.getTime() < days * DAY_MS
  const same = sales.find(within(windows.duplicateDays))
  if (same !== undefined)
    return { ...none, outcome: 'duplicate', reason: 'duplicate', duplicate_of: same.lead_id }
  // Orders for all states may not get such a lead either.
  if (lead.state !== null && UNSOLD_STATES.includes(lead.state))
    return { ...none, outcome: 'no_buyer', reason: 'state_not_sold' }
  const buyers = sales.filter(within(windows.resaleDays)).map((sale) => sale.client_user_id)
  const sold_to = new Set([...buyers, ...lead.had_by])
  const kept_from = new Set(lead.kept_from)
  const waited_ms = lead.waits_since === null ? 0 : at.getTime() - lead.waits_since.getTime()
  const choice = chooseRanked({ ...lead, sold_to, kept_from, waited_ms }, book.rank(lead.lead_type, at))
  if (choice.chosen !== undefined) return { ...none, outcome: 'assigned', reason: null, choice }
  return { ...none, outcome: 'no_buyer', reason: findCommonest(choice.refused), choice }
}

/** The commonest refusal of orders for the lead's state. */
function findCommonest(refused: Choice<unknown>['refused']): string {
  const [commonest] = Object.entries(refused)
    .filter(([reason]) => reason !== 'state')
    .toSorted(([, a], [, b]) => b - a)
  return commonest?.[0] ?? 'no_matching_order'
}

function keysOf({ lead_type, phone, email }: OfferedLead): string[] {
  return [
    ...(phone === null ? [] : [`${lead_type} ${phone}`]),
    ...(email === null ? [] : [`${lead_type} ${email.toLowerCase()}`]),
  ]
}
