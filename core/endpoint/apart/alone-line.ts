/** A semaphore with a queue that serves clients in turns (round robin). */
export interface AloneLine {
  /** @returns a function that leaves the place, which then rests for `restMs`; undefined if no place was free in time */
  enter: (client: string, mostWaitMs: number) => Promise<((restMs: number) => void) | undefined>
}

interface Waiting {
  client: string
  begin: () => void
}

/** @param places exchanges that may run at once */
export function createAloneLine(places: number): AloneLine {
  let free = places
  /** The queue in its order: one exchange of each client before anybody's second. */
  let line: Waiting[] = []
  const goOn = (): void => {
    for (let next = line[0]; next !== undefined && free > 0; next = line[0]) {
      const { client } = next
      line = [
        ...line.slice(1).filter((one) => one.client !== client),
        ...line.slice(1).filter((one) => one.client === client),
      ]
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
        const waiting: Waiting = {
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
          line = line.filter((one) => one !== waiting)
          resolve(undefined)
        }, mostWaitMs)
        line.push(waiting)
        goOn()
      }),
  }
}
