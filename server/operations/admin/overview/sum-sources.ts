import type { Db } from '#core/data/database.ts'
import { readKeptSources, type KeptHour } from '#core/data/operations/overview/kept-hours.ts'
import type { MarketSum } from '#core/domain/market/figures.ts'

/** Sums what the sources did in stored hours, and keeps the last answer. */
export type SumSources = (hours: readonly KeptHour[], begins: Date) => Promise<MarketSum[]>

/** Adding up the sums of a week costs more than the rest of the overview, and they change a few times an hour. */
export function createSumSources(db: Db): SumSources {
  let last: { of: string; sums: Promise<MarketSum[]> } | undefined
  return async (hours, begins) => {
    const of = [begins.getTime(), ...hours.map(({ hour, counted_at }) => `${hour} ${counted_at}`)].join()
    if (last?.of !== of) {
      const sums = readKeptSources(
        db,
        hours.map(({ hour }) => hour),
        begins,
      )
      last = { of, sums }
      // A reading that failed is not kept.
      sums.catch(() => {
        if (last?.sums === sums) last = undefined
      })
    }
    return await last.sums
  }
}
