/**
 * Does one thing after the other, for so many milliseconds in a turn of the event loop, so that what came in meanwhile is looked at
 * in between: one that takes longer has a turn to itself.
 * @param mostMs in a turn, but for the one that is over it
 * @param now a clock in milliseconds that never goes back
 * @returns what does it: its promise has what came of the work, or its error
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
