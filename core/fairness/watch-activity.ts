/**
 * Tells whether others were active within `activeMs`. It remembers only the last name, and when another one was last
 * seen.
 * @param activeMs for which a name counts as active after it was seen
 * @param now a clock in milliseconds that never goes back
 */
export function createActivityWatch(
  activeMs: number,
  now: () => number,
): { note: (who: string) => void; othersActive: (beside: string) => boolean } {
  let last = { who: '', at: -Infinity, otherAt: -Infinity }
  return {
    note: (who) => {
      last = { who, at: now(), otherAt: last.who === who ? last.otherAt : last.at }
    },
    othersActive: (beside) => now() - (last.who === beside ? last.otherAt : last.at) <= activeMs,
  }
}
