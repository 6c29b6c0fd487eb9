/**
 * Tells whether somebody else was seen lately. Only who was seen last, and when somebody else was, is remembered.
 * @param aboutMs for which somebody who was seen is still about
 * @param now a clock in milliseconds that never goes back
 */
export function createActivityWatch(
  aboutMs: number,
  now: () => number,
): { note: (who: string) => void; othersActive: (beside: string) => boolean } {
  let last = { who: '', at: -Infinity, otherAt: -Infinity }
  return {
    note: (who) => {
      last = { who, at: now(), otherAt: last.who === who ? last.otherAt : last.at }
    },
    othersActive: (beside) => now() - (last.who === beside ? last.otherAt : last.at) <= aboutMs,
  }
}
