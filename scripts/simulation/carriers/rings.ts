import { createSlotShare, type Grant, type SlotShare, type Standing } from '#core/fairness/share-slots.ts'
import { COSTS, LEASE_MS, createSender, type Carrier, type Stage } from '../carrier.ts'
import type { Delivery } from '../store.ts'

const POLL_MS = 1000
/** Deliveries claimed together: while others are about, few enough that who comes next waits for little. */
const ROUND = 25

interface Worker {
  isAlive: boolean
  share: SlotShare
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
      share: createSlotShare({ slots: stage.slots, endpointLimit: stage.endpointLimit, now: world.now }),
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
    if (standing !== undefined) worker.share.learn(endpoint, standing)
    worker.share.ring(client, endpoint)
    claim(worker)
  }

  function claim(worker: Worker): void {
    if (worker.isClaiming || !worker.isAlive) return
    const grants = worker.share.grant(ROUND)
    if (grants.length === 0) return
    worker.isClaiming = true
    const taken = grants.map((grant) => store.claimOldest(grant.endpoint, grant.most, LEASE_MS))
    const rows = taken.reduce((sum, { length }) => sum + length, 0)
    machine.bill('claim', COSTS.claimStatement + (rows + grants.length) * COSTS.claimRow, () => {
      worker.isClaiming = false
      if (!worker.isAlive) return
      for (const [index, grant] of grants.entries()) {
        const mine = taken[index] ?? []
        worker.share.settle(grant, mine.length)
        for (const delivery of mine) send(worker, grant, delivery)
      }
      claim(worker)
    })
  }

  function send(worker: Worker, grant: Grant, delivery: Delivery): void {
    let stay: ReturnType<SlotShare['begin']> | undefined
    worker.send(delivery, {
      begin: () => {
        stay = worker.share.begin(grant)
      },
      end: (answered) => {
        stay?.end({ answered })
        standings.set(grant.endpoint, worker.share.standingOf(grant.endpoint))
        claim(worker)
      },
      recorded: () => undefined,
    })
  }

  store.onDue(ring)
  return {
    plan: (deliveries) => {
      deliveries.forEach(ring)
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
