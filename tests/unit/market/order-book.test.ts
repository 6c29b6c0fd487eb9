import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseOrder, chooseRanked, type Choice } from '#core/domain/market/choice/choose-order.ts'
import type { LeadToJudge } from '#core/domain/market/orders/judge-order.ts'
import { createOrderBook, type BookedOrder, type OrderBook } from '#core/domain/market/choice/order-book.ts'
import { CLIENTS, leads, manyOrders, orders, shortMoments } from './orders.ts'

/** Changes that may happen between two leads; a number names an order. */
const steps = fc.oneof(
  { weight: 6, arbitrary: fc.record({ lead: leads }) },
  { weight: 2, arbitrary: fc.record({ change: fc.nat({ max: 5 }), to: orders }) },
  { weight: 1, arbitrary: fc.record({ pay: fc.constantFrom(...CLIENTS), balance: fc.nat({ max: 9000 }) }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ at: shortMoments }) },
)

const tell = ({ chosen, ...rest }: Choice<BookedOrder>) => ({ id: chosen?.order.id, ...rest })

/** Chooses the order by everything in the book, ranked anew. */
function chooseAnew(book: OrderBook<BookedOrder>, lead: LeadToJudge, at: Date) {
  return tell(chooseOrder(lead, book.ofType('auto'), at))
}

test(
  'an order book chooses the same order as a newly ranked one, after any changes and undone sales',
  { timeout: 180_000 },
  () => {
    const happening = fc.array(steps, { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(manyOrders(6), happening, shortMoments, leads, (all, doing, first, last) => {
        const accounts = new Map(all.map((order) => [order.client_user_id, order.account]))
        const share = (order: BookedOrder): BookedOrder => {
          const account = accounts.get(order.client_user_id) ?? order.account
          accounts.set(order.client_user_id, account)
          return { ...order, account }
        }
        const book = createOrderBook<BookedOrder>()
        for (const order of all) book.put(share(order))
        let at = first
        let before = { ...chooseAnew(book, last, at), at }
        for (const step of doing) {
          if ('lead' in step) {
            const choice = chooseRanked(step.lead, book.rank('auto', at))
            expect(tell(choice)).toEqual(chooseAnew(book, step.lead, at))
            if (choice.chosen !== undefined) book.sell(choice.chosen.order, choice.chosen.price, at)
            continue
          }
          // Nothing is sold between two reads.
          book.takeBack()
          expect({ ...chooseAnew(book, last, before.at), at: before.at }).toEqual(before)
          const [changed, removed] = [
            'change' in step ? all[step.change] : undefined,
            'remove' in step ? all[step.remove] : undefined,
          ]
          if ('at' in step) at = step.at
          if ('change' in step && changed !== undefined)
            book.put(share({ ...step.to, id: changed.id, number: changed.number }))
          if (removed !== undefined) book.remove(removed.id)
          const account = 'pay' in step ? accounts.get(step.pay) : undefined
          if ('pay' in step && account !== undefined) {
            account.balance = step.balance
            book.review(step.pay)
          }
          before = { ...chooseAnew(book, last, at), at }
        }
      }),
      { numRuns: 3000 },
    )
  },
)

test('an order that is added in the minute of its start gets leads from its start', () => {
  const [order] = fc.sample(orders, { numRuns: 1, seed: 1 })
  if (order === undefined) throw new Error('There is no order')
  const account = { is_active: true, licensed_states: [], balance: 10_000 }
  const free = {
    ...order,
    account,
    prices: { price: 0, floor: 0, exceptions: new Map() },
    price: null,
    states: [],
  }
  const always = { schedule: null, ends_at: null, paused_by: null, starts_at: null }
  const book = createOrderBook<BookedOrder>()
  book.put({ ...free, ...always, age_min: null, age_max: null, excluded_sources: [] })
  const choose = (time: string) =>
    chooseRanked(
      {
        state: 'CA',
        zip: null,
        age: null,
        source_id: null,
        waited_ms: 0,
        sold_to: new Set(),
        kept_from: new Set(),
      },
      book.rank('auto', new Date(time)),
    ).chosen?.order.id
  expect(choose('2026-03-22T06:59:00Z')).toBe(order.id)

  const later = new Date('2026-03-22T06:59:01Z')
  book.put({ ...free, ...always, starts_at: later, age_min: null, age_max: null, excluded_sources: [] })
  expect(choose('2026-03-22T06:59:00.999Z')).toBeUndefined()
  expect(choose('2026-03-22T06:59:01Z')).toBe(order.id)
})
