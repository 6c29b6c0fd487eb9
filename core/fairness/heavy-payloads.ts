import { LRUCache } from 'lru-cache'
import { HEAVY } from './limits.ts'
import { createOthersAbout } from './others-about.ts'
import type { SlotShare, Stay } from './slot-share.ts'

/** Lets payloads of more than {@link HEAVY}.free characters begin at their pace while somebody else is about. */
export interface HeavyPayloads {
  /** As `enter` of the share, where it is not yet time for one more that is heavy: undefined. */
  enter: SlotShare['enter']
  /** So many characters had the payload of an endpoint's last delivery; its next is taken to have as many, or half of what one had before. */
  note: (endpoint: string, characters: number) => void
}

/**
 * A payload is made, signed, masked and written by the one thread that all deliveries go through, and a long one keeps them all
 * waiting. What it is likely to weigh is taken from a measure that all heavy ones share, so that many clients with such payloads are
 * no worse than one; who was in debt waits as a row, unclaimed. With nobody else about, nothing is held back.
 * @param share says who may have a slot
 * @param now a clock in milliseconds that never goes back
 */
export function createHeavyPayloads(share: Pick<SlotShare, 'enter'>, now: () => number): HeavyPayloads {
  const weights = new LRUCache<string, number>({ max: HEAVY.kept })
  let left: number = HEAVY.atOnce
  let filledAt = now()
  const others = createOthersAbout(HEAVY.aboutMs, now)

  const fill = (characters: number): void => {
    left = Math.min(HEAVY.atOnce, left + characters)
  }

  const hasRoom = (): boolean => {
    const at = now()
    fill(((at - filledAt) / 1000) * HEAVY.perSecond)
    filledAt = at
    return left > 0
  }

  return {
    enter: (endpoint, client) => {
      const weight = weights.get(endpoint) ?? 0
      const isHeldBack = weight > HEAVY.free && others.areAbout(client)
      if (isHeldBack && !hasRoom()) return undefined
      const stay = share.enter(endpoint, client)
      if (stay === undefined) return undefined
      others.note(client)
      if (!isHeldBack) return stay
      left -= weight
      return givingBack(stay, () => fill(weight))
    },
    note: (endpoint, characters) => {
      weights.set(endpoint, Math.max(characters, (weights.get(endpoint) ?? 0) / 2))
    },
  }
}

/** Where nothing was due after all, what was taken for it is given back. */
function givingBack(stay: Stay, giveBack: () => void): Stay {
  let isOpen = true
  return {
    begin: () => {
      isOpen = false
      return stay.begin()
    },
    exchange: (work, judge) => {
      isOpen = false
      return stay.exchange(work, judge)
    },
    leave: () => {
      if (isOpen) giveBack()
      isOpen = false
      stay.leave()
    },
  }
}
