import { Agent } from 'undici'
import { cpuPerItem, readCpuTimes, readResidentBytes } from '../cpu.ts'
import { CONNECTIONS, type OpenLoad } from '../open-loop.ts'
import { countTaken, sendAtPace } from '../send-at-pace.ts'
import { countStatements, readServiceUse, usePerItem } from '../service-use.ts'
import type { BenchContext } from '../services.ts'
import { setUpClients } from '../set-up-clients.ts'
import { startPrograms } from '../start-programs.ts'
import { MEASURED, waitForReceipts } from '../wait-for-receipts.ts'
import type { LoadCost, SizingFigures } from './figures.ts'
import { gainsOfLead, readTables } from './read-tables.ts'

const QUIET_MS = 60_000

/** Measures the cost of a lead at each load, one after the other in one database, and what it leaves behind. */
export async function measureSizing(
  context: BenchContext,
  loads: readonly OpenLoad[],
  tell: (cost: LoadCost) => void,
): Promise<SizingFigures> {
  const { db, masters } = context
  const counts = await countStatements(context)
  const costs: LoadCost[] = []
  let before: Awaited<ReturnType<typeof readTables>> | undefined
  let [left, leads] = [0, 0]
  for (const load of loads) {
    await inPrograms(context, load, async (post, pids) => {
      // The first leads fill caches, and make the rows that a client has once.
      await post(load.warmUpSeconds, 'warm')
      if (before === undefined) {
        before = await readTables(db)
        left = await readRedisBytes(masters)
      } else leads += load.warmUpSeconds * load.rate
      const cpu = await readCpuTimes(context, pids)
      const use = await readServiceUse(context, counts)
      const { taken, lost } = await post(load.seconds, 'measured')
      leads += taken
      const cost: LoadCost = {
        rate: load.rate,
        workers: load.workers,
        masters: masters.length,
        leads: taken,
        lost,
        cpu: cpuPerItem(cpu, await readCpuTimes(context, pids), taken),
        use: usePerItem(use, await readServiceUse(context, counts), taken),
        resident: Object.fromEntries(
          Object.entries(pids).map(([name, pid]) => [name, readResidentBytes([pid])]),
        ),
      }
      costs.push(cost)
      tell(cost)
    })
  }
  const tables = before === undefined ? [] : gainsOfLead(before, await readTables(db), leads)
  return { loads: costs, tables, leads, redisBytes: (await readRedisBytes(masters)) - left }
}

async function inPrograms(
  context: BenchContext,
  { rate, workers }: OpenLoad,
  run: (
    post: (seconds: number, name: string) => Promise<{ taken: number; lost: number }>,
    pids: Readonly<Record<string, number>>,
  ) => Promise<void>,
): Promise<void> {
  const { receiver } = context
  const programs = await startPrograms(context, workers)
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 })
  try {
    const { url } = programs.server
    const [client] = await setUpClients(url, [[`${receiver.url}/${MEASURED}`]])
    await receiver.reset()
    let expected = 0
    const post = async (seconds: number, name: string) => {
      const keyOf = (): string => client?.key ?? ''
      const taken = countTaken(await sendAtPace({ agent, url, rate, seconds, name, keyOf }))
      expected += taken
      const { distinct } = await waitForReceipts(receiver, MEASURED, expected, QUIET_MS)
      return { taken, lost: expected - distinct }
    }
    const workerPids = Object.fromEntries(programs.workers.map(({ name, pid }) => [name, pid()]))
    await run(post, { server: programs.server.pid(), ...workerPids })
  } finally {
    await agent.destroy()
    await programs.stop()
  }
}

async function readRedisBytes(masters: BenchContext['masters']): Promise<number> {
  const infos = await Promise.all(masters.map((master) => master.info('memory')))
  return infos.reduce(
    (sum, info) => sum + Number(/^used_memory_dataset:(\d+)/m.exec(info)?.[1] ?? Number.NaN),
    0,
  )
}
