import { claimDeliveries, type Claimed } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import type { FanOut } from '#core/fairness/fan-out.ts'
import type { GiveWay } from './give-way.ts'
import type { HeavyPayloads } from './heavy-payloads.ts'
import { GIVE_WAY, ROUNDS } from '#core/fairness/limits.ts'
import type { SlotShare } from './slot-share.ts'
import { findLeased } from '#core/data/webhooks/deliveries/plan-plain.ts'
import { createWaitingClients, type Coming, type Grant } from './waiting-clients.ts'
import { failpoint } from '#core/failpoints.ts'
import type { WorkerContext } from '../context.ts'
import type { EndpointStandings } from '../endpoint/endpoint-standings.ts'
import type { Pulse } from '../queues/queue-workers.ts'
import { measureLease } from './measure-lease.ts'
import { createNoteClaimed } from './note-claimed.ts'
import { planNext } from './plan-next.ts'
import { holdReservation, type Reservation } from './reserve-slots.ts'
import { trackInFlight, type SendClaimed } from './track-in-flight.ts'

/** Milliseconds after which a round is tried again that PostgreSQL did not answer. */
const AFTER_FAILURE_MS = 1000

/** Where deliveries that are due become requests: who has room, whose turn it is, and what is claimed for them. */
export interface Rounds {
  /** So many deliveries of a client may be due at this endpoint; with the ids of all of them, where whoever tells knows. */
  hear: (client: string, endpoint: string, count: number, ids?: readonly string[]) => Promise<void>
  /**
   * Slots for deliveries that are about to be planned, where their endpoints are known to answer soon, their clients have little in
   * flight, and nobody waits: by these they can be claimed by the statement that plans them. Perhaps none.
   */
  reserve: (coming: readonly Coming[]) => Reservation
  /** Seconds for which a claimed delivery is its sender's alone. */
  leaseSeconds: number
  /** An administrator has stopped the queue, or started it again: nothing is claimed meanwhile. */
  pause: (isPaused: boolean) => void
  /** It claims nothing at the moment: its slots are taken, it has as much open as it may, or it stops. */
  isFull: () => boolean
  pulse: Pulse
  /** So many workers make rounds beside each other, this one among them. */
  among: (workers: number) => void
  /** Claims nothing any more; resolves when what is in flight has ended. */
  stop: () => Promise<void>
}

/**
 * Claims due deliveries in rounds and hands them to their sender: a few at a time, of those clients who have least in flight, at
 * endpoints that have room. Everything else waits as rows, and nothing here is needed to find it again.
 */
export function openRounds(
  context: WorkerContext,
  parts: {
    share: SlotShare
    giveWay: GiveWay
    fanOut: Pick<FanOut, 'among'>
    heavy: Pick<HeavyPayloads, 'enter' | 'among' | 'recall'>
    standings: Pick<EndpointStandings, 'read'>
    send: SendClaimed
  },
): Rounds {
  const { config, line, logger, metrics } = context
  const { share, giveWay, fanOut, heavy, standings, send } = parts
  const now = (): number => performance.now()
  const waiting = createWaitingClients(heavy)
  const inFlight = trackInFlight({ noteClaimed: createNoteClaimed(giveWay, now), send, onEnd, now })
  const { pulse } = inFlight
  const adjusting = setInterval(giveWay.decide, GIVE_WAY.adjustEveryMs)
  const leaseSeconds = measureLease(config.webhooks.timeoutMs)
  // With their exchange over they hold no slot, but their answers are in memory until PostgreSQL has them.
  const mostOpen = Math.ceil(config.webhooks.concurrency * ROUNDS.mostOpen)
  const timers = new Set<NodeJS.Timeout>()
  let asked = 0
  let isPaused = false
  let isStopped = false
  const rounds = planNext({ paceMs: ROUNDS.paceMs, now, run: round })
  metrics.watchShare(() => ({ ...share.count(), ...waiting.count() }))

  async function hear(...[client, endpoint, count, ids]: Parameters<Rounds['hear']>): Promise<void> {
    if (!share.isKnown(endpoint)) {
      const { standing, weight } = await standings.read(endpoint)
      share.recall(endpoint, standing)
      if (weight !== undefined) heavy.recall(endpoint, weight)
    }
    goOn(0, waiting.hear(client, endpoint, count, ids))
  }

  function hearLater({ client, endpoint }: Grant, ms: number): void {
    if (isStopped || ms > ROUNDS.timedMs) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      void hear(client, endpoint, 1)
    }, ms)
    timers.add(timer)
  }

  function goOn(afterMs = 0, inHaste = false): void {
    if (!isPaused && !isStopped && !waiting.isEmpty()) rounds.plan(afterMs, inHaste)
  }

  /** @returns whether it was also for somebody with little in flight */
  async function round(): Promise<boolean> {
    if (isPaused || isStopped) return false
    const allowance = giveWay.allowance()
    const most = allowance === Infinity ? ROUNDS.mostInQuiet : ROUNDS.most
    const grants = waiting.grant(Math.min(most, mostOpen - pulse.running), allowance)
    if (grants.length === 0) {
      goOn(ROUNDS.againMs)
      return false
    }
    const startedAt = now()
    asked += 1
    try {
      const claimed = await claim(grants, allowance)
      for (const [index, grant] of grants.entries()) begin(grant, claimed[index], { startedAt, allowance })
      goOn()
    } catch (error) {
      for (const stay of grants.flatMap(({ stays }) => stays)) stay.leave()
      logger.warn({ err: error }, 'nothing could be claimed; it is tried again')
      goOn(AFTER_FAILURE_MS)
    }
    return grants.some(({ modest }) => modest > 0)
  }

  async function claim(grants: readonly Grant[], allowance: number): Promise<Claimed[]> {
    await failpoint('before-claim')
    const claimed = await claimDeliveries(
      line,
      grants.map(({ endpoint, stays }) => ({
        webhook_config_id: endpoint,
        most: stays.length,
        most_yielding: Math.min(allowance, stays.length),
        yielding_first: asked % ROUNDS.yieldingEvery === 0,
      })),
      leaseSeconds,
      { open: inFlight.ids() },
    )
    if (claimed.some(({ deliveries }) => deliveries.length > 0)) await failpoint('after-claim')
    metrics.observeBatch('claim', claimed.flatMap(({ deliveries }) => deliveries).length)
    return claimed
  }

  function begin(
    grant: Grant,
    { deliveries, found }: Claimed = { deliveries: [], found: 0 },
    { startedAt, allowance }: { startedAt: number; allowance: number },
  ): void {
    const taken = deliveries.map(({ delivery_id: id }) => id)
    waiting.settle(grant, found, taken)
    // What gives way was perhaps not asked for, so nobody knows whether something is left.
    if (found < grant.stays.length && allowance < grant.stays.length) hearLater(grant, ROUNDS.againMs)
    inFlight.start(grant, deliveries, startedAt)
  }

  /** One of its deliveries has ended; something of its endpoint may be due again after so many milliseconds. */
  function onEnd(grant: Grant, againMs: number | undefined): void {
    if (againMs !== undefined) hearLater(grant, againMs)
    goOn()
  }

  function reserve(coming: readonly Coming[]): Reservation {
    const proved = isPaused || isStopped ? [] : coming.filter(({ endpoint }) => share.isProved(endpoint))
    const grants = waiting.reserve(proved, Math.min(ROUNDS.most, mostOpen - pulse.running))
    const { promise: isOver, resolve } = Promise.withResolvers<void>()
    // A stop waits for what is claimed by then.
    if (grants.length > 0) inFlight.follow(isOver)
    return holdReservation(grants, {
      find: async (events, tokens) => await findLeased(line, events, tokens, leaseSeconds),
      start: (grant, deliveries, startedAt) => {
        if (deliveries.length > 0) metrics.observeBatch('claim', deliveries.length)
        inFlight.start(grant, deliveries, startedAt)
        if (grant !== grants.at(-1)) return
        resolve()
        goOn()
      },
      now,
    })
  }

  return {
    hear,
    reserve,
    leaseSeconds,
    pause: (wanted) => {
      isPaused = wanted
      goOn()
    },
    isFull: () => isStopped || share.isFull() || pulse.running >= mostOpen,
    pulse,
    among: (workers) => {
      share.among(workers)
      waiting.among(workers)
      giveWay.among(workers)
      fanOut.among(workers)
      heavy.among(workers)
    },
    stop: async () => {
      isStopped = true
      clearInterval(adjusting)
      for (const timer of timers) clearTimeout(timer)
      await rounds.stop()
      await inFlight.drained()
    },
  }
}
