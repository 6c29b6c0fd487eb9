const UNITS = ['KB', 'MB', 'GB'] as const

/** Writes a size in decimal units, as file managers do: `25 MB`, `340 KB`; at least 1 KB. */
export function formatBytes(bytes: number): string {
  let value = bytes / 1000
  let at = 0
  while (value >= 999.5 && at < UNITS.length - 1) {
    value /= 1000
    at += 1
  }
  const digits = value < 10 && at > 0 ? 1 : 0
  return `${Math.max(value, at === 0 ? 1 : 0).toLocaleString('en-US', { maximumFractionDigits: digits })} ${UNITS[at] ?? ''}`
}
