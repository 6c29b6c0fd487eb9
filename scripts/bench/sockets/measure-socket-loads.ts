import { openLoop } from '../open-loop.ts'
import { openLoopLine } from '../report-open-loop.ts'
import type { BenchContext } from '../services.ts'
import { measureSockets, openLoopBeside, type SocketsResult } from './measure-sockets.ts'
import { socketPairsTable, socketsTables, type SocketPair } from './report-sockets.ts'

export interface SocketFigures {
  results: SocketsResult[]
  pairs: SocketPair[]
}

/**
 * Measures what sockets cost: told changes, and leads beside idle sockets. Each run begins with an empty database.
 * @param plan.sizes numbers of sockets
 * @param plan.pairs runs of the open loop without and with them, in turns
 */
export async function measureSocketLoads(
  inContext: (measure: (context: BenchContext) => Promise<void>) => Promise<void>,
  plan: { sizes: number[]; pairs: number; rates: number[]; warmUpSeconds: number; seconds: number },
  figures: SocketFigures,
): Promise<void> {
  const { warmUpSeconds, seconds } = plan
  for (const sockets of plan.sizes)
    for (const rate of plan.rates) {
      await inContext(async (context) => {
        console.log(`\n${sockets} sockets, ${rate} changes/s for ${seconds} s`)
        const result = await measureSockets(context, { sockets, rate, seconds })
        figures.results.push(result)
        console.log(`\n${socketsTables(result)}`)
      })
      const own: SocketPair[] = []
      const load = { rate, workers: 1, warmUpSeconds, seconds }
      for (let pair = 1; pair <= plan.pairs; pair += 1) {
        console.log(`\nOpen loop at ${rate} leads/s without and beside ${sockets} sockets, pair ${pair}`)
        const runs: Partial<SocketPair> = {}
        await inContext(async (context) => void (runs.alone = await openLoop(context, load)))
        await inContext(async (context) => void (runs.beside = await openLoopBeside(context, load, sockets)))
        const { alone, beside } = runs
        if (alone === undefined || beside === undefined) throw new Error('A run gave no result')
        own.push({ alone, beside })
        for (const run of [alone, beside]) console.log(openLoopLine(run))
      }
      figures.pairs.push(...own)
      console.log(`\n${socketPairsTable(own, sockets)}`)
    }
}
