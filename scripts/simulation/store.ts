import type { World } from './world.ts'

/** How an endpoint answers a request that begins now. */
export type Behaviour = (world: World) => { tookMs: number; result: 'accepted' | 'refused' | 'silent' }

export interface Delivery {
  client: string
  endpoint: string
  /** when its lead came in */
  since: number
  dueAt: number
  attempt: number
  state: 'pending' | 'held' | 'delivered' | 'failed'
  leaseUntil: number
}

/** The rows that PostgreSQL holds: the truth whatever carries the work, with the breaker of every endpoint. */
export interface Store {
  deliveries: Delivery[]
  add: (client: string, endpoint: string) => Delivery
  /** Takes one delivery's lease, as a claim by id does. */
  claim: (delivery: Delivery, leaseMs: number) => 'claimed' | 'held' | 'settled' | 'busy'
  /** Takes the leases of the oldest due deliveries of one endpoint, as a claim by endpoint does. */
  claimOldest: (endpoint: string, most: number, leaseMs: number) => Delivery[]
  giveBack: (delivery: Delivery) => void
  record: (delivery: Delivery, result: 'accepted' | 'refused' | 'silent') => void
  /** Those that are due and that nobody has, of each endpoint the oldest: what a poll finds. */
  findDue: () => Delivery[]
  onDue: (listener: (delivery: Delivery) => void) => void
}

const RETRY_MS = [5000, 30_000]
const OPENS_AFTER = 10
const LONGEST_WAIT_MS = 60_000

interface Breaker {
  silent: number
  isOpen: boolean
  waitMs: number
  held: Delivery[]
  isProbePlanned: boolean
  probe: Delivery | undefined
}

const closed = (): Breaker => ({
  silent: 0,
  isOpen: false,
  waitMs: 1000,
  held: [],
  isProbePlanned: false,
  probe: undefined,
})

export function createStore(world: World): Store {
  const deliveries: Delivery[] = []
  const due = new Map<string, Delivery[]>()
  const breakers = new Map<string, Breaker>()
  const listeners: Array<(delivery: Delivery) => void> = []

  const breakerOf = (endpoint: string): Breaker => {
    const breaker = breakers.get(endpoint) ?? closed()
    breakers.set(endpoint, breaker)
    return breaker
  }
  const line = (delivery: Delivery): void => {
    const waiting = due.get(delivery.endpoint) ?? []
    waiting.push(delivery)
    due.set(delivery.endpoint, waiting)
  }
  const wake = (delivery: Delivery): void => {
    delivery.dueAt = world.now()
    line(delivery)
    for (const listener of listeners) listener(delivery)
  }
  const isFree = (delivery: Delivery): boolean =>
    delivery.state === 'pending' && delivery.dueAt <= world.now() && delivery.leaseUntil <= world.now()

  function planProbe(breaker: Breaker): void {
    if (breaker.isProbePlanned || breaker.held.length === 0) return
    breaker.isProbePlanned = true
    world.at(breaker.waitMs, () => {
      breaker.isProbePlanned = false
      breaker.probe = breaker.held.shift()
      if (breaker.probe === undefined) return
      breaker.probe.state = 'pending'
      wake(breaker.probe)
    })
    breaker.waitMs = Math.min(LONGEST_WAIT_MS, breaker.waitMs * 2)
  }

  function hold(delivery: Delivery): void {
    const breaker = breakerOf(delivery.endpoint)
    delivery.state = 'held'
    breaker.held.push(delivery)
    if (breaker.probe === undefined) planProbe(breaker)
  }

  const mayGo = (delivery: Delivery): boolean => {
    const breaker = breakerOf(delivery.endpoint)
    return !breaker.isOpen || breaker.probe === delivery
  }

  return {
    deliveries,
    add: (client, endpoint) => {
      const delivery: Delivery = {
        client,
        endpoint,
        since: world.now(),
        dueAt: world.now(),
        attempt: 1,
        state: 'pending',
        leaseUntil: 0,
      }
      deliveries.push(delivery)
      line(delivery)
      return delivery
    },
    claim: (delivery, leaseMs) => {
      if (delivery.state !== 'pending') return 'settled'
      if (!isFree(delivery)) return 'busy'
      if (!mayGo(delivery)) {
        hold(delivery)
        return 'held'
      }
      delivery.leaseUntil = world.now() + leaseMs
      return 'claimed'
    },
    claimOldest: (endpoint, most, leaseMs) => {
      const taken: Delivery[] = []
      const waiting = due.get(endpoint) ?? []
      const kept: Delivery[] = []
      for (let delivery = waiting.shift(); delivery !== undefined; delivery = waiting.shift()) {
        if (delivery.state !== 'pending') continue
        if (!isFree(delivery)) kept.push(delivery)
        else if (!mayGo(delivery)) hold(delivery)
        else {
          delivery.leaseUntil = world.now() + leaseMs
          kept.push(delivery)
          taken.push(delivery)
        }
        if (taken.length === most) break
      }
      due.set(endpoint, [...kept, ...waiting])
      return taken
    },
    giveBack: (delivery) => {
      delivery.leaseUntil = 0
    },
    record: (delivery, result) => {
      delivery.leaseUntil = 0
      const breaker = breakerOf(delivery.endpoint)
      if (result === 'silent') {
        breaker.silent += 1
        if (breaker.silent >= OPENS_AFTER) breaker.isOpen = true
        if (breaker.probe === delivery) breaker.probe = undefined
        if (breaker.isOpen) planProbe(breaker)
      } else {
        const released = breaker.held
        breakers.set(delivery.endpoint, closed())
        for (const one of released) {
          one.state = 'pending'
          wake(one)
        }
      }
      if (result === 'accepted') {
        delivery.state = 'delivered'
        return
      }
      const pause = RETRY_MS[delivery.attempt - 1]
      if (pause === undefined) {
        delivery.state = 'failed'
        return
      }
      delivery.attempt += 1
      delivery.dueAt = world.now() + pause
      world.at(pause, () => {
        if (delivery.state === 'pending') wake(delivery)
      })
    },
    findDue: () =>
      [...due.values()].flatMap((waiting) => {
        const oldest = waiting.find(isFree)
        return oldest === undefined ? [] : [oldest]
      }),
    onDue: (listener) => {
      listeners.push(listener)
    },
  }
}
