import type { SpeedClass } from '#core/fairness/judge-room.ts'
import { createSlotShare, type SlotShare, type Slot } from '#worker/dispatch/slot-share.ts'
import { createPriorities } from '#core/fairness/priorities.ts'
import {
  COSTS,
  LEASE_MS,
  STALL_MS,
  createGathering,
  createSender,
  pauseAfter,
  type Carrier,
  type Stage,
} from '../carrier.ts'
import type { Delivery } from '../store.ts'

type QueueName = 'first' | 'retry' | 'burst'

interface Job {
  delivery: Delivery
  turn: number
  /** how often it found no room */
  tries: number
}

interface Worker {
  isAlive: boolean
  inFlight: Record<QueueName, Set<Job>>
  enter: (job: Job, queue: QueueName) => void
}

/**
 * One job a delivery, on a queue of first attempts, one of retries and one of what exceeds a source's measure. Who may begin is
 * a matter of his client's share of the queue's slots; whoever finds no room is sent away until later.
 */
export function createJobs(stage: Stage, workerCount: number): Carrier {
  const { world, machine, store } = stage
  const waiting: Record<QueueName, Job[]> = { first: [], retry: [], burst: [] }
  /** what all processes find in Redis: how endpoints have answered */
  const standings = new Map<string, SpeedClass>()
  const turnOf = createPriorities(world.now)
  const slotsOf = (queue: QueueName): number =>
    queue === 'first' ? stage.slots : Math.min(stage.endpointLimit, stage.slots / 2)
  const workers = Array.from({ length: workerCount }, () => open())

  function open(): Worker {
    const shareOf = (queue: QueueName): SlotShare =>
      createSlotShare({
        slots: slotsOf(queue),
        limit: stage.endpointLimit,
        now: world.now,
        onLearned: (endpoint, standing) => standings.set(endpoint, standing),
      })
    const shares = { first: shareOf('first'), retry: shareOf('retry'), burst: shareOf('burst') }
    const isAlive = (): boolean => worker.isAlive
    const send = createSender(stage, isAlive)
    const claim = createGathering<{ job: Job; queue: QueueName; stay: Slot }>((items, done) => {
      machine.bill('claim', COSTS.claimStatement + items.length * COSTS.claimRow, () => {
        if (worker.isAlive) for (const item of items) begin(item)
        done()
      })
    }, 50)
    const finish = (job: Job, queue: QueueName, stay: Slot): void => {
      stay.leave()
      worker.inFlight[queue].delete(job)
      take()
    }
    const begin = ({ job, queue, stay }: { job: Job; queue: QueueName; stay: Slot }): void => {
      const answer = store.claim(job.delivery, LEASE_MS)
      if (answer === 'busy') add(job, 1000)
      if (answer !== 'claimed') {
        finish(job, queue, stay)
        return
      }
      let endExchange: ReturnType<Slot['begin']> | undefined
      send(job.delivery, {
        begin: () => {
          endExchange = stay.begin()
        },
        end: (answered) => endExchange?.(answered ? 'none' : 'strained'),
        recorded: () => {
          finish(job, queue, stay)
        },
      })
    }
    const worker: Worker = {
      isAlive: true,
      inFlight: { first: new Set(), retry: new Set(), burst: new Set() },
      enter: (job, queue) => {
        worker.inFlight[queue].add(job)
        machine.bill('redis', COSTS.job, () => {
          if (!worker.isAlive) return
          const { client, endpoint } = job.delivery
          const standing = standings.get(endpoint)
          if (standing !== undefined) shares[queue].recall(endpoint, standing)
          const stay = shares[queue].enter(endpoint, client)
          if (stay !== undefined) {
            claim({ job, queue, stay })
            return
          }
          machine.bill('bounce', COSTS.bounce, () => {
            if (!worker.isAlive) return
            worker.inFlight[queue].delete(job)
            add({ ...job, tries: job.tries + 1 }, pauseAfter(job.tries, world))
            take()
          })
        })
      },
    }
    return worker
  }

  function take(): void {
    for (const queue of ['first', 'retry', 'burst'] as const) {
      for (;;) {
        const free = workers.filter(
          (worker) => worker.isAlive && worker.inFlight[queue].size < slotsOf(queue),
        )
        const [worker] = free.toSorted((a, b) => a.inFlight[queue].size - b.inFlight[queue].size)
        const job = worker === undefined ? undefined : next(queue)
        if (worker === undefined || job === undefined) break
        worker.enter(job, queue)
      }
    }
  }

  function next(queue: QueueName): Job | undefined {
    if (queue !== 'burst') return waiting[queue].shift()
    const least = Math.min(...waiting.burst.map(({ turn }) => turn))
    const at = waiting.burst.findIndex(({ turn }) => turn === least)
    return at < 0 ? undefined : waiting.burst.splice(at, 1)[0]
  }

  function add(job: Job, delayMs: number): void {
    const queue = job.delivery.attempt > 1 ? 'retry' : job.turn > 0 ? 'burst' : 'first'
    world.at(delayMs, () => {
      waiting[queue].push(job)
      take()
    })
  }

  store.onDue((delivery) => {
    add({ delivery, turn: 0, tries: 0 }, 0)
  })
  return {
    plan: (deliveries) => {
      // The measure is the source's, by events; here each client is a source of its own.
      const turn = deliveries[0] === undefined ? 0 : turnOf(deliveries[0].client)
      for (const delivery of deliveries) add({ delivery, turn, tries: 0 }, 0)
    },
    kill: (index, downMs) => {
      const worker = workers[index]
      if (worker === undefined) return
      worker.isAlive = false
      for (const jobs of Object.values(worker.inFlight)) {
        for (const job of jobs) add(job, STALL_MS + world.random() * 5000)
      }
      world.at(downMs, () => {
        workers[index] = open()
        take()
      })
    },
  }
}
