import type { Config } from '#core/config/config.ts'
import { createGiveWay } from '#core/fairness/give-way.ts'
import { GIVE_WAY } from '#core/fairness/limits.ts'
import { GIVING_WAY } from '#core/queue/queues.ts'

/** How many jobs of a queue this process may have in flight; whose turn it is, and what first attempts waited for us. */
export interface Room {
  slotsOf: (queue: string) => number
  waitForTurn: (queue: string) => Promise<void>
  noteFirst: (ownMs: number) => void
}

export function openRoom({ webhooks }: Pick<Config, 'webhooks'>): Room & { close: () => void } {
  const { concurrency, endpointConcurrency } = webhooks
  // No more than one endpoint may have, because a burst is mostly one's: what the share turned away would come back in vain.
  const yielding = Math.min(endpointConcurrency, Math.ceil(concurrency / 2))
  const giveWay = createGiveWay({
    most: GIVE_WAY.mostPerSecond,
    least: GIVE_WAY.leastPerSecond,
    now: () => performance.now(),
  })
  const adjusting = setInterval(giveWay.decide, GIVE_WAY.adjustEveryMs)
  return {
    slotsOf: (queue) => (GIVING_WAY.has(queue) ? yielding : concurrency),
    waitForTurn: async (queue) => {
      if (GIVING_WAY.has(queue)) await giveWay.turn(queue)
    },
    noteFirst: giveWay.noteFirst,
    close: () => {
      clearInterval(adjusting)
    },
  }
}
