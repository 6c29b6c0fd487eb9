import type { SpeedClass } from '#core/fairness/judge-room.ts'
import { createSlotShare, type Slot } from '#worker/dispatch/slot-share.ts'
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

const IDS = 25
/** What one worker has open: jobs wait for their slowest delivery, so there must be many. */
const JOBS_AT_ONCE = 100

interface Job {
  deliveries: Delivery[]
  /** how often it found no room */
  tries: number
}

interface Worker {
  isAlive: boolean
  jobs: Set<Job>
  enter: (job: Job) => void
}

/**
 * A job carries up to 25 ids of one client and ends with its slowest delivery. Budgets by client say which of them may begin; the
 * others go back as a job of their own, until later.
 */
export function createManyIds(stage: Stage, workerCount: number): Carrier {
  const { world, machine, store } = stage
  const standings = new Map<string, SpeedClass>()
  const waiting: Job[] = []
  const workers = Array.from({ length: workerCount }, () => open())

  function open(): Worker {
    const share = createSlotShare({
      slots: stage.slots,
      limit: stage.endpointLimit,
      now: world.now,
      onLearned: (endpoint, standing) => standings.set(endpoint, standing),
    })
    const isAlive = (): boolean => worker.isAlive
    const send = createSender(stage, isAlive)
    const claim = createGathering<{ delivery: Delivery; stay: Slot; done: () => void }>((items, end) => {
      machine.bill('claim', COSTS.claimStatement + items.length * COSTS.claimRow, () => {
        if (worker.isAlive) for (const item of items) begin(item)
        end()
      })
    }, 50)
    const begin = ({ delivery, stay, done }: { delivery: Delivery; stay: Slot; done: () => void }): void => {
      const answer = store.claim(delivery, LEASE_MS)
      if (answer !== 'claimed') {
        if (answer === 'busy') add([delivery], 1000)
        stay.leave()
        done()
        return
      }
      let endExchange: ReturnType<Slot['begin']> | undefined
      send(delivery, {
        begin: () => {
          endExchange = stay.begin()
        },
        end: (answered) => {
          endExchange?.(answered ? 'none' : 'strained')
          stay.leave()
        },
        recorded: done,
      })
    }
    const worker: Worker = {
      isAlive: true,
      jobs: new Set(),
      enter: (job) => {
        worker.jobs.add(job)
        machine.bill('redis', COSTS.job, () => {
          if (!worker.isAlive) return
          const begun: Array<{ delivery: Delivery; stay: Slot }> = []
          const left: Delivery[] = []
          for (const delivery of job.deliveries) {
            const { client, endpoint } = delivery
            const standing = standings.get(endpoint)
            if (standing !== undefined) share.recall(endpoint, standing)
            const stay = share.enter(endpoint, client)
            if (stay === undefined) left.push(delivery)
            else begun.push({ delivery, stay })
          }
          if (left.length > 0) {
            machine.bill('bounce', COSTS.bounce, () => {
              add(left, pauseAfter(job.tries, world), job.tries + 1)
            })
          }
          let open = begun.length
          const done = (): void => {
            open -= 1
            if (open <= 0) {
              worker.jobs.delete(job)
              take()
            }
          }
          if (begun.length === 0) done()
          for (const item of begun) claim({ ...item, done })
        })
      },
    }
    return worker
  }

  function take(): void {
    for (;;) {
      const [worker] = workers
        .filter(({ isAlive, jobs }) => isAlive && jobs.size < JOBS_AT_ONCE)
        .toSorted((a, b) => a.jobs.size - b.jobs.size)
      const job = worker === undefined ? undefined : waiting.shift()
      if (worker === undefined || job === undefined) return
      worker.enter(job)
    }
  }

  function add(deliveries: readonly Delivery[], delayMs: number, tries = 0): void {
    world.at(delayMs, () => {
      for (let at = 0; at < deliveries.length; at += IDS) {
        waiting.push({ deliveries: deliveries.slice(at, at + IDS), tries })
      }
      take()
    })
  }

  store.onDue((delivery) => {
    add([delivery], 0)
  })
  return {
    plan: (deliveries) => {
      add(deliveries, 0)
    },
    kill: (index, downMs) => {
      const worker = workers[index]
      if (worker === undefined) return
      worker.isAlive = false
      for (const job of worker.jobs) add(job.deliveries, STALL_MS + world.random() * 5000)
      world.at(downMs, () => {
        workers[index] = open()
        take()
      })
    },
  }
}
