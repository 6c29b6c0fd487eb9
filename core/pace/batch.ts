/**
 * Gathers single calls into few large ones without ever waiting on a timer: while `parallel` flushes are under way,
 * further items queue; the moment one ends, everything that waits goes with the next. An idle system adds no delay, a
 * busy one batches by itself.
 * @param options.flush takes 1..maxSize items and answers one result for each, in order; a rejection rejects them all
 */
export function createBatcher<Item, Result>(options: {
  maxSize: number
  parallel: number
  flush: (items: Item[]) => Promise<readonly Result[]>
}): { add: (item: Item) => Promise<Result>; drain: () => Promise<void> } {
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }
  let waiting: Waiting[] = []
  let idle: Array<() => void> = []
  let flushing = 0
  let scheduled = false

  function schedule(): void {
    if (scheduled || flushing >= options.parallel || waiting.length === 0) return
    scheduled = true
    // One turn of the event loop, so that calls made together travel together.
    setImmediate(() => {
      scheduled = false
      void flushOnce()
      schedule()
    })
  }

  async function flushOnce(): Promise<void> {
    const batch = waiting.slice(0, options.maxSize)
    waiting = waiting.slice(options.maxSize)
    if (batch.length === 0) return
    flushing += 1
    try {
      const results = await options.flush(batch.map(({ item }) => item))
      if (results.length !== batch.length) {
        throw new Error(`A flush of ${batch.length} answered ${results.length} results`)
      }
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      flushing -= 1
      schedule()
      if (flushing === 0 && waiting.length === 0) {
        for (const resolve of idle) resolve()
        idle = []
      }
    }
  }

  return {
    add: (item) =>
      new Promise<Result>((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        schedule()
      }),
    drain: () =>
      flushing === 0 && waiting.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            idle.push(resolve)
          }),
  }
}
