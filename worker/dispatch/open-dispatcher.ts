import { claimDeliveries, type Claimed } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import type { FanOut } from '#core/fairness/fan-out.ts'
import type { LowPriorityLimiter } from './limit-low-priority.ts'
import type { HeavyPayloads } from './heavy-payloads.ts'
import { LOW_PRIORITY, DISPATCH } from '#core/fairness/limits.ts'
import type { SlotPool } from './slot-pool.ts'
import { findLeased } from '#core/data/webhooks/deliveries/plan-plain.ts'
import { createWaitingClients, type Coming, type Allotment } from './waiting-clients.ts'
import { failpoint } from '#core/failpoints.ts'
import type { WorkerContext } from '../context.ts'
import type { SpeedClasses } from '../endpoint/speed-classes.ts'
import type { Pulse } from '../queues/queue-workers.ts'
import { measureLease } from './measure-lease.ts'
import { createNoteClaimed } from './note-claimed.ts'
import { scheduleRuns } from './schedule-runs.ts'
import { holdReservation, type Reservation } from './reserve-slots.ts'
import { trackInFlight, type SendClaimed } from './track-in-flight.ts'

/** Milliseconds until a claim that PostgreSQL did not answer is tried again. */
const AFTER_FAILURE_MS = 1000

/**
 * Turns due deliveries into requests: decides which clients and endpoints get slots next, and claims deliveries for
 * them.
 */
export interface Dispatcher {
  /**
   * Says that up to `count` deliveries of a client may be due at this endpoint.
   * @param ids the ids of all of them, if they are known
   */
  notify: (client: string, endpoint: string, count: number, ids?: readonly string[]) => Promise<void>
  /**
   * Reserves slots for deliveries that are about to be planned, so that the statement that plans them also claims them.
   * Only endpoints known to answer soon and clients within their share get slots, and only while nobody waits.
   */
  reserve: (coming: readonly Coming[]) => Reservation
  /** length of a lease in seconds */
  leaseSeconds: number
  /** An administrator has paused or resumed the queue. Nothing is claimed while it is paused. */
  pause: (isPaused: boolean) => void
  /**
   * Whether it claims nothing now: its slots are taken, it has reached the limit of open deliveries, or it is stopping.
   */
  isFull: () => boolean
  pulse: Pulse
  /** Number of workers that claim, this one included. */
  setWorkerCount: (workers: number) => void
  /** Stops claiming. Resolves when all deliveries in flight have ended. */
  stop: () => Promise<void>
}

/**
 * Claims due deliveries in batches and hands them to their sender. Clients with the fewest in flight come first, at
 * endpoints that have room. All others wait as rows, so nothing depends on the memory of this process.
 */
export function openDispatcher(
  context: WorkerContext,
  parts: {
    slotPool: SlotPool
    lowPriority: LowPriorityLimiter
    fanOut: Pick<FanOut, 'setWorkerCount'>
    heavy: Pick<HeavyPayloads, 'enter' | 'setWorkerCount' | 'recall'>
    speedClasses: Pick<SpeedClasses, 'read'>
    send: SendClaimed
  },
): Dispatcher {
  const { config, claimDb, logger, metrics } = context
  const { slotPool, lowPriority, fanOut, heavy, speedClasses, send } = parts
  const now = (): number => performance.now()
  const waiting = createWaitingClients(heavy)
  const inFlight = trackInFlight({ noteClaimed: createNoteClaimed(lowPriority, now), send, onEnd, now })
  const { pulse } = inFlight
  const adjusting = setInterval(lowPriority.adjust, LOW_PRIORITY.adjustEveryMs)
  const leaseSeconds = measureLease(config.webhooks.timeoutMs)
  // An answered delivery holds no slot, but its answer is in memory until PostgreSQL has it.
  const mostOpen = Math.ceil(config.webhooks.concurrency * DISPATCH.mostOpen)
  const timers = new Set<NodeJS.Timeout>()
  let asked = 0
  let isPaused = false
  let isStopped = false
  const batches = scheduleRuns({ paceMs: DISPATCH.paceMs, now, run: claimBatch })
  metrics.watchSlots(() => ({ ...slotPool.count(), ...waiting.count() }))

  async function notify(...[client, endpoint, count, ids]: Parameters<Dispatcher['notify']>): Promise<void> {
    if (!slotPool.isKnown(endpoint)) {
      const { speed, weight } = await speedClasses.read(endpoint)
      slotPool.recall(endpoint, speed)
      if (weight !== undefined) heavy.recall(endpoint, weight)
    }
    goOn(0, waiting.notify(client, endpoint, count, ids))
  }

  function notifyLater({ client, endpoint }: Allotment, ms: number): void {
    if (isStopped || ms > DISPATCH.timedMs) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      void notify(client, endpoint, 1)
    }, ms)
    timers.add(timer)
  }

  function goOn(afterMs = 0, inHaste = false): void {
    if (!isPaused && !isStopped && !waiting.isEmpty()) batches.schedule(afterMs, inHaste)
  }

  /** @returns whether the batch was also for a client within its share */
  async function claimBatch(): Promise<boolean> {
    if (isPaused || isStopped) return false
    const allowance = lowPriority.allowance()
    const most = allowance === Infinity ? DISPATCH.mostInQuiet : DISPATCH.most
    const allotments = waiting.allot(Math.min(most, mostOpen - pulse.running), allowance)
    if (allotments.length === 0) {
      goOn(DISPATCH.againMs)
      return false
    }
    const startedAt = now()
    asked += 1
    try {
      const claimed = await claim(allotments, allowance)
      for (const [index, allotment] of allotments.entries())
        begin(allotment, claimed[index], { startedAt, allowance })
      goOn()
    } catch (error) {
      for (const slot of allotments.flatMap(({ slots }) => slots)) slot.leave()
      logger.warn({ err: error }, 'nothing could be claimed; it is tried again')
      goOn(AFTER_FAILURE_MS)
    }
    return allotments.some(({ withinShare }) => withinShare > 0)
  }

  async function claim(allotments: readonly Allotment[], allowance: number): Promise<Claimed[]> {
    await failpoint('before-claim')
    const claimed = await claimDeliveries(
      claimDb,
      allotments.map(({ endpoint, slots }) => ({
        webhook_config_id: endpoint,
        most: slots.length,
        most_low_priority: Math.min(allowance, slots.length),
        low_priority_first: asked % DISPATCH.lowPriorityEvery === 0,
      })),
      leaseSeconds,
      { open: inFlight.ids() },
    )
    if (claimed.some(({ deliveries }) => deliveries.length > 0)) await failpoint('after-claim')
    metrics.observeBatch('claim', claimed.flatMap(({ deliveries }) => deliveries).length)
    return claimed
  }

  function begin(
    allotment: Allotment,
    { deliveries, found }: Claimed = { deliveries: [], found: 0 },
    { startedAt, allowance }: { startedAt: number; allowance: number },
  ): void {
    const taken = deliveries.map(({ delivery_id: id }) => id)
    waiting.settle(allotment, found, taken)
    // The batch may have left out deliveries of low priority, so some may still be due.
    if (found < allotment.slots.length && allowance < allotment.slots.length)
      notifyLater(allotment, DISPATCH.againMs)
    inFlight.start(allotment, deliveries, startedAt)
  }

  /** A delivery has ended. Its endpoint may have something due again after `againMs`. */
  function onEnd(allotment: Allotment, againMs: number | undefined): void {
    if (againMs !== undefined) notifyLater(allotment, againMs)
    goOn()
  }

  function reserve(coming: readonly Coming[]): Reservation {
    const proved = isPaused || isStopped ? [] : coming.filter(({ endpoint }) => slotPool.isProved(endpoint))
    const allotments = waiting.reserve(proved, Math.min(DISPATCH.most, mostOpen - pulse.running))
    const { promise: isOver, resolve } = Promise.withResolvers<void>()
    // A stop also waits for the reservation, which may become deliveries.
    if (allotments.length > 0) inFlight.follow(isOver)
    return holdReservation(allotments, {
      find: async (events, tokens) => await findLeased(claimDb, events, tokens, leaseSeconds),
      start: (allotment, deliveries, startedAt) => {
        if (deliveries.length > 0) metrics.observeBatch('claim', deliveries.length)
        inFlight.start(allotment, deliveries, startedAt)
        if (allotment !== allotments.at(-1)) return
        resolve()
        goOn()
      },
      now,
    })
  }

  return {
    notify,
    reserve,
    leaseSeconds,
    pause: (wanted) => {
      isPaused = wanted
      goOn()
    },
    isFull: () => isStopped || slotPool.isFull() || pulse.running >= mostOpen,
    pulse,
    setWorkerCount: (workers) => {
      slotPool.setWorkerCount(workers)
      waiting.setWorkerCount(workers)
      lowPriority.setWorkerCount(workers)
      fanOut.setWorkerCount(workers)
      heavy.setWorkerCount(workers)
    },
    stop: async () => {
      isStopped = true
      clearInterval(adjusting)
      for (const timer of timers) clearTimeout(timer)
      await batches.stop()
      await inFlight.drained()
    },
  }
}
