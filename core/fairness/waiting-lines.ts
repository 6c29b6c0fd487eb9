/** A line for each key: who came first is woken first, once. A line that nobody stands in takes no memory. */
export interface WaitingLines {
  /** @returns how to leave the line; nothing happens to who has been woken */
  wait: (key: string, wake: () => void) => () => void
  wakeNext: (key: string) => void
  count: (key: string) => number
}

export function createWaitingLines(): WaitingLines {
  const lines = new Map<string, Set<() => void>>()
  const leave = (key: string, line: Set<() => void>, wake: () => void): void => {
    line.delete(wake)
    if (line.size === 0 && lines.get(key) === line) lines.delete(key)
  }
  return {
    wait: (key, wake) => {
      const line = lines.get(key) ?? new Set()
      lines.set(key, line.add(wake))
      return () => {
        leave(key, line, wake)
      }
    },
    wakeNext: (key) => {
      const line = lines.get(key)
      const [wake] = line ?? []
      if (line === undefined || wake === undefined) return
      leave(key, line, wake)
      wake()
    },
    count: (key) => lines.get(key)?.size ?? 0,
  }
}
