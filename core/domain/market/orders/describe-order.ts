import type { OrderState } from '#core/contract/market/order.ts'
import { findPrice } from '../find-price.ts'
import { judgeOrder, type OrderToJudge, type Refusal } from './judge-order.ts'
import { addDays, nextMonth } from '../local-moment.ts'
import { sayDollars, sayWhen } from '../say-when.ts'
import { findOpening } from '../schedule.ts'
import { countingMoment, readTally, whenCountBegins, type Tally } from '../tally.ts'
import { SOLD_STATES, UNSOLD_STATES } from '../../leads/us-states.ts'

const NOBODY: ReadonlySet<string> = new Set()

/** An order with the facts from which its owner learns why it gets no leads; money is cents. */
export interface OrderToDescribe extends OrderToJudge {
  account_status: 'onboarding' | 'active' | 'closed' | 'suspended'
  pause_reason: string | null
  also_paused_by_client: boolean
  /** the reader may not see money of the account */
  hides_balance?: boolean
}

/** Tells an order's owner its present activity: what keeps it from the lead that it could most easily have. */
export function describeOrder(order: OrderToDescribe, at: Date): OrderState {
  const refusal = judgeOrder(imagineLead(order), order, at)
  if (refusal === undefined && order.states.length > 0 && order.states.every(isUnsold))
    return { code: 'account', sentence: 'Leads from the states that it names are not sold', until: null }
  if (refusal === undefined) return { code: 'active', sentence: 'Receiving leads', until: null }
  const { code, sentence, until } = explain(refusal, order, at)
  const resumes = until !== null && code === 'capped' ? `. Resumes ${sayWhen(order.timezone, until, at)}` : ''
  return { code, sentence: `${sentence}${resumes}`, until: until?.toISOString() ?? null }
}

function isUnsold(state: string): boolean {
  return UNSOLD_STATES.includes(state)
}

/** The fields of an order that decide the price of its leads. */
type PricedOrder = Pick<OrderToJudge, 'client_user_id' | 'states' | 'price' | 'prices'> & {
  account: Pick<OrderToJudge['account'], 'licensed_states'>
}

/** The range of prices of its leads, from its cheapest state to its dearest, in cents. */
export function findPriceRange(order: PricedOrder): { lowest: number; highest: number } {
  const prices = statesOf(order).map((state) => findPrice(order.prices, order, state))
  return { lowest: Math.min(...prices), highest: Math.max(...prices) }
}

/** Makes a lead that meets everything that an order asks for, from its cheapest state. */
function imagineLead(order: OrderToJudge) {
  const states = statesOf(order)
  const prices = states.map((state) => findPrice(order.prices, order, state))
  const state = states[prices.indexOf(Math.min(...prices))] ?? null
  const age = order.age_min ?? order.age_max
  return { state, zip: null, age, source_id: null, waited_ms: 0, sold_to: NOBODY, kept_from: NOBODY }
}

/** The states that it asks for and may buy from; if there are none, those that it asks for. */
function statesOf({ states, account: { licensed_states: licensed } }: PricedOrder): readonly string[] {
  const wanted = states.length === 0 ? SOLD_STATES : states
  const allowed = wanted.filter((state) => licensed.length === 0 || licensed.includes(state))
  return allowed.length === 0 ? wanted : allowed
}

type Explained = Omit<OrderState, 'until'> & { until: Date | null }

const ACCOUNT = {
  onboarding: 'Your account has not been approved yet',
  closed: 'Your account is closed',
  suspended: 'Your account is suspended',
  active: 'Your account is not active',
}

function explain(refusal: Refusal, order: OrderToDescribe, at: Date): Explained {
  const { timezone: zone, account } = order
  const price = findPriceRange(order).lowest
  const tally = readTally(order.tally, countingMoment(order, at))
  const tomorrow = () => whenCountBegins(order, addDays(tally.day, 1), at)
  const nextWeek = () => whenCountBegins(order, addDays(tally.week, 7), at)
  const monthAfter = () => whenCountBegins(order, nextMonth(tally.month), at)
  switch (refusal) {
    case 'account_not_active':
      return { code: 'account', sentence: ACCOUNT[order.account_status], until: null }
    case 'order_paused':
      return { code: 'paused', sentence: sayWhoPaused(order), until: null }
    case 'not_started': {
      const sentence = `Starts ${sayWhen(zone, order.starts_at ?? at, at)}`
      return { code: 'scheduled', sentence, until: order.starts_at }
    }
    case 'ended':
      return { code: 'ended', sentence: `Ended ${sayWhen(zone, order.ends_at ?? at, at)}`, until: null }
    case 'off_schedule': {
      const until = findOpening(order.schedule, zone, at) ?? null
      const resumes = until === null ? '' : `. Resumes ${sayWhen(zone, until, at)}`
      return { code: 'scheduled', sentence: `Outside its hours${resumes}`, until }
    }
    case 'daily_cap':
      return { ...sayFull('Daily cap', tally.day_leads, order.daily_cap), until: tomorrow() }
    case 'weekly_cap':
      return { ...sayFull('Weekly cap', tally.week_leads, order.weekly_cap), until: nextWeek() }
    case 'monthly_cap':
      return { ...sayFull('Monthly cap', tally.month_leads, order.monthly_cap), until: monthAfter() }
    case 'total_cap':
      return { ...sayFull('Total cap', tally.total_leads, order.total_cap), until: null }
    case 'daily_budget':
      return saySpent('Daily budget', tally.day_spent, order.daily_budget, price, tomorrow())
    case 'monthly_budget':
      return saySpent('Monthly budget', tally.month_spent, order.monthly_budget, price, monthAfter())
    case 'funds': {
      const balance = order.hides_balance === true ? 'The balance' : `Balance ${sayDollars(account.balance)}`
      const sentence = `${balance} is below the lead price ${sayDollars(price)}`
      return { code: 'out_of_funds', sentence, until: null }
    }
    default:
      return { code: 'account', sentence: 'Your licence names none of its states', until: null }
  }
}

function sayWhoPaused({ paused_by, pause_reason, also_paused_by_client: isAlso }: OrderToDescribe): string {
  if (paused_by === 'client') return 'Paused by you'
  const others = paused_by === 'admin' ? 'by an administrator' : 'automatically'
  const who = `Paused ${isAlso ? 'by you, and ' : ''}${others}`
  return pause_reason === null ? who : `${who}: ${pause_reason}`
}

function sayFull(what: string, leads: number, cap: number | null): Omit<Explained, 'until'> {
  return { code: 'capped', sentence: `${what} reached (${count(leads)} of ${count(cap ?? 0)})` }
}

/** An amount below the price is never enough, whatever is spent. */
function saySpent(
  what: string,
  spent: Tally['day_spent'],
  budget: number | null,
  price: number,
  until: Date,
): Explained {
  const most = budget ?? 0
  if (most < price) {
    const sentence = `${what} ${sayDollars(most)} is below the lead price ${sayDollars(price)}`
    return { code: 'capped', sentence, until: null }
  }
  return { code: 'capped', sentence: `${what} reached (${sayDollars(spent)} of ${sayDollars(most)})`, until }
}

function count(leads: number): string {
  return leads.toLocaleString('en-US')
}
