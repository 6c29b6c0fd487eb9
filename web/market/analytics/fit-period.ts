import { addDays } from '#core/domain/market/local-moment.ts'

interface Period {
  from: string
  to: string
}

/** Changes one date of a period. The other one follows, so that they stay in order and not too far apart. */
export function fitPeriod(
  period: Period,
  changed: { from: string } | { to: string },
  mostDays: number,
): Period {
  if ('from' in changed) {
    const { from } = changed
    const last = addDays(from, mostDays - 1)
    return { from, to: period.to < from ? from : period.to > last ? last : period.to }
  }
  const { to } = changed
  const first = addDays(to, 1 - mostDays)
  return { from: period.from > to ? to : period.from < first ? first : period.from, to }
}
