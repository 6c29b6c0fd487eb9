import type { OpenLoad } from '../open-loop.ts'
import { COUNTS_STATEMENTS } from '../service-use.ts'
import type { BenchContext } from '../services.ts'
import type { SizingFigures } from './figures.ts'
import { measureSizing } from './measure-sizing.ts'
import { loadLine, sizingTables } from './report-sizing.ts'

/**
 * Measures the cost of a lead once for each number of Redis masters. The loads are put together, and the bytes are those
 * of the first run.
 * @param inContext gives each run an empty database, and a cluster if it says so
 */
export async function measureMasters(
  inContext: (
    measure: (context: BenchContext) => Promise<void>,
    settings: readonly string[],
    hasCluster: boolean,
  ) => Promise<void>,
  { masters, loads }: { masters: readonly number[]; loads: readonly OpenLoad[] },
  sizing: { figures?: SizingFigures },
): Promise<void> {
  const [first] = loads
  console.log(
    `\nThe cost of a lead: ${first?.warmUpSeconds} s to warm up, ${first?.seconds} s measured at each load`,
  )
  for (const count of masters)
    await inContext(
      async (context) => {
        const found = await measureSizing(context, loads, (cost) => console.log(loadLine(cost)))
        const { figures = { ...found, loads: [] } } = sizing
        sizing.figures = { ...figures, loads: [...figures.loads, ...found.loads] }
      },
      COUNTS_STATEMENTS,
      count > 1,
    )
  if (sizing.figures !== undefined) console.log(`\n${sizingTables(sizing.figures)}`)
}
