import { expect, it } from 'vitest'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { createSlotPool } from '#worker/dispatch/slot-pool.ts'
import { createWaitingClients, type Allotment } from '#worker/dispatch/waiting-clients.ts'
import { createForecast } from '#worker/dispatch/predict-deliveries.ts'
import { holdReservation } from '#worker/dispatch/reserve-slots.ts'

function waitingWith(slots: number) {
  const slotPool = createSlotPool({ slots, limit: slots, now: () => 0 })
  for (const endpoint of ['a', 'b']) slotPool.recall(endpoint, 'proved')
  return createWaitingClients(slotPool)
}
const counts = (allotments: readonly Allotment[]) =>
  allotments.map(({ slots, withinShare }) => [slots.length, withinShare])

it('reserves a slot for each expected delivery of a client within its share', () => {
  const waiting = waitingWith(100)
  expect(counts(waiting.reserve([{ client: 'one', endpoint: 'a', count: 3 }], 50))).toEqual([[3, 3]])
  // Ten in flight are the limit of the share: seven more are within it.
  expect(counts(waiting.reserve([{ client: 'one', endpoint: 'a', count: 20 }], 50))).toEqual([[7, 7]])
  expect(waiting.reserve([{ client: 'one', endpoint: 'b', count: 1 }], 50)).toEqual([])
  expect(counts(waiting.reserve([{ client: 'two', endpoint: 'b', count: 9 }], 4))).toEqual([[4, 4]])
})

it('reserves nothing while a client waits', () => {
  const waiting = waitingWith(100)
  waiting.notify('other', 'b', 1)
  expect(waiting.reserve([{ client: 'one', endpoint: 'a', count: 1 }], 50)).toEqual([])
})

it('frees a reservation for which nothing was claimed', () => {
  const waiting = waitingWith(100)
  const allotments = waiting.reserve([{ client: 'one', endpoint: 'a', count: 5 }], 50)
  for (const slot of allotments.flatMap(({ slots }) => slots)) slot.leave()
  expect(counts(waiting.reserve([{ client: 'one', endpoint: 'a', count: 5 }], 50))).toEqual([[5, 5]])
})

const delivery = { delivery_id: 'one', webhook_config_id: 'a' } as ClaimedDelivery

function hold(find: () => Promise<ClaimedDelivery[]>, now = () => 0) {
  const started: string[][] = []
  const allotments = waitingWith(10).reserve([{ client: 'one', endpoint: 'a', count: 2 }], 50)
  const reservation = holdReservation(allotments, {
    find,
    start: (_grant, deliveries) => started.push(deliveries.map((one) => one.delivery_id)),
    now,
  })
  return { reservation, started }
}

it('begins once, even if the claim is reported again', async () => {
  const { reservation, started } = hold(() => Promise.resolve([delivery]))
  reservation.begin([delivery])
  reservation.begin([delivery])
  await reservation.recover(['event'])
  expect(started).toEqual([['one']])
})

it('finds leased deliveries after a lost answer, as soon as PostgreSQL responds', async () => {
  let tries = 0
  const { reservation, started } = hold(() => {
    tries += 1
    return tries < 2 ? Promise.reject(new Error('away')) : Promise.resolve([delivery])
  })
  await reservation.recover(['event'])
  expect([tries, started]).toEqual([2, [['one']]])
})

it('asks again while the statement with the lost answer may still be running', async () => {
  let tries = 0
  const { reservation, started } = hold(() => {
    tries += 1
    return Promise.resolve(tries < 3 ? [] : [delivery])
  })
  await reservation.recover(['event'])
  expect([tries, started]).toEqual([3, [['one']]])
})

it('frees its slots when nothing was leased', async () => {
  let at = 0
  const { reservation, started } = hold(
    () => Promise.resolve([]),
    () => (at += 500),
  )
  await reservation.recover(['event'])
  expect(started).toEqual([[]])
})

it('frees its slots when PostgreSQL is away for longer than a lease lasts', async () => {
  let at = 0
  const { reservation, started } = hold(
    () => Promise.reject(new Error('away')),
    () => (at += 3000),
  )
  await reservation.recover(['event'])
  expect(started).toEqual([[]])
})

it('predicts the endpoints of an event from the client’s last event of the same type', () => {
  const forecast = createForecast(() => 0)
  const event = (id: string, type: string, turn = 0) => ({
    event_id: id,
    turn,
    trace: undefined,
    heard: { client: 'one', type },
  })
  const [created, assigned] = [event('1', 'lead.created'), event('2', 'lead.assigned')]
  expect(forecast.predict([created, assigned])).toEqual([])
  const to = (id: string) => ({ event_id: id, webhook_config_id: 'a', client_user_id: 'one' })
  forecast.note([created, assigned], [to('2')], [])
  expect(forecast.predict([created])).toEqual([])
  expect(forecast.predict([assigned, created, assigned])).toEqual([
    { client: 'one', endpoint: 'a', count: 2 },
  ])
  // A burst is not claimed as it is planned, and a repeated event that creates nothing sends no wake-up.
  expect(forecast.predict([event('3', 'lead.assigned', 2)])).toEqual([])
  forecast.note([assigned], [], [])
  expect(forecast.predict([assigned])).toHaveLength(1)
  forecast.note([assigned], [to('2')], ['2'])
  expect([forecast.isPlain(assigned), forecast.isPlain(created)]).toEqual([false, true])
  expect(forecast.predict([assigned])).toEqual([])
})
