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
   * Makes a payload, or the copy for the log: at once, or one after the other if it may be heavy.
   * @param version the version of its configuration
   */
  make: <Payload>(endpoint: string, version: string, work: () => Payload) => Promise<Awaited<Payload>>
  /**
   * Notes the weight of a delivery (core/endpoint/weigh-attempt.ts). The next delivery to its endpoint is assumed to
   * weigh as much, or half of an earlier one's weight if that is more. The next delivery of its client to an unknown
   * endpoint is assumed to weigh as much too.
   */
  note: (delivery: Weighed, weight: number) => void
  /**
   * Takes over what another process, or an earlier process here, has learned about an endpoint that is unknown here.
   */
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
 * One thread makes, signs, masks and writes all payloads, so a long one delays all others. Heavy payloads share one
 * token bucket, so many clients with such payloads are no worse than one. A delivery whose bucket is in debt waits as a
 * row, unclaimed. While no other client is active, nothing is held back. The weight of a changed configuration is not
 * known, so such payloads are also made one after the other.
 * @param slotPool decides who may have a slot
 * @param now a clock in milliseconds that never goes back
 * @param onLearned told the weight of an endpoint's deliveries if they are heavy, or were until now
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
