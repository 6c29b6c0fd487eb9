import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { countFeedEntries, findFeedFaults } from '../../lab/market/find-feed-faults.ts'
import { judgeMet } from '../judges/judge-fault.ts'
import { judgeMarket } from '../judges/judge-market.ts'
import { giveBackSome } from '../market/give-back.ts'
import { readMarket } from '../market/read-market.ts'
import type { Evidence, Run, Scenario } from '../scenario.ts'
import type { World, WorldOrder } from '../world.ts'

/** Clients whose CRM refuses a tenth of its leads, and two that take all. */
const MARKET: WorldOrder = {
  endpoints: ['ok', 'ok', 'ok', { status: 200, delayMs: 300 }],
  market: ['reoffer', 'return', 'keep', 'keep'],
}

/** Failpoints at which a worker dies, each at this many passes. The first worker does not die. */
const DEATHS: readonly (readonly string[])[] = [
  [],
  ['before-assign=exit*12'],
  ['after-assign=exit*12'],
  ['before-undelivered=exit'],
  ['after-undelivered=exit'],
]

const deaths = new WeakMap<World, Record<string, number>>()

export const breakTheMarket: Scenario[] = [
  {
    id: 'S29',
    name: 'the market: workers die inside assignment, debit and the taking back of leads, and by kill -9; so does the API, while returns are approved',
    passes:
      'each lead is decided; 0 charged twice, 0 charged for nothing; the ledger’s chain holds; feeds have no gap and no repeat',
    world: {
      ...MARKET,
      workers: DEATHS.length,
      preloads: Object.fromEntries(
        DEATHS.map((failpoints, index) => {
          const env = failpoints.length === 0 ? {} : { FAILPOINTS: failpoints.join(',') }
          return [index, { modules: [], env }]
        }),
      ),
    },
    load: { quick: { rate: 40, seconds: 10 }, long: { rate: 40, seconds: 60 } },
    drainSeconds: 120,
    break: killInside,
    check: async (evidence) => [
      ...(await judgeSold(evidence)),
      ...judgeMet({ ...deaths.get(evidence.world), ...evidence.met }, evidence.figure),
    ],
  },
  {
    id: 'S30',
    name: 'the market: Redis is killed and flushed, PostgreSQL restarts at once and freezes, while leads are sold and given back',
    passes:
      'each lead is decided; 0 charged twice, 0 charged for nothing; the ledger’s chain holds; feeds have no gap and no repeat',
    world: { ...MARKET, workers: 2 },
    load: { quick: { rate: 25, seconds: 10 }, long: { rate: 40, seconds: 60 } },
    drainSeconds: 120,
    break: stopServices,
    check: async (evidence) => [
      ...(await judgeSold(evidence)),
      ...judgeMet(
        {
          ...evidence.met,
          'leads posted again': evidence.ledger.acks.filter(({ tries }) => tries > 1).length,
        },
        evidence.figure,
      ),
    ],
  },
]

async function judgeSold({ world, ledger, figure }: Evidence): Promise<string[]> {
  const faults = await findFeedFaults(world.db)
  figure('entries of feeds', String(await countFeedEntries(world.db)))
  return [
    ...judgeMarket(
      ledger.acks.map(({ leadId }) => leadId),
      await readMarket(world.db),
      figure,
    ),
    ...(faults.length > 0 ? [`${faults.length} fault(s) of feeds, the first: ${faults[0]?.what}`] : []),
  ]
}

/** Clients return leads from here until `end` is called. */
function startGivingBack(run: Run): () => Promise<void> {
  let isOver = false
  const giving = giveBackSome(run.world, () => isOver)
  giving.catch(() => undefined)
  return async () => {
    isOver = true
    const { approved } = await giving
    run.meet('returns approved', approved)
  }
}

async function killInside(run: Run): Promise<void> {
  const { world, length, at } = run
  const [steady, ...doomed] = world.workers
  const endGiving = startGivingBack(run)
  const seconds = length === 'quick' ? 10 : 60
  const over = new AbortController()
  const keepAlive = async (): Promise<void> => {
    while (!over.signal.aborted) {
      for (const worker of doomed) {
        if (worker.isRunning()) continue
        world.blur(`the death of ${worker.name}`)
        await worker.restart()
      }
      await sleep(100)
    }
  }
  const keeping = keepAlive()
  for (let second = 4; second < seconds; second += 8) {
    await at(second)
    await steady?.kill()
    world.blur(`kill of ${steady?.name ?? ''}`)
    await steady?.restart()
    await at(second + 4)
    await world.server.kill()
    await world.server.restart()
    run.meet('kills by hand', 2)
  }
  await at(seconds)
  over.abort()
  await keeping
  await endGiving()
  // These workers would die again; the steady one finishes their work.
  for (const worker of doomed) {
    if (worker.isRunning()) await worker.kill()
    world.blur(`the end of ${worker.name}`)
  }
  deaths.set(world, await countDeaths(world))
  run.mended()
}

/** The number of deaths at each failpoint, from the processes' output. */
async function countDeaths(world: World): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [index, failpoints] of DEATHS.entries()) {
    if (failpoints.length === 0) continue
    const log = await readFile(path.join(world.folder, `worker-${index + 1}.log`), 'utf8')
    for (const failpoint of failpoints) {
      const [name = ''] = failpoint.split('=')
      counts[`deaths at ${name}`] = log.split(`failpoint ${name}: exit`).length - 1
    }
  }
  return counts
}

async function stopServices(run: Run): Promise<void> {
  const { world, length, at } = run
  const { store, redis, postgres } = world
  const endGiving = startGivingBack(run)
  const rounds = length === 'quick' ? 1 : 4
  const step = length === 'quick' ? 9 : 14
  for (let round = 0; round < rounds; round += 1) {
    await at(round * step + 2)
    await store?.crash()
    await sleep(1500)
    await store?.start()
    await at(round * step + 5)
    await redis.flushall().catch(() => undefined)
    await at(round * step + 6)
    await postgres.crash()
    await postgres.start()
    await at(round * step + 9)
    await postgres.freeze()
    await sleep(length === 'quick' ? 1000 : 5000)
    await postgres.thaw()
    run.meet('services stopped', 4)
  }
  await at(rounds * step + 2)
  await endGiving()
  run.mended()
}
