import type { BenchContext } from '../services.ts'
import { PRODUCTS, type ProductName } from './products.ts'
import { sideLine, sideTables } from './report-side-by-side.ts'
import { measureBacklog, measureMemory, measurePace, type SideFigures } from './run-side-by-side.ts'

export interface SidePlan {
  /** some of `pace`, `drain` and `memory`, separated by commas */
  part: string
  rates: readonly number[]
  runs: number
  warmUpSeconds: number
  seconds: number
  quick: boolean
}

/**
 * Measures Leadwire and the bare product in turns, so that other load of the machine affects both; each
 * begins with an empty database.
 */
export async function measureSideBySide(
  inContext: (measure: (context: BenchContext) => Promise<void>) => Promise<void>,
  { part, rates, runs, quick, warmUpSeconds, seconds }: SidePlan,
  figures: SideFigures[],
): Promise<void> {
  const parts = part.split(',')
  const measure = async (
    what: string,
    take: (context: BenchContext, product: ProductName) => Promise<SideFigures>,
  ): Promise<void> => {
    console.log(`\n${what}`)
    for (const product of PRODUCTS)
      await inContext(async (context) => {
        const one = await take(context, product)
        figures.push(one)
        console.log(sideLine(one))
      })
  }
  for (let run = 1; run <= runs; run += 1) {
    if (parts.includes('pace'))
      for (const rate of rates)
        await measure(`${rate} leads/s, run ${run}`, (context, product) =>
          measurePace(context, product, { rate, warmUpSeconds, seconds }),
        )
    if (parts.includes('drain'))
      for (const endpoints of [1, 200])
        await measure(
          `After an outage of the worker, ${endpoints} endpoints, run ${run}`,
          (context, product) => measureBacklog(context, product, { leads: quick ? 500 : 20_000, endpoints }),
        )
    if (parts.includes('memory'))
      await measure(`Memory, run ${run}`, (context, product) => measureMemory(context, product, quick))
  }
  console.log(`\n${sideTables(figures)}`)
}
