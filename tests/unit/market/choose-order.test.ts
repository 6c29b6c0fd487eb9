import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chooseOrder } from '#core/domain/market/choice/choose-order.ts'
import { findPrice } from '#core/domain/market/find-price.ts'
import { judgeOrder, type LeadToJudge, type OrderToChoose } from '#core/domain/market/orders/judge-order.ts'
import { localMoment } from '#core/domain/market/local-moment.ts'
import { LETTERS, NO_LETTER, ORDERS_A_BLOCK } from '#core/domain/market/choice/refusal-letters.ts'
import { addToTally } from '#core/domain/market/tally.ts'
import { leads, manyOrders, orders, shortMoments } from './orders.ts'
import { PLAIN } from './plain-order.ts'
import { CASES, paintWeek, spell, weekMinute } from './wall-clock.ts'

/** A sale of an order, as an accountant records it. */
interface Sale {
  order: string
  at: Date
  price: number
}

const dateOf = (zone: string, at: Date): string => spell(zone, at).slice(0, 10)

function mondayOf(zone: string, at: Date): string {
  const day = new Date(`${dateOf(zone, at)}T12:00:00Z`)
  while (day.getUTCDay() !== 1) day.setUTCDate(day.getUTCDate() - 1)
  return day.toISOString().slice(0, 10)
}

/**
 * The price rule in words: the order's price, else the client's in the state, the client's, the state's, the
 * list's.
 */
function priceOf({ price, prices, client_user_id: client }: OrderToChoose, state: string | null): number {
  const said = [
    price,
    ...[`${client} ${state}`, `${client} `, ` ${state}`].map((key) => prices.exceptions.get(key)),
  ]
  return Math.max(said.find((one) => one !== null && one !== undefined) ?? prices.price, prices.floor)
}

/** Slow and obvious: decides from the book of all sales whether the order may have the lead. */
function mayHave(lead: LeadToJudge, order: OrderToChoose, at: Date, book: readonly Sale[]): boolean {
  const zone = order.timezone
  const own = book.filter((sale) => sale.order === order.id)
  const today = own.filter((sale) => dateOf(zone, sale.at) === dateOf(zone, at))
  const week = own.filter((sale) => mondayOf(zone, sale.at) === mondayOf(zone, at))
  const month = own.filter((sale) => dateOf(zone, sale.at).slice(0, 7) === dateOf(zone, at).slice(0, 7))
  const spent = (sales: readonly Sale[]): number => sales.reduce((sum, { price }) => sum + price, 0)
  const price = priceOf(order, lead.state)
  const names = (list: readonly string[]): boolean => list.length === 0 || list.includes(lead.state ?? '')
  const agesAll = order.age_min === null && order.age_max === null
  const rest = [
    order.account.is_active && order.paused_by === null,
    order.starts_at === null || order.starts_at.getTime() <= at.getTime(),
    order.ends_at === null || order.ends_at.getTime() > at.getTime(),
    names(order.states) && names(order.account.licensed_states),
    agesAll || lead.age !== null || order.accept_unknown_age,
    lead.age === null || (lead.age >= (order.age_min ?? 0) && lead.age <= (order.age_max ?? 999)),
    lead.source_id === null || !order.excluded_sources.includes(lead.source_id),
    today.length < (order.daily_cap ?? 999) && week.length < (order.weekly_cap ?? 999),
    month.length < (order.monthly_cap ?? 999) && own.length < (order.total_cap ?? 999),
    spent(today) + price <= (order.daily_budget ?? 1e9) &&
      spent(month) + price <= (order.monthly_budget ?? 1e9),
    order.account.balance >= price,
    order.area?.covers(lead.zip) !== false,
    order.max_lead_age_minutes === null || lead.waited_ms <= order.max_lead_age_minutes * 60_000,
    !lead.sold_to.has(order.client_user_id),
    !lead.kept_from.has(order.client_user_id),
  ].every(Boolean)
  return rest && (order.schedule === null || paintWeek(order.schedule).has(weekMinute(zone, at)))
}

/** Slow and obvious: one text as a sort key. */
function keyOf(order: OrderToChoose, at: Date, book: readonly Sale[]): string {
  const pad = (part: number): string => part.toFixed(0).padStart(20, '0')
  const day = dateOf(order.timezone, at)
  const today = book.filter((sale) => sale.order === order.id && dateOf(order.timezone, sale.at) === day)
  // Weights here are 1, 2 and 3, so sixths are whole numbers.
  const ahead = order.ahead_day !== '-infinity' && order.ahead_day >= day ? order.ahead_leads : 0
  const part = ((today.length + ahead) * 6) / order.weight
  const waits = order.last_assigned_at === null ? 0 : order.last_assigned_at.getTime()
  return `${[order.priority, part, waits, order.created_at.getTime()].map(pad).join(' ')} ${order.id}`
}

/** Slow and obvious: the first of all orders that may have the lead. */
function choose(
  lead: LeadToJudge,
  all: readonly OrderToChoose[],
  at: Date,
  book: readonly Sale[],
): string | undefined {
  const fit = all.filter((order) => mayHave(lead, order, at, book))
  const keyed = fit.map((order) => ({ key: keyOf(order, at, book), id: order.id }))
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1))[0]?.id
}

const REASONS = new Map(Object.entries(LETTERS).map(([reason, letter]) => [letter, reason]))

/** Returns the reason of each refused order. */
function readTold(told: Record<string, string>, all: readonly OrderToChoose[]): Record<string, string> {
  const read = all.flatMap(({ id, number }) => {
    const letter = told[Math.floor(number / ORDERS_A_BLOCK)]?.[number % ORDERS_A_BLOCK] ?? NO_LETTER
    return letter === NO_LETTER ? [] : [[id, REASONS.get(letter) ?? letter] as const]
  })
  return Object.fromEntries(read)
}

// Ten thousand cases take a while on a busy machine.
describe('the buyer of a lead', { timeout: 180_000 }, () => {
  test('is the one that a simple reference implementation chooses, over two weeks with changing clocks, and no cap is exceeded', () => {
    const sales = fc.array(fc.tuple(leads, shortMoments), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(manyOrders(5), sales, (all, arriving) => {
        const now = all.map((order) => ({ ...order, account: { ...order.account } }))
        const book: Sale[] = []
        for (const [lead, at] of arriving.toSorted(([, a], [, b]) => a.getTime() - b.getTime())) {
          const expected = choose(lead, now, at, book)
          const { chosen, refused, told } = chooseOrder(lead, now, at)
          expect(chosen?.order.id).toBe(expected)
          const why = readTold(told, now)
          const counted = Object.groupBy(now, ({ id }) => why[id] ?? (id === expected ? 'chosen' : 'state'))
          const { chosen: _one, ...others } = counted
          expect(refused).toEqual(
            Object.fromEntries(Object.entries(others).map(([reason, orders]) => [reason, orders?.length])),
          )
          for (const order of now.filter(({ id }) => id !== expected)) {
            const reason = judgeOrder(lead, order, at) ?? 'not_first'
            const isBehind = chosen && keyOf(order, at, book) > keyOf(chosen.order, at, book)
            const told = why[order.id] ?? 'state'
            if (!(isBehind && told === 'not_first' && reason !== 'state')) expect(told).toBe(reason)
          }
          if (chosen === undefined) continue
          const { order, price } = chosen
          expect(price).toBe(priceOf(order, lead.state))
          order.tally = addToTally(order.tally, price, localMoment(order.timezone, at))
          order.last_assigned_at = at
          order.account.balance -= price
          book.push({ order: order.id, at, price })
          expect(order.account.balance >= 0).toBe(true)
        }
      }),
      CASES,
    )
  })

  test('is chosen in proportion to the weights', () => {
    const [base] = fc.sample(orders, { numRuns: 1, seed: 1 })
    if (base === undefined) throw new Error('no order')
    const open = {
      age_min: null,
      age_max: null,
      daily_cap: null,
      weekly_cap: null,
      monthly_cap: null,
      total_cap: null,
    }
    const free = {
      daily_budget: null,
      monthly_budget: null,
      price: 1000,
      starts_at: null,
      ends_at: null,
      schedule: null,
    }
    const account = { is_active: true, licensed_states: [], balance: 1e9 }
    const all = [2, 3, 1].map((weight) => ({
      ...base,
      ...open,
      ...free,
      states: [],
      paused_by: null,
      excluded_sources: [],
      priority: 50,
      id: `w${weight}`,
      weight,
      account: { ...account },
      last_assigned_at: null,
      ahead_leads: 0,
    }))
    const lead = {
      state: 'CA',
      age: null,
      zip: null,
      source_id: null,
      waited_ms: 0,
      sold_to: new Set<string>(),
      kept_from: new Set<string>(),
    }
    const at = new Date('2026-11-23T12:00:00Z')
    for (let sold = 0; sold < 6000; sold += 1) {
      const { chosen } = chooseOrder(lead, all, at)
      if (chosen === undefined) throw new Error('nobody')
      chosen.order.tally = addToTally(
        chosen.order.tally,
        chosen.price,
        localMoment(chosen.order.timezone, at),
      )
    }
    expect(all.map(({ tally }) => tally.total_leads)).toEqual([2000, 3000, 1000])
  })

  test('is no order whose maximum age the lead has passed, by a millisecond', () => {
    const account = { is_active: true, licensed_states: [], balance: 100 }
    const order = { ...PLAIN, account, max_lead_age_minutes: 15 }
    const judge = (waited_ms: number, limit: number | null = 15) =>
      judgeOrder(
        {
          state: 'CA',
          zip: null,
          age: null,
          source_id: null,
          waited_ms,
          sold_to: new Set(),
          kept_from: new Set(),
        },
        { ...order, max_lead_age_minutes: limit },
        new Date('2026-11-23T12:00:00Z'),
      )
    expect([judge(0), judge(900_000), judge(900_001), judge(1e12, null)]).toEqual([
      undefined,
      undefined,
      'too_old',
      undefined,
    ])
  })

  test('is stored with a letter for each other order of the state: the reason why it was refused', () => {
    const [base] = fc.sample(orders, { numRuns: 1, seed: 1 })
    if (base === undefined) throw new Error('no order')
    const at = new Date('2026-11-23T12:00:00Z')
    const lead = {
      state: 'CA',
      age: 70,
      zip: null,
      source_id: 's1',
      waited_ms: 0,
      sold_to: new Set<string>(),
      kept_from: new Set<string>(),
    }
    const account = { is_active: true, licensed_states: [], balance: 0 }
    const plain = {
      ...base,
      account,
      states: [],
      schedule: null,
      paused_by: null,
      starts_at: null,
      ends_at: null,
    }
    const rich = { ...account, balance: 1e9 }
    const free = { daily_budget: null, monthly_budget: null, excluded_sources: [], age_max: null }
    const others: OrderToChoose[] = [
      { ...plain, id: '1', number: 1, states: ['NY'] },
      { ...plain, id: '2', number: 2, paused_by: 'client' },
      { ...plain, ...free, id: '3', number: 300, account: { ...rich, licensed_states: ['NY'] } },
      { ...plain, id: '4', number: 4, schedule: {} },
      { ...plain, ...free, id: '5', number: 5, account: rich, age_min: 80, priority: 1 },
      { ...plain, ...free, id: '6', number: 6, account: rich, age_min: 60, priority: 2 },
      { ...plain, ...free, id: '7', number: 7, account: rich, age_min: 80, priority: 3, states: ['CA'] },
    ]
    const { chosen, refused, told } = chooseOrder(lead, others, at)
    expect(chosen?.order.id).toBe('6')
    expect(told).toEqual({ 0: '..p.hy.n', 2: `${'.'.repeat(300 - 256)}l` })
    expect(refused).toEqual({
      state: 1,
      order_paused: 1,
      not_licensed: 1,
      off_schedule: 1,
      age: 1,
      not_first: 1,
    })
  })

  test('never pays less than the floor', () => {
    const list = {
      price: 2500,
      floor: 1000,
      exceptions: new Map([
        ['ann CA', 1],
        ['ann ', 3000],
        [' CA', 2000],
      ]),
    }
    const cost = (client: string, state: string, price: number | null = null): number =>
      findPrice(list, { price, client_user_id: client }, state)
    expect([cost('ann', 'CA'), cost('ann', 'NY'), cost('bob', 'CA'), cost('bob', 'NY')]).toEqual([
      1000, 3000, 2000, 2500,
    ])
    expect([cost('ann', 'CA', 4000), cost('bob', 'NY', 999)]).toEqual([4000, 1000])
  })
})
