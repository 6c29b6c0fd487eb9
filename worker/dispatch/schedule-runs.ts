/**
 * Runs one task repeatedly, never twice at once. A run begins at least `paceMs` after the one before, and serves all
 * requests until then. A hasty request waits only for the pace of earlier hasty runs.
 * @param options.paceMs milliseconds between the beginnings of two runs
 * @param options.now a clock in milliseconds that never goes back
 * @param options.run returns whether it served a hasty request
 */
export function scheduleRuns(options: { paceMs: number; now: () => number; run: () => Promise<boolean> }): {
  /** Requests a run in `afterMs` milliseconds. A later request does not delay an earlier one. */
  schedule: (afterMs: number, inHaste?: boolean) => void
  /** Starts no more runs; resolves when the present run has ended. */
  stop: () => Promise<void>
} {
  const { paceMs, now } = options
  let begunAt = -Infinity
  /** the beginning of the last run that served a hasty request */
  let hastenedAt = -Infinity
  let underWay: Promise<void> | undefined
  /** the times for which a run is requested: by any request, and by a hasty one */
  let askedFor = { all: Infinity, haste: Infinity }
  let timer: NodeJS.Timeout | undefined
  let soon: NodeJS.Immediate | undefined
  let isStopped = false

  function arm(): void {
    clearTimeout(timer)
    if (soon !== undefined || underWay !== undefined || isStopped) return
    const nextAt = Math.min(
      Math.max(askedFor.all, begunAt + paceMs),
      Math.max(askedFor.haste, hastenedAt + paceMs),
    )
    if (nextAt === Infinity) return
    const waitMs = nextAt - now()
    if (waitMs <= 0) soon = setImmediate(begin)
    else timer = setTimeout(begin, waitMs)
  }

  function begin(): void {
    soon = undefined
    askedFor = { all: Infinity, haste: Infinity }
    const at = now()
    begunAt = at
    underWay = options
      .run()
      .then((wasInHaste) => {
        if (wasInHaste) hastenedAt = at
      })
      .finally(() => {
        underWay = undefined
        arm()
      })
  }

  return {
    schedule: (afterMs, inHaste = false) => {
      const whose = inHaste ? 'haste' : 'all'
      const at = now() + afterMs
      if (at >= askedFor[whose]) return
      askedFor[whose] = at
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
