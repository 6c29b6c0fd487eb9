/** Formats a duration in a suitable unit: "40 ms", "1.2 s", "3 min", "5 h". */
export function formatSpan(milliseconds: number): string {
  const ms = Math.max(0, Math.round(milliseconds))
  if (ms < 1000) return `${ms} ms`
  if (ms < 90_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < 90 * 60_000) return `${Math.round(ms / 60_000)} min`
  return `${Math.round(ms / 3_600_000)} h`
}
