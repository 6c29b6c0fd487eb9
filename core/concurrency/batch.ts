import { createLoadWatch } from './watch-load.ts'

/** Under load, delays flushes so that each takes more items. A single item never waits. */
export interface GatheringPace {
  /** milliseconds from one beginning to the next: the longest time that an item waits for others */
  apartMs: number
  /** number of waiting items that are flushed at once, without a pause */
  enough: number
  /** the load above which flushes are delayed: this many items within this time */
  busy: { items: number; withinMs: number }
}

/**
 * Gathers single calls into few large ones. While `parallel` flushes are under way, further items queue; when one ends,
 * all waiting items go with the next. So an idle system adds no delay, and a busy one batches by itself. A timer is
 * used only under load, if a pace is given.
 * @param options.flush takes 1..maxSize items and returns one result for each, in order; a rejection rejects them all
 */
export function createBatcher<Item, Result>(options: {
  maxSize: number
  parallel: number
  pace?: GatheringPace
  flush: (items: Item[]) => Promise<readonly Result[]>
}): { add: (item: Item) => Promise<Result>; drain: () => Promise<void> } {
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }
  const { pace } = options
  const load = createLoadWatch(pace?.busy ?? { items: 1, withinMs: -1 }, () => performance.now())
  let waiting: Waiting[] = []
  let idle: Array<() => void> = []
  let flushing = 0
  let scheduled = false
  let begunAt = -Infinity
  let timer: NodeJS.Timeout | undefined

  function schedule(): void {
    if (scheduled || flushing >= options.parallel || waiting.length === 0) return
    const restMs = restOf()
    if (restMs > 0) {
      timer ??= setTimeout(() => {
        timer = undefined
        schedule()
      }, restMs)
      return
    }
    clearTimeout(timer)
    timer = undefined
    scheduled = true
    // One turn of the event loop, so that calls made together are flushed together.
    setImmediate(() => {
      scheduled = false
      void flushOnce()
      schedule()
    })
  }

  /** Milliseconds until the next flush should begin. */
  function restOf(): number {
    if (pace === undefined || waiting.length >= pace.enough || !load.isBusy()) return 0
    return begunAt + pace.apartMs - performance.now()
  }

  async function flushOnce(): Promise<void> {
    begunAt = performance.now()
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
        load.note()
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
