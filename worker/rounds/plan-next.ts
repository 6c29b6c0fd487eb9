/**
 * Runs something one at a time and no oftener than its pace: at once after a rest, else so that what comes meanwhile is gathered.
 * @param options.paceMs between the beginnings of two runs
 * @param options.now a clock in milliseconds that never goes back
 */
export function planNext(options: { paceMs: number; now: () => number; run: () => Promise<void> }): {
  /** Sees to it that a run begins after so many milliseconds at the latest; one under way is over by then. */
  plan: (afterMs: number) => void
  /** Nothing begins any more; resolves when the run under way has ended. */
  stop: () => Promise<void>
} {
  const { paceMs, now } = options
  let begunAt = -Infinity
  let underWay: Promise<void> | undefined
  let nextAt = Infinity
  let timer: NodeJS.Timeout | undefined
  let soon: NodeJS.Immediate | undefined
  let isStopped = false

  function arm(): void {
    clearTimeout(timer)
    if (soon !== undefined || underWay !== undefined || nextAt === Infinity || isStopped) return
    const waitMs = nextAt - now()
    if (waitMs <= 0) soon = setImmediate(begin)
    else timer = setTimeout(begin, waitMs)
  }

  function begin(): void {
    soon = undefined
    nextAt = Infinity
    begunAt = now()
    underWay = options.run().finally(() => {
      underWay = undefined
      arm()
    })
  }

  return {
    plan: (afterMs) => {
      const at = Math.max(now() + afterMs, begunAt + paceMs)
      if (at >= nextAt) return
      nextAt = at
      arm()
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      clearImmediate(soon)
      await underWay
    },
  }
}
