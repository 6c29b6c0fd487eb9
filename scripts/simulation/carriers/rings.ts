import { DISPATCH } from '#core/fairness/limits.ts'
import type { SpeedClass } from '#core/fairness/judge-room.ts'
import { createSlotShare, type SlotShare, type Slot } from '#worker/dispatch/slot-share.ts'
import { createWaitingClients, type WaitingClients } from '#worker/dispatch/waiting-clients.ts'
import { COSTS, LEASE_MS, createSender, type Carrier, type Stage } from '../carrier.ts'
import type { Delivery } from '../store.ts'

interface Worker {
  isAlive: boolean
  share: SlotShare
  waiting: WaitingClients
  isClaiming: boolean
  begunAt: number
  /** when the next round begins */
  nextAt: number
  send: ReturnType<typeof createSender>
}

/**
 * Deliveries wait as rows. A job is a ring: something is due at these endpoints. It is taken at once and ends at once. What a
 * worker has room for it claims by endpoint, in rounds, as the share of slots says; a look at what is due finds what no ring told.
 */
export function createRings(stage: Stage, workerCount: number): Carrier {
  const { world, machine, store } = stage
  /** what all processes find in Redis: how endpoints have answered */
  const standings = new Map<string, SpeedClass>()
  let nextWorker = 0
  const workers = Array.from({ length: workerCount }, () => open())

  function open(): Worker {
    const share = createSlotShare({
      slots: stage.slots,
      limit: stage.endpointLimit,
      now: world.now,
      onLearned: (endpoint, standing) => standings.set(endpoint, standing),
    })
    const worker: Worker = {
      isAlive: true,
      share,
      waiting: createWaitingClients(share),
      isClaiming: false,
      begunAt: -Infinity,
      nextAt: Infinity,
      send: () => undefined,
    }
    worker.send = createSender(stage, () => worker.isAlive)
    const look = (): void => {
      if (!worker.isAlive) return
      machine.bill('look', COSTS.claimStatement, () => {
        for (const { client, endpoint } of store.findDue()) hear(worker, client, endpoint, 1)
        world.at(DISPATCH.lookEveryMs, look)
      })
    }
    world.at(world.random() * DISPATCH.lookEveryMs, look)
    return worker
  }

  function ring(deliveries: readonly Delivery[]): void {
    const rings = Map.groupBy(deliveries, ({ endpoint }) => endpoint)
    machine.bill('redis', COSTS.job, () => {
      for (let tries = 0; tries < workers.length; tries += 1) {
        nextWorker = (nextWorker + 1) % workers.length
        const worker = workers[nextWorker]
        if (worker?.isAlive !== true) continue
        for (const [endpoint, due] of rings) hear(worker, due[0]?.client ?? '', endpoint, due.length)
        return
      }
    })
  }

  function hear(worker: Worker, client: string, endpoint: string, count: number): void {
    if (!worker.isAlive) return
    const standing = standings.get(endpoint)
    if (standing !== undefined) worker.share.recall(endpoint, standing)
    worker.waiting.notify(client, endpoint, count)
    plan(worker, 0)
  }

  function plan(worker: Worker, afterMs: number): void {
    if (worker.isClaiming || !worker.isAlive || worker.waiting.isEmpty()) return
    const at = Math.max(world.now() + afterMs, worker.begunAt + DISPATCH.paceMs)
    if (at >= worker.nextAt) return
    worker.nextAt = at
    world.at(at - world.now(), () => {
      // Another round may have been brought forward.
      if (worker.nextAt === at) claim(worker)
    })
  }

  function claim(worker: Worker): void {
    worker.nextAt = Infinity
    if (!worker.isAlive) return
    const grants = worker.waiting.allot(DISPATCH.most)
    if (grants.length === 0) {
      plan(worker, DISPATCH.againMs)
      return
    }
    worker.isClaiming = true
    worker.begunAt = world.now()
    const taken = grants.map(({ endpoint, slots }) => store.claimOldest(endpoint, slots.length, LEASE_MS))
    const rows = taken.reduce((sum, { length }) => sum + length, 0)
    machine.bill('claim', COSTS.claimStatement + (rows + grants.length) * COSTS.claimRow, () => {
      worker.isClaiming = false
      if (!worker.isAlive) return
      for (const [index, grant] of grants.entries()) {
        const mine = taken[index] ?? []
        worker.waiting.settle(grant, mine.length)
        for (const [place, stay] of grant.slots.entries()) {
          const delivery = mine[place]
          if (delivery === undefined) stay.leave()
          else send(worker, stay, delivery)
        }
      }
      plan(worker, 0)
    })
  }

  function send(worker: Worker, stay: Slot, delivery: Delivery): void {
    let endExchange: ReturnType<Slot['begin']> | undefined
    worker.send(delivery, {
      begin: () => {
        endExchange = stay.begin()
      },
      end: (answered) => endExchange?.(answered ? 'none' : 'strained'),
      recorded: () => {
        stay.leave()
        plan(worker, 0)
      },
    })
  }

  store.onDue((delivery) => {
    ring([delivery])
  })
  return {
    plan: ring,
    kill: (index, downMs) => {
      const worker = workers[index]
      if (worker !== undefined) worker.isAlive = false
      world.at(downMs, () => {
        workers[index] = open()
      })
    },
  }
}
