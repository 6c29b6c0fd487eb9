import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { now } from '../../lab/now.ts'
import { latencies } from '../../lab/receiver/read-receipts.ts'
import { cpuPerItem, readCpuTimes, readResidentBytes, type CpuTimes } from '../cpu.ts'
import { CONNECTIONS } from '../open-loop.ts'
import { postLead } from '../post-lead.ts'
import { countTaken, sendAtPace } from '../send-at-pace.ts'
import { countStatements, readServiceUse, usePerItem, type ServiceUse } from '../service-use.ts'
import type { BenchContext } from '../services.ts'
import { describeSpread, median, type Spread } from '../spread.ts'
import { MEASURED, waitForReceipts } from '../wait-for-receipts.ts'
import { openProduct, type ProductName } from './products.ts'

const QUIET_MS = 30_000
/** PostgreSQL's processes report their counts up to a second late. */
const COUNTS_LATE_MS = 1500
const MEMORY = { leads: 20_000, restMs: 60_000, readings: 30, apartMs: 1000 } as const

interface Figures {
  product: ProductName
  /** accepted leads that never arrived, and deliveries that arrived twice */
  lost: number
  repeated: number
}

/** Single leads at a steady rate. */
export interface PaceFigures extends Figures {
  kind: 'pace'
  rate: number
  /** microseconds of processor time for one lead, by program */
  cpu: CpuTimes
  use: ServiceUse
  /** milliseconds from a lead's intended moment until the answer, and until the endpoint has it */
  answer: Spread
  receipt: Spread
}

/** The speed at which the backlog of a worker outage is delivered. */
export interface DrainFigures extends Figures {
  kind: 'drain'
  endpoints: number
  perSecond: number
  cpu: CpuTimes
}

/** Memory of all processes of the product, a minute after many leads. */
export interface MemoryFigures extends Figures {
  kind: 'memory'
  residentBytes: number
}

export type SideFigures = PaceFigures | DrainFigures | MemoryFigures

export interface PaceLoad {
  rate: number
  warmUpSeconds: number
  seconds: number
}

/** Sends leads at fixed moments. The figures leave out the leads of the warm-up. */
export async function measurePace(
  context: BenchContext,
  name: ProductName,
  { rate, warmUpSeconds, seconds }: PaceLoad,
): Promise<PaceFigures> {
  const { receiver } = context
  const stage = await openStage(context, name, 1)
  const counts = await countStatements(context)
  try {
    await stage.startWorker()
    await receiver.reset()
    const send = (seconds: number, part: string) =>
      sendAtPace({ ...stage, rate, seconds, name: part, keyOf: () => stage.keys[0] ?? '' })
    const early = countTaken(await send(warmUpSeconds, 'early'))
    await waitForReceipts(receiver, MEASURED, early, QUIET_MS)
    await sleep(COUNTS_LATE_MS)
    const before = {
      cpu: await readCpuTimes(context, stage.pids()),
      use: await readServiceUse(context, counts),
    }
    const posts = await send(seconds, 'measured')
    const acked = countTaken(posts)
    const tally = await waitForReceipts(receiver, MEASURED, early + acked, QUIET_MS)
    const cpu = cpuPerItem(before.cpu, await readCpuTimes(context, stage.pids()), acked)
    await sleep(COUNTS_LATE_MS)
    const from = posts[0]?.intended ?? 0
    const receipts = (await receiver.receipts()).filter(({ path }) => path.startsWith(`/${MEASURED}`))
    return {
      kind: 'pace',
      product: name,
      rate,
      cpu,
      use: usePerItem(before.use, await readServiceUse(context, counts), acked),
      answer: describeSpread(posts.flatMap(({ answerMs }) => answerMs ?? [])),
      receipt: describeSpread(latencies(receipts, { from, until: Infinity })),
      lost: posts.length - acked + early + acked - tally.distinct,
      repeated: tally.count - tally.distinct,
    }
  } finally {
    await stage.close()
  }
}

/** Leads arrive while no worker runs; then one starts with events that nobody has planned. */
export async function measureBacklog(
  context: BenchContext,
  name: ProductName,
  { leads, endpoints }: { leads: number; endpoints: number },
): Promise<DrainFigures> {
  const { receiver } = context
  const stage = await openStage(context, name, endpoints)
  try {
    await receiver.reset()
    const acked = await stage.postAll(leads)
    await sleep(COUNTS_LATE_MS)
    const before = await readCpuTimes(context, stage.pids())
    await stage.startWorker()
    const tally = await waitForReceipts(receiver, MEASURED, acked, QUIET_MS)
    await stage.waitUntilSettled()
    return {
      kind: 'drain',
      product: name,
      endpoints,
      perSecond: (tally.count - 1) / ((tally.last - tally.first) / 1000),
      cpu: cpuPerItem({ worker: 0, ...before }, await readCpuTimes(context, stage.pids()), acked),
      lost: leads - tally.distinct,
      repeated: tally.count - tally.distinct,
    }
  } finally {
    await stage.close()
  }
}

export async function measureMemory(
  context: BenchContext,
  name: ProductName,
  isQuick: boolean,
): Promise<MemoryFigures> {
  const leads = isQuick ? 500 : MEMORY.leads
  const stage = await openStage(context, name, 1)
  try {
    await stage.startWorker()
    await context.receiver.reset()
    const acked = await stage.postAll(leads)
    const tally = await waitForReceipts(context.receiver, MEASURED, acked, QUIET_MS)
    await sleep(isQuick ? COUNTS_LATE_MS : MEMORY.restMs)
    const readings: number[] = []
    for (let reading = 0; reading < (isQuick ? 1 : MEMORY.readings); reading += 1) {
      readings.push(readResidentBytes(Object.values(stage.pids())))
      await sleep(MEMORY.apartMs)
    }
    return {
      kind: 'memory',
      product: name,
      residentBytes: median(readings),
      lost: leads - tally.distinct,
      repeated: tally.count - tally.distinct,
    }
  } finally {
    await stage.close()
  }
}

/** The product with its server running, and clients whose leads go to the receiver. */
async function openStage(context: BenchContext, name: ProductName, endpoints: number) {
  const { receiver } = context
  const product = await openProduct(context, name)
  const server = await product.startServer()
  const { url } = server
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 })
  const started = [server]
  const close = async (): Promise<void> => {
    await agent.destroy()
    for (const one of started.toReversed()) await one.stop()
  }
  try {
    const paths = Array.from({ length: endpoints }, (_path, index) => `${receiver.url}/${MEASURED}/${index}`)
    const keys = await product.setUp(url, paths)
    return {
      agent,
      url,
      keys,
      close,
      pids: () =>
        Object.fromEntries(started.map((one, index) => [index === 0 ? 'server' : 'worker', one.pid()])),
      startWorker: async () => void started.push({ url, ...(await product.startWorker()) }),
      /** Posts without pauses. @returns how many were accepted */
      postAll: async (leads: number): Promise<number> => {
        const next = { index: 0, taken: 0 }
        const caller = async (): Promise<void> => {
          while (next.index < leads) {
            const index = next.index
            next.index += 1
            const key = keys[index % keys.length] ?? ''
            const isTaken = await postLead(agent, url, {
              key,
              externalId: `b-${index}`,
              index,
              intended: now(),
            })
            if (isTaken) next.taken += 1
          }
        }
        await Promise.all(Array.from({ length: CONNECTIONS }, caller))
        return next.taken
      },
      waitUntilSettled: async () => {
        const until = now() + QUIET_MS
        while ((await product.countOpen()) > 0 && now() < until) await sleep(100)
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
