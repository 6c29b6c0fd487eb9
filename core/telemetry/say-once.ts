/** A trouble counts as over after this time without a report. A lost connection is tried again every second. */
const QUIET_MS = 5000
/** A trouble that does not end is reported again after this. */
const LONGEST_MS = 300_000

export interface SayOnce {
  /**
   * @param key equal for equal troubles
   * @param say called at once with 0 for the first of equal troubles; with the number of later ones when they are over,
   * or have lasted for five minutes. A single trouble is reported only once
   */
  (key: string, say: (repeats: number) => void): void
  /** Reports at once everything that still waits. */
  end: () => void
}

/** Keeps repeated failures from being logged each time: an outage is one event, however often it is met. */
export function createSayOnce({ quietMs = QUIET_MS, longestMs = LONGEST_MS } = {}): SayOnce {
  const open = new Map<
    string,
    { repeats: number; since: number; quiet: NodeJS.Timeout; finish: () => void }
  >()

  function sayOnce(key: string, say: (repeats: number) => void): void {
    const entry = open.get(key)
    if (entry === undefined) {
      const finish = (): void => {
        const ended = open.get(key)
        open.delete(key)
        if (ended === undefined) return
        clearTimeout(ended.quiet)
        if (ended.repeats > 0) say(ended.repeats)
      }
      // A process may end while this timer waits for silence.
      const quiet = setTimeout(finish, quietMs).unref()
      open.set(key, { repeats: 0, since: performance.now(), quiet, finish })
      say(0)
      return
    }
    entry.repeats += 1
    entry.quiet.refresh()
    if (performance.now() - entry.since > longestMs) entry.finish()
  }

  return Object.assign(sayOnce, {
    end: () => {
      for (const { finish } of open.values()) finish()
    },
  })
}
