import { refuseAll, type NotChosen, type OrderToChoose, type Refusal } from '../orders/judge-order.ts'
import { localMoment } from '../local-moment.ts'
import { setLetter, type Letters } from './refusal-letters.ts'
import { countingMoment, readTally, type Tally } from '../tally.ts'

/** An order at the moment of its ranking; it never changes, but is replaced. */
export interface Ranked<Order> {
  order: Order
  /** its counts at that moment */
  tally: Tally
  /** the reason why it gets no lead at all */
  refusal: Refusal | undefined
  lanes: { lane: Lane<Order>; reason: NotChosen; isGuest: boolean }[]
}

/** The orders that name a state, or the orders for all states. */
export interface Lane<Order> {
  /** the orders that may get leads, the first in rank first */
  open: Ranked<Order>[]
  /** number of the others, by reason */
  refused: Map<NotChosen, number>
  letters: Letters
  /** number of orders that name it */
  size: number
  /** number of orders for all states that are licensed for some states, this one included: they are open here */
  guests: number
}

/** Orders for one type of leads, in the order in which they are asked, at a moment. */
export interface Ranking<Order> {
  readonly size: number
  everywhere: Lane<Order>
  lanes: ReadonlyMap<string, Lane<Order>>
  find: (id: string) => Ranked<Order> | undefined
  /** Adds an order, or replaces the one with its id. */
  put: (order: Order) => void
  remove: (id: string) => void
}

/**
 * Ranks orders so that a lead costs little, however many orders there are. Orders that get no lead at this moment, and
 * orders for other states, are not examined for each lead.
 */
export function rankOrders<Order extends OrderToChoose>(orders: Iterable<Order>, at: Date): Ranking<Order> {
  const all = new Map<string, Ranked<Order>>()
  const everywhere = makeLane<Order>()
  const lanes = new Map<string, Lane<Order>>()

  function laneOf(state: string): Lane<Order> {
    const lane = lanes.get(state) ?? makeLane<Order>()
    lanes.set(state, lane)
    return lane
  }

  function put(order: Order): void {
    remove(order.id)
    const here = localMoment(order.timezone, at)
    const tally = readTally(order.tally, countingMoment(order, at))
    const refusal = refuseAll(order, at, here, tally)
    const ranked: Ranked<Order> = { order, tally, refusal, lanes: [] }
    for (const place of placesOf(order, refusal))
      enter(ranked, place.state === null ? everywhere : laneOf(place.state), place.reason, place.isGuest)
    all.set(order.id, ranked)
  }

  function remove(id: string): void {
    const ranked = all.get(id)
    if (ranked === undefined) return
    for (const { lane, reason, isGuest } of ranked.lanes) leave(ranked, lane, reason, isGuest)
    all.delete(id)
  }

  // They come in their order, so each goes to the end of its lanes.
  const sorted = [...orders].map((order) => {
    const tally = readTally(order.tally, countingMoment(order, at))
    return { order, tally }
  })
  for (const { order } of sorted.toSorted(compareRanked)) put(order)
  return {
    get size() {
      return all.size
    },
    everywhere,
    lanes,
    find: (id) => all.get(id),
    put,
    remove,
  }
}

/** Negative if the first of the two is asked first. */
export function compareRanked(
  { order: a, tally: ofA }: { order: OrderToChoose; tally: Tally },
  { order: b, tally: ofB }: { order: OrderToChoose; tally: Tally },
): number {
  return (
    a.priority - b.priority ||
    // Compares leads / weight by multiplying, because a quotient may be inexact.
    countForRank(a, ofA) * b.weight - countForRank(b, ofB) * a.weight ||
    compareWaits(a.last_assigned_at, b.last_assigned_at) ||
    a.created_at.getTime() - b.created_at.getTime() ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  )
}

export interface RankedCount {
  ahead_day: string
  ahead_leads: number
}

/**
 * The number of leads that it has received today, or that it counts as received.
 * @param tally its counts at the moment
 */
export function countForRank({ ahead_day, ahead_leads }: RankedCount, tally: Tally): number {
  return tally.day_leads + (ahead_day >= tally.day ? ahead_leads : 0)
}

/** An order that never had a lead has waited longest. */
function compareWaits(a: Date | null, b: Date | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  return a.getTime() - b.getTime()
}

function makeLane<Order>(): Lane<Order> {
  return { open: [], refused: new Map(), letters: new Map(), size: 0, guests: 0 }
}

interface Place {
  /** null means everywhere */
  state: string | null
  reason: NotChosen
  isGuest: boolean
}

/** The place of an order: open, which is `not_first` for every lead that another order gets, or refused. */
function* placesOf(order: OrderToChoose, refusal: Refusal | undefined): Iterable<Place> {
  const { states, account } = order
  const licensed = new Set(account.licensed_states)
  if (states.length > 0) {
    for (const state of new Set(states)) {
      const reason = refusal ?? (licensed.size === 0 || licensed.has(state) ? 'not_first' : 'not_licensed')
      yield { state, reason, isGuest: false }
    }
    return
  }
  const isLimited = refusal === undefined && licensed.size > 0
  yield { state: null, reason: refusal ?? (isLimited ? 'not_licensed' : 'not_first'), isGuest: false }
  if (isLimited) for (const state of licensed) yield { state, reason: 'not_first', isGuest: true }
}

function enter<Order extends OrderToChoose>(
  ranked: Ranked<Order>,
  lane: Lane<Order>,
  reason: NotChosen,
  isGuest: boolean,
): void {
  ranked.lanes.push({ lane, reason, isGuest })
  setLetter(lane.letters, ranked.order.number, reason)
  if (isGuest) lane.guests += 1
  else lane.size += 1
  if (reason === 'not_first') lane.open.splice(findPlace(lane.open, ranked), 0, ranked)
  else lane.refused.set(reason, (lane.refused.get(reason) ?? 0) + 1)
}

function leave<Order extends OrderToChoose>(
  ranked: Ranked<Order>,
  lane: Lane<Order>,
  reason: NotChosen,
  isGuest: boolean,
): void {
  setLetter(lane.letters, ranked.order.number, undefined)
  if (isGuest) lane.guests -= 1
  else lane.size -= 1
  if (reason === 'not_first') lane.open.splice(findPlace(lane.open, ranked), 1)
  else lane.refused.set(reason, (lane.refused.get(reason) ?? 0) - 1)
}

/** The place of an order in a lane, whether the order is in the lane or not. */
function findPlace<Order extends OrderToChoose>(
  open: readonly Ranked<Order>[],
  ranked: Ranked<Order>,
): number {
  let [from, to] = [0, open.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const other = open[middle]
    if (other !== undefined && compareRanked(other, ranked) < 0) from = middle + 1
    else to = middle
  }
  return from
}
