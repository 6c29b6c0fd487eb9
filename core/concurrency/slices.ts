/**
 * Runs tasks one after the other, for a limited time in each turn of the event loop, so that other work gets its chance
 * in between. A longer task has a turn to itself.
 * @param mostMs limit in milliseconds for one turn, unless one task exceeds it
 * @param now a clock in milliseconds that never goes back
 * @returns a function that runs a task; its promise has the task's result or error
 */
export function createSlices(
  mostMs: number,
  now: () => number,
): <Result>(work: () => Result) => Promise<Awaited<Result>> {
  const waiting: Array<() => void> = []
  let isPlanned = false

  function run(): void {
    const until = now() + mostMs
    do waiting.shift()?.()
    while (waiting.length > 0 && now() < until)
    isPlanned = waiting.length > 0
    if (isPlanned) setImmediate(run)
  }

  return (work) =>
    new Promise((resolve) => {
      waiting.push(() => resolve(Promise.try(work)))
      if (isPlanned) return
      isPlanned = true
      setImmediate(run)
    })
}
