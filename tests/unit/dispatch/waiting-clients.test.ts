import { expect, it } from 'vitest'
import { createSlotPool } from '#worker/dispatch/slot-pool.ts'
import { createWaitingClients, type Allotment } from '#worker/dispatch/waiting-clients.ts'

function waitingWith(slots: number, known: readonly string[] = []) {
  const slotPool = createSlotPool({ slots, limit: slots, now: () => 0 })
  for (const endpoint of known) slotPool.recall(endpoint, 'proved')
  return createWaitingClients(slotPool)
}

const told = (allotments: readonly Allotment[]) =>
  allotments.map(({ client, endpoint, slots }) => `${client} ${endpoint} ${slots.length}`).toSorted()
const leaveAll = (allotments: readonly Allotment[]) => {
  for (const slot of allotments.flatMap(({ slots }) => slots)) slot.leave()
}

it('asks for as many slots as there were wake-ups, and for twice as many once all were used', () => {
  const waiting = waitingWith(100, ['a'])
  waiting.notify('client', 'a', 3)
  const [first] = waiting.allot(50)
  expect(first?.slots).toHaveLength(3)
  if (first !== undefined) waiting.settle(first, 3)
  expect(waiting.allot(50)[0]?.slots).toHaveLength(6)
})

it('forgets an endpoint when fewer deliveries were found than there were slots', () => {
  const waiting = waitingWith(100, ['a'])
  waiting.notify('client', 'a', 3)
  const allotments = waiting.allot(50)
  for (const grant of allotments) waiting.settle(grant, 2)
  leaveAll(allotments)
  expect(waiting.isEmpty()).toBe(true)
  expect(waiting.allot(50)).toEqual([])
})

it('remembers a wake-up that arrives during a claim', () => {
  const waiting = waitingWith(100, ['a'])
  waiting.notify('client', 'a', 3)
  const allotments = waiting.allot(50)
  waiting.notify('client', 'a', 1)
  for (const grant of allotments) waiting.settle(grant, 0)
  leaveAll(allotments)
  expect(waiting.isEmpty()).toBe(false)
  expect(waiting.allot(50)).toHaveLength(1)
})

it('serves clients in turns, those with the fewest deliveries in flight first', () => {
  const waiting = waitingWith(100, ['a', 'b'])
  waiting.notify('early', 'a', 30)
  expect(told(waiting.allot(4))).toEqual(['early a 4'])
  waiting.notify('late', 'b', 30)
  expect(told(waiting.allot(6))).toEqual(['early a 1', 'late b 5'])
})

it('serves more clients than there are slots in turns, however much each of them has', () => {
  const clients = Array.from({ length: 30 }, (_, index) => `client-${index}`)
  const waiting = waitingWith(10, clients)
  for (const client of clients) waiting.notify(client, client, 50)
  const served = new Map<string, number>()
  for (let round = 0; round < 30; round += 1) {
    const allotments = waiting.allot(50)
    for (const grant of allotments) {
      waiting.settle(grant, grant.slots.length)
      served.set(grant.client, (served.get(grant.client) ?? 0) + grant.slots.length)
    }
    leaveAll(allotments)
  }
  expect(clients.map((client) => served.get(client))).toEqual(clients.map(() => 10))
})

it('gives clients above their share only what low priority allows, and the others everything', () => {
  const waiting = waitingWith(100, ['a', 'b'])
  waiting.notify('much', 'a', 50)
  expect(told(waiting.allot(50, 5))).toEqual(['much a 15'])
  waiting.notify('little', 'b', 3)
  const allotments = waiting.allot(50, 0)
  expect(told(allotments)).toEqual(['little b 3'])
  expect(allotments[0]?.withinShare).toBe(3)
  for (const grant of allotments) waiting.settle(grant, 0)
  expect(waiting.allot(50, 0)).toEqual([])
  expect(told(waiting.allot(50, 4))).toEqual(['much a 4'])
})

it('asks a client’s endpoints in turns, so that a hundred without slots do not hide one with a slot', () => {
  const waiting = waitingWith(100, ['healthy'])
  for (let index = 0; index < 100; index += 1) waiting.notify('client', `silent-${index}`, 5)
  waiting.notify('client', 'healthy', 1)
  let found: string[] = []
  for (let round = 0; round < 20 && !found.includes('client healthy 1'); round += 1)
    found = told(waiting.allot(25))
  expect(found).toContain('client healthy 1')
})

it('grants no more than is asked for, and counts the waiting clients', () => {
  const waiting = waitingWith(10, ['a', 'b'])
  expect(waiting.allot(0)).toEqual([])
  waiting.notify('one', 'a', 50)
  waiting.notify('two', 'b', 1)
  expect(waiting.allot(-3)).toEqual([])
  expect(waiting.count()).toEqual({ clients: 2, endpoints: 2 })
})

it('frees a slot only once, even if `leave()` is called twice', () => {
  const waiting = waitingWith(10, ['a'])
  waiting.notify('client', 'a', 50)
  const allotments = waiting.allot(50)
  const before = allotments.flatMap(({ slots }) => slots).length
  const [slot] = allotments[0]?.slots ?? []
  slot?.leave()
  slot?.leave()
  expect(waiting.allot(50).flatMap(({ slots }) => slots)).toHaveLength(1)
  expect(before).toBeGreaterThan(1)
})

it('gives a client above its share fewer slots when other workers send too', () => {
  const waiting = waitingWith(100, ['a'])
  waiting.setWorkerCount(3)
  waiting.notify('much', 'a', 50)
  expect(told(waiting.allot(50, 0))).toEqual(['much a 5'])
})

it('claims no more once all announced deliveries are taken', () => {
  const waiting = waitingWith(100, ['a'])
  const grantOne = () => waiting.allot(50).map((grant) => ({ grant, slots: grant.slots.length }))
  waiting.notify('client', 'a', 2, ['first', 'second'])
  for (const { grant, slots } of grantOne()) waiting.settle(grant, slots, ['first', 'second'])
  expect(waiting.count().endpoints).toBe(0)

  // A delivery without a wake-up was taken in its place, so the announced one still has to be found.
  waiting.notify('client', 'a', 1, ['third'])
  for (const { grant, slots } of grantOne()) waiting.settle(grant, slots, ['untold'])
  expect(waiting.count().endpoints).toBe(1)
  // The same is true of a delivery that is announced during a claim.
  const asked = grantOne()
  waiting.notify('client', 'a', 1, ['fourth'])
  for (const { grant, slots } of asked) waiting.settle(grant, slots, ['third', 'another'])
  expect(waiting.count().endpoints).toBe(1)
  for (const { grant, slots } of grantOne()) waiting.settle(grant, slots, ['fourth'])
  expect(waiting.count().endpoints).toBe(0)

  // A wake-up without ids may announce further deliveries.
  waiting.notify('client', 'a', 1, ['fifth'])
  waiting.notify('client', 'a', 1)
  for (const { grant, slots } of grantOne()) waiting.settle(grant, slots, ['fifth', 'sixth'])
  expect(waiting.count().endpoints).toBe(1)
})
