interface CountedDay {
  leads: number
}

/** The days from the first one with leads to the last one. A chart of ninety days with leads on three shows these. */
export function trimDays<Day extends CountedDay>(days: readonly Day[]): readonly Day[] {
  const first = days.findIndex(({ leads }) => leads > 0)
  const last = days.findLastIndex(({ leads }) => leads > 0)
  return first === -1 ? days : days.slice(first, last + 1)
}
