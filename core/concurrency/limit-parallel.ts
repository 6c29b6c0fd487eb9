/**
 * A semaphore: runs at most `slots` tasks at once and lets `waiting` more queue; beyond that, `onFull` makes the error.
 */
export function limitParallel(slots: number, waiting: number, onFull: () => Error) {
  let running = 0
  const queue: (() => void)[] = []

  function nextInLine(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    queue.push(resolve)
    return promise
  }

  return async function run<T>(task: () => Promise<T>): Promise<T> {
    if (running < slots) running += 1
    else if (queue.length >= waiting) throw onFull()
    else await nextInLine()
    try {
      return await task()
    } finally {
      // A finished task hands its slot to the next waiting task, so no newcomer can take it.
      const next = queue.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
