import { LRUCache } from 'lru-cache'
import { createSlices } from '#core/concurrency/slices.ts'
import { HEAVY, SLICES } from '#core/fairness/limits.ts'
import { createActivityWatch } from '#core/fairness/watch-activity.ts'
import type { SlotPool, Slot } from './slot-pool.ts'

/** Limits how fast payloads above {@link HEAVY}.free characters begin while other clients are active. */
export interface HeavyPayloads {
  /** Like `enter` of the slot pool, but returns undefined while another heavy payload may not begin yet. */
  enter: SlotPool['enter']
  /**
   * Makes a payload, or its copy for the log. Payloads that may be heavy are made one after the other.
   * @param version the version of its configuration
   */
  make: <Payload>(endpoint: string, version: string, work: () => Payload) => Promise<Awaited<Payload>>
  /**
   * Notes the weight of a delivery (core/endpoint/weigh-attempt.ts). We assume this weight for the next delivery to its
   * endpoint, or half of an earlier weight if that is more. We also assume it for the client's next delivery to an
   * unknown endpoint.
   */
  note: (delivery: Weighed, weight: number) => void
  /** Takes over the weight of an unknown endpoint that another process, or an earlier process here, has learned. */
  recall: (endpoint: string, weight: number) => void
  /** Number of workers that send, this one included. They share one rate, because they may share a machine. */
  setWorkerCount: (workers: number) => void
}

/** The weight of a delivery, and the version of its configuration. */
export interface Weighed {
  client_user_id: string
  webhook_config_id: string
  config_version: string
}

/** the version for weights that another process learned: they belong to no version here */
const NO_VERSION = ''

interface Known {
  weight: number
  version: string
}

/**
 * One thread makes, signs, masks and writes all payloads, so a heavy payload delays all others. The heavy payloads of
 * all clients share one token bucket; while it is in debt, their deliveries wait as rows, unclaimed. There is no limit
 * while no other client is active. After a change of a configuration the weight is unknown, so such payloads are made
 * one after the other too.
 * @param slotPool decides who may have a slot
 * @param now a clock in milliseconds that never goes back
 * @param onLearned called with the weight of an endpoint's deliveries if they are heavy, or were until now
 */
export function createHeavyPayloads(
  slotPool: Pick<SlotPool, 'enter'>,
  now: () => number,
  onLearned: (endpoint: string, weight: number) => void = () => undefined,
): HeavyPayloads {
  const weights = new LRUCache<string, Known>({ max: HEAVY.kept })
  let left: number = HEAVY.atOnce
  let filledAt = now()
  let workers = 1
  const others = createActivityWatch(HEAVY.activeMs, now)
  const clients = new LRUCache<string, number>({ max: HEAVY.kept })
  const inTurn = createSlices(SLICES.mostMs, now)

  const fill = (characters: number): void => {
    left = Math.min(HEAVY.atOnce, left + characters)
  }

  /** Characters left in the token bucket now; negative while in debt. */
  const count = (): number => {
    const at = now()
    fill((((at - filledAt) / 1000) * HEAVY.perSecond) / workers)
    filledAt = at
    return left
  }

  return {
    enter: (endpoint, client) => {
      const weight = weights.get(endpoint)?.weight ?? clients.get(client) ?? 0
      const isHeldBack = weight > HEAVY.free && others.othersActive(client)
      if (isHeldBack && count() <= 0) return undefined
      const slot = slotPool.enter(endpoint, client)
      if (slot === undefined) return undefined
      others.note(client)
      if (!isHeldBack) return slot
      left -= weight
      return givingBack(slot, () => fill(weight))
    },
    recall: (endpoint, weight) => {
      if (!weights.has(endpoint)) weights.set(endpoint, { version: NO_VERSION, weight })
    },
    setWorkerCount: (together) => {
      workers = Math.max(1, together)
    },
    make: (endpoint, version, work) => {
      const known = weights.get(endpoint)
      return known?.version === version && known.weight <= HEAVY.free ? Promise.try(work) : inTurn(work)
    },
    note: ({ client_user_id: client, webhook_config_id: endpoint, config_version: version }, weight) => {
      const before = weights.get(endpoint)?.weight ?? 0
      const learned = Math.max(weight, before / 2)
      weights.set(endpoint, { version, weight: learned })
      if (learned > HEAVY.free || before > HEAVY.free) onLearned(endpoint, learned)
      const ofClient = Math.max(weight, (clients.get(client) ?? 0) / 2)
      if (ofClient > HEAVY.free) clients.set(client, ofClient)
      else clients.delete(client)
      // An unexpected weight is deducted afterwards.
      if (weight > HEAVY.free && before <= HEAVY.free) left = Math.max(-HEAVY.mostDebt, count() - weight)
    },
  }
}

/** Gives the characters back if the slot is left without an exchange. */
function givingBack(slot: Slot, giveBack: () => void): Slot {
  let isOpen = true
  return {
    begin: () => {
      isOpen = false
      return slot.begin()
    },
    exchange: (work, judge) => {
      isOpen = false
      return slot.exchange(work, judge)
    },
    leave: () => {
      if (isOpen) giveBack()
      isOpen = false
      slot.leave()
    },
  }
}
