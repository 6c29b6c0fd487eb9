import { SHARE } from '#core/fairness/limits.ts'
import type { Asker, Entry, SlotShare } from '#core/fairness/slot-share.ts'

/**
 * Asks for a slot, and for as long as one of the client's will be free at once, waits for that: a job that goes back to its
 * queue and comes again costs Redis several times what the delivery does.
 */
export async function enterSoon(share: SlotShare, endpoint: string, asker: Asker): Promise<Entry> {
  const until = performance.now() + SHARE.quickMs
  let entry = share.enter(endpoint, asker)
  while ('waitMs' in entry && entry.isSoon) {
    const leftMs = until - performance.now()
    if (leftMs <= 0 || !(await hasRoomWithin(share, asker.client, leftMs))) break
    entry = share.enter(endpoint, { ...asker, isReturning: true })
  }
  return entry
}

function hasRoomWithin(share: SlotShare, client: string, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const takeBack = share.onRoom(client, () => {
      clearTimeout(timer)
      resolve(true)
    })
    const timer = setTimeout(() => {
      takeBack()
      resolve(false)
    }, ms)
  })
}
