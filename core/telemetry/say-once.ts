/** After so long without a report a trouble is over. A lost connection is tried again every second. */
const QUIET_MS = 5000
/** A trouble that does not end is reported again after this. */
const LONGEST_MS = 300_000

export interface SayOnce {
  /**
   * @param key equal for what is the same
   * @param say called at once with 0 for the first of equal ones; with the number of those that followed when they are over,
   *   or have lasted for five minutes. Of one that stays alone no more is said
   */
  (key: string, say: (repeats: number) => void): void
  /** Says at once what is still to be said. */
  end: () => void
}

/** Keeps what fails again and again from being said each time: an outage is one thing, however often it is met. */
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
      // A process may end while it waits for silence.
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
