/**
 * Lets each key do something so often in any window; what is over is refused. Kept in this process, so several servers
 * allow several times as much.
 */
export function createRateLimit(limit: number, windowMs: number): (key: string, nowMs: number) => boolean {
  const times = new Map<string, number[]>()
  return (key, nowMs) => {
    const recent = (times.get(key) ?? []).filter((time) => time > nowMs - windowMs)
    if (recent.length >= limit) return false
    // Taken out and put back, a key moves to the end, so the first are those that were idle longest.
    times.delete(key)
    times.set(key, [...recent, nowMs])
    const [oldest] = times
    if (oldest !== undefined && (oldest[1].at(-1) ?? 0) <= nowMs - windowMs) times.delete(oldest[0])
    return true
  }
}
