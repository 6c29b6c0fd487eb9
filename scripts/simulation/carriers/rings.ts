import { createSlotShare, type SlotShare, type Standing, type Stay } from '#core/fairness/slot-share.ts'
import { COSTS, LEASE_MS, createSender, type Carrier, type Stage } from '../carrier.ts'
import type { Delivery } from '../store.ts'

const POLL_MS = 1000
/** Deliveries claimed together: while others are about, few enough that who comes next waits for little. */
const ROUND = 25

/** At so many endpoints of one client a round looks for room. */
const LOOKS = 50

interface Client {
  id: string
  inFlight: number
  /** endpoints with something due, who was asked longest ago first */
  ringing: Set<string>
}

/** Slots that were found for one endpoint's due deliveries. */
interface Grant {
  client: Client
  endpoint: string
  stays: Stay[]
}

interface Worker {
  isAlive: boolean
  share: SlotShare
  clients: Map<string, Client>
  isClaiming: boolean
  send: ReturnType<typeof createSender>
}

/**
 * Deliveries wait as rows. A job is a ring: something of this endpoint is due. It is taken at once and ends at once, and rings
 * of one endpoint that still wait are one. What a worker has room for it claims by endpoint, in rounds, as the share of
 * slots says; a poll finds what no ring told.
 */
export function createRings(stage: Stage, workerCount: number): Carrier {
  const { world, machine, store } = stage
  /** what all processes find in Redis: how endpoints have answered */
  const standings = new Map<string, Standing>()
  const waiting = new Map<string, { client: string; endpoint: string }>()
  let nextWorker = 0

  const workers = Array.from({ length: workerCount }, () => open())

  function open(): Worker {
    const worker: Worker = {
      isAlive: true,
      share: createSlotShare({
        slotsOf: () => stage.slots,
        limit: stage.endpointLimit,
        now: world.now,
        random: world.random,
        onLearned: (endpoint, standing) => standings.set(endpoint, standing),
      }),
      clients: new Map(),
      isClaiming: false,
      send: () => undefined,
    }
    worker.send = createSender(stage, () => worker.isAlive)
    const poll = (): void => {
      if (!worker.isAlive) return
      machine.bill('poll', COSTS.claimStatement, () => {
        for (const { client, endpoint } of store.findDue()) hear(worker, client, endpoint)
        world.at(POLL_MS, poll)
      })
    }
    world.at(world.random() * POLL_MS, poll)
    return worker
  }

  function ring({ client, endpoint }: Delivery): void {
    if (waiting.has(endpoint)) return
    waiting.set(endpoint, { client, endpoint })
    machine.bill('redis', COSTS.job, () => {
      waiting.delete(endpoint)
      for (let tries = 0; tries < workers.length; tries += 1) {
        nextWorker = (nextWorker + 1) % workers.length
        const worker = workers[nextWorker]
        if (worker?.isAlive !== true) continue
        hear(worker, client, endpoint)
        return
      }
    })
  }

  function hear(worker: Worker, client: string, endpoint: string): void {
    if (!worker.isAlive) return
    const standing = standings.get(endpoint)
    if (standing !== undefined) worker.share.recall(endpoint, standing)
    const known = worker.clients.get(client) ?? { id: client, inFlight: 0, ringing: new Set() }
    worker.clients.set(client, known)
    known.ringing.add(endpoint)
    claim(worker)
  }

  /** Whoever has least in flight comes first, and of his endpoints the one that was asked longest ago. */
  function grant(worker: Worker): Grant[] {
    const grants = new Map<string, Grant>()
    const wanting = new Set([...worker.clients.values()].filter(({ ringing }) => ringing.size > 0))
    for (let left = ROUND; left > 0 && wanting.size > 0; left -= 1) {
      const [client] = [...wanting].toSorted((one, other) => one.inFlight - other.inFlight)
      if (client === undefined) break
      const found = findRoom(worker, client)
      if (found === undefined) {
        wanting.delete(client)
        continue
      }
      client.inFlight += 1
      const mine = grants.get(found.endpoint) ?? { client, endpoint: found.endpoint, stays: [] }
      mine.stays.push(found.stay)
      grants.set(found.endpoint, mine)
    }
    return [...grants.values()]
  }

  function findRoom(worker: Worker, client: Client): { endpoint: string; stay: Stay } | undefined {
    for (const endpoint of [...client.ringing].slice(0, LOOKS)) {
      client.ringing.delete(endpoint)
      client.ringing.add(endpoint)
      const entry = worker.share.enter(endpoint, { client: client.id, queue: 'all', isReturning: true })
      if (!('waitMs' in entry)) return { endpoint, stay: entry }
    }
    return undefined
  }

  function claim(worker: Worker): void {
    if (worker.isClaiming || !worker.isAlive) return
    const grants = grant(worker)
    if (grants.length === 0) return
    worker.isClaiming = true
    const taken = grants.map(({ endpoint, stays }) => store.claimOldest(endpoint, stays.length, LEASE_MS))
    const rows = taken.reduce((sum, { length }) => sum + length, 0)
    machine.bill('claim', COSTS.claimStatement + (rows + grants.length) * COSTS.claimRow, () => {
      worker.isClaiming = false
      if (!worker.isAlive) return
      for (const [index, { client, endpoint, stays }] of grants.entries()) {
        const mine = taken[index] ?? []
        // Fewer than there is room for: nothing of this endpoint is left.
        if (mine.length < stays.length) client.ringing.delete(endpoint)
        for (const [place, stay] of stays.entries()) {
          const delivery = mine[place]
          if (delivery === undefined) leave(client, stay)
          else send(worker, client, stay, delivery)
        }
      }
      claim(worker)
    })
  }

  function leave(client: Client, stay: Stay): void {
    client.inFlight -= 1
    stay.leave()
  }

  function send(worker: Worker, client: Client, stay: Stay, delivery: Delivery): void {
    let endExchange: ReturnType<Stay['begin']> | undefined
    worker.send(delivery, {
      begin: () => {
        endExchange = stay.begin()
      },
      end: (answered) => {
        endExchange?.(answered ? 'none' : 'strained')
        leave(client, stay)
        claim(worker)
      },
      recorded: () => undefined,
    })
  }

  store.onDue(ring)
  return {
    plan: (deliveries) => {
      for (const delivery of deliveries) ring(delivery)
    },
    kill: (index, downMs) => {
      const worker = workers[index]
      if (worker !== undefined) worker.isAlive = false
      world.at(downMs, () => {
        workers[index] = open()
      })
    },
  }
}
