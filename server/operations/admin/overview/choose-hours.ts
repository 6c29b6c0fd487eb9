const HOUR_MS = 3_600_000
/** The hour that is not over, and the one before it, until a worker has summed that. */
const ALWAYS = 2

export const floorHour = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS

/**
 * Chooses which hours without stored sums are counted from their rows. On old data a worker needs minutes to sum the
 * past, and the screen does not wait for it: it counts the newest hours, as long as they have few rows.
 * @param readPast reads when the first lead came, and since when few rows came (core/data/operations/overview/kept-hours.ts)
 * @returns the hours to count, in order, and how many are left out
 */
export async function chooseHours(
  { begins, now, known }: { begins: number; now: number; known: ReadonlySet<number> },
  readPast: () => Promise<{ first: Date | null; few: Date | null }>,
): Promise<{ count: number[]; left: number }> {
  const current = floorHour(now)
  const always = current - (ALWAYS - 1) * HOUR_MS
  const unknown: number[] = []
  for (let hour = begins; hour <= current; hour += HOUR_MS) if (!known.has(hour)) unknown.push(hour)
  if (unknown.every((hour) => hour >= always)) return { count: unknown, left: 0 }
  const { first, few } = await readPast()
  const since = few === null ? begins : Math.min(floorHour(few.getTime()) + HOUR_MS, always)
  const count = unknown.filter((hour) => hour >= since)
  // Nothing came before the first lead.
  const from = first === null ? now : floorHour(first.getTime())
  return { count, left: unknown.filter((hour) => hour >= from && hour < since).length }
}

/** Hours that follow each other, as spans. */
export function joinHours(hours: readonly number[]): { begins: Date; ends: Date }[] {
  const spans: { begins: number; ends: number }[] = []
  for (const hour of hours) {
    const last = spans.at(-1)
    if (last?.ends === hour) last.ends = hour + HOUR_MS
    else spans.push({ begins: hour, ends: hour + HOUR_MS })
  }
  return spans.map(({ begins, ends }) => ({ begins: new Date(begins), ends: new Date(ends) }))
}
