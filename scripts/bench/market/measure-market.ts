import { openLoop, type OpenLoad } from '../open-loop.ts'
import type { BenchContext } from '../services.ts'
import { MEASURED } from '../wait-for-receipts.ts'
import { measureChoice, type ChoiceResult } from './choice.ts'
import { measureCrowd, type CrowdResult } from './crowd.ts'
import { choiceTable, crowdTable } from './report-market.ts'
import { wholeTable, type WholeResult } from './report-whole.ts'
import { setUpMarket } from './set-up-market.ts'

interface MarketPlan {
  /** some of `crowd`, `killed` (a crowd whose worker dies again and again), `choice` and `whole`, separated by commas */
  part: string
  /** numbers of orders to choose among, separated by commas */
  rows?: string | undefined
  quick: boolean
  loads: readonly OpenLoad[]
}

export interface MarketResult {
  crowds: CrowdResult[]
  choices: ChoiceResult[]
  wholes: WholeResult[]
}

/** @param inContext gives each part an empty database */
export async function measureMarket(
  inContext: (measure: (context: BenchContext) => Promise<void>) => Promise<void>,
  { part, quick, rows = quick ? '10,100' : '10,100,1000,10000', loads }: MarketPlan,
  { crowds, choices, wholes }: MarketResult,
): Promise<void> {
  const parts = part.split(',')
  for (const crowd of ['crowd', 'killed']) {
    if (!parts.includes(crowd)) continue
    await inContext(async (context) => {
      const size = { clients: 40, callers: 32, leads: quick ? 800 : 8000 }
      crowds.push(await measureCrowd(context, size, crowd === 'killed'))
      console.log(`\n${crowds.map(crowdTable).join('\n\n')}`)
    })
  }
  if (parts.includes('choice')) {
    await inContext(async (context) => {
      for (const orders of rows.split(',').map(Number))
        choices.push(await measureChoice(context, orders, quick ? 1000 : 8000))
      console.log(`\n${choiceTable(choices)}`)
    })
  }
  if (!parts.includes('whole')) return
  // The two ways follow each other, so that other load of the machine affects both.
  for (const load of loads) {
    for (const way of ['named', 'market'] as const) {
      await inContext(async (context) => {
        const setUp = (url: string) => setUpMarket(context, url, MEASURED, way)
        wholes.push({ ...(await openLoop(context, load, setUp)), way })
      })
    }
  }
  console.log(`\n${wholeTable(wholes)}`)
}
