import { LRUCache } from 'lru-cache'

/** Number of clients whose last turn is remembered. */
const KEPT = 10_000

/**
 * A semaphore whose queue first serves the client that was served longest ago, even if it gave up waiting and came
 * again.
 */
export interface FairSemaphore {
  /** @returns a function that leaves the place, which then rests for `restMs`; undefined if no place was free in time */
  enter: (client: string, mostWaitMs: number) => Promise<((restMs: number) => void) | undefined>
}

interface Waiting {
  client: string
  begin: () => void
}

/** @param places exchanges that may run at once */
export function createFairSemaphore(places: number): FairSemaphore {
  let free = places
  let waiting: Waiting[] = []
  let turns = 0
  /** the last turn of each client */
  const served = new LRUCache<string, number>({ max: KEPT })
  const lastTurn = ({ client }: Waiting): number => served.get(client) ?? 0
  const goOn = (): void => {
    while (free > 0 && waiting.length > 0) {
      const next = waiting.reduce((first, one) => (lastTurn(one) < lastTurn(first) ? one : first))
      waiting = waiting.filter((one) => one !== next)
      turns += 1
      served.set(next.client, turns)
      free -= 1
      next.begin()
    }
  }
  const leave = (restMs: number): void => {
    setTimeout(() => {
      free += 1
      goOn()
    }, restMs).unref()
  }

  return {
    enter: (client, mostWaitMs) =>
      new Promise((resolve) => {
        const own: Waiting = {
          client,
          begin: () => {
            clearTimeout(late)
            let hasLeft = false
            resolve((restMs) => {
              if (!hasLeft) leave(restMs)
              hasLeft = true
            })
          },
        }
        const late = setTimeout(() => {
          waiting = waiting.filter((one) => one !== own)
          resolve(undefined)
        }, mostWaitMs)
        waiting.push(own)
        goOn()
      }),
  }
}
