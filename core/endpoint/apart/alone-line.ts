/** A place for one at a time, several of them, and a line that takes clients in turns. */
export interface AloneLine {
  /** @returns how to leave, after which the place rests so long; undefined where none was free in time */
  enter: (client: string, mostWaitMs: number) => Promise<((restMs: number) => void) | undefined>
}

interface Waiting {
  client: string
  begin: () => void
}

/** @param places how many are let in at once */
export function createAloneLine(places: number): AloneLine {
  let free = places
  /** In the order in which they are let in next: of each client one before anybody's second. */
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
