import { expect, it } from 'vitest'
import { createSlotShare } from '#worker/dispatch/slot-share.ts'
import { createWaitingClients, type Grant } from '#worker/dispatch/waiting-clients.ts'

function waitingWith(slots: number, known: readonly string[] = []) {
  const share = createSlotShare({ slots, limit: slots, now: () => 0 })
  for (const endpoint of known) share.recall(endpoint, 'proved')
  return createWaitingClients(share)
}

const told = (grants: readonly Grant[]) =>
  grants.map(({ client, endpoint, stays }) => `${client} ${endpoint} ${stays.length}`).toSorted()
const leaveAll = (grants: readonly Grant[]) => {
  for (const stay of grants.flatMap(({ stays }) => stays)) stay.leave()
}

it('looks for as many slots as deliveries rang, and for twice as many once all of them were needed', () => {
  const waiting = waitingWith(100, ['a'])
  waiting.hear('client', 'a', 3)
  const [first] = waiting.grant(50)
  expect(first?.stays).toHaveLength(3)
  if (first !== undefined) waiting.settle(first, 3)
  expect(waiting.grant(50)[0]?.stays).toHaveLength(6)
})

it('forgets an endpoint at which less was found than there was room for', () => {
  const waiting = waitingWith(100, ['a'])
  waiting.hear('client', 'a', 3)
  const grants = waiting.grant(50)
  for (const grant of grants) waiting.settle(grant, 2)
  leaveAll(grants)
  expect(waiting.isEmpty()).toBe(true)
  expect(waiting.grant(50)).toEqual([])
})

it('does not forget what rang while it was asked for', () => {
  const waiting = waitingWith(100, ['a'])
  waiting.hear('client', 'a', 3)
  const grants = waiting.grant(50)
  waiting.hear('client', 'a', 1)
  for (const grant of grants) waiting.settle(grant, 0)
  leaveAll(grants)
  expect(waiting.isEmpty()).toBe(false)
  expect(waiting.grant(50)).toHaveLength(1)
})

it('gives to those first who have least in flight, in turns', () => {
  const waiting = waitingWith(100, ['a', 'b'])
  waiting.hear('early', 'a', 30)
  expect(told(waiting.grant(4))).toEqual(['early a 4'])
  waiting.hear('late', 'b', 30)
  expect(told(waiting.grant(6))).toEqual(['early a 1', 'late b 5'])
})

it('gives more clients than there are slots one after the other, however much each of them has', () => {
  const clients = Array.from({ length: 30 }, (_, index) => `client-${index}`)
  const waiting = waitingWith(10, clients)
  for (const client of clients) waiting.hear(client, client, 50)
  const served = new Map<string, number>()
  for (let round = 0; round < 30; round += 1) {
    const grants = waiting.grant(50)
    for (const grant of grants) {
      waiting.settle(grant, grant.stays.length)
      served.set(grant.client, (served.get(grant.client) ?? 0) + grant.stays.length)
    }
    leaveAll(grants)
  }
  expect(clients.map((client) => served.get(client))).toEqual(clients.map(() => 10))
})

it('gives those who have much in flight no more than may give way, and the others all the same', () => {
  const waiting = waitingWith(100, ['a', 'b'])
  waiting.hear('much', 'a', 50)
  expect(told(waiting.grant(50, 5))).toEqual(['much a 15'])
  waiting.hear('little', 'b', 3)
  const grants = waiting.grant(50, 0)
  expect(told(grants)).toEqual(['little b 3'])
  expect(grants[0]?.modest).toBe(3)
  for (const grant of grants) waiting.settle(grant, 0)
  expect(waiting.grant(50, 0)).toEqual([])
  expect(told(waiting.grant(50, 4))).toEqual(['much a 4'])
})

it('asks the endpoints of one client in turns, so that a hundred that have no room hide none that has', () => {
  const waiting = waitingWith(100, ['healthy'])
  for (let index = 0; index < 100; index += 1) waiting.hear('client', `silent-${index}`, 5)
  waiting.hear('client', 'healthy', 1)
  let found: string[] = []
  for (let round = 0; round < 20 && !found.includes('client healthy 1'); round += 1)
    found = told(waiting.grant(25))
  expect(found).toContain('client healthy 1')
})

it('gives no more than is asked for, and counts who still waits', () => {
  const waiting = waitingWith(10, ['a', 'b'])
  expect(waiting.grant(0)).toEqual([])
  waiting.hear('one', 'a', 50)
  waiting.hear('two', 'b', 1)
  expect(waiting.grant(-3)).toEqual([])
  expect(waiting.count()).toEqual({ clients: 2, endpoints: 2 })
})

it('opens one place for one leaving, even when it leaves twice', () => {
  const waiting = waitingWith(10, ['a'])
  waiting.hear('client', 'a', 50)
  const grants = waiting.grant(50)
  const before = grants.flatMap(({ stays }) => stays).length
  const [stay] = grants[0]?.stays ?? []
  stay?.leave()
  stay?.leave()
  expect(waiting.grant(50).flatMap(({ stays }) => stays)).toHaveLength(1)
  expect(before).toBeGreaterThan(1)
})

it('takes fewer in flight for much where other workers send beside this one', () => {
  const waiting = waitingWith(100, ['a'])
  waiting.among(3)
  waiting.hear('much', 'a', 50)
  expect(told(waiting.grant(50, 0))).toEqual(['much a 5'])
})

it('asks no more once all was taken that whoever planned it has told of', () => {
  const waiting = waitingWith(100, ['a'])
  const grantOne = () => waiting.grant(50).map((grant) => ({ grant, slots: grant.stays.length }))
  waiting.hear('client', 'a', 2, ['first', 'second'])
  for (const { grant, slots } of grantOne()) waiting.settle(grant, slots, ['first', 'second'])
  expect(waiting.count().endpoints).toBe(0)

  // Another that nobody told of was taken in its place: it is still to be looked for.
  waiting.hear('client', 'a', 1, ['third'])
  for (const { grant, slots } of grantOne()) waiting.settle(grant, slots, ['untold'])
  expect(waiting.count().endpoints).toBe(1)
  // So is what comes while the line is asked.
  const asked = grantOne()
  waiting.hear('client', 'a', 1, ['fourth'])
  for (const { grant, slots } of asked) waiting.settle(grant, slots, ['third', 'another'])
  expect(waiting.count().endpoints).toBe(1)
  for (const { grant, slots } of grantOne()) waiting.settle(grant, slots, ['fourth'])
  expect(waiting.count().endpoints).toBe(0)

  // Whoever rings without knowing all may mean more than those.
  waiting.hear('client', 'a', 1, ['fifth'])
  waiting.hear('client', 'a', 1)
  for (const { grant, slots } of grantOne()) waiting.settle(grant, slots, ['fifth', 'sixth'])
  expect(waiting.count().endpoints).toBe(1)
})
