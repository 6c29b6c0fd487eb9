import { Agent } from 'undici'
import { latencies } from '../lab/receiver/read-receipts.ts'
import { cpuPerItem, readCpuTimes, type CpuTimes } from './cpu.ts'
import { countTaken, sendAtPace } from './send-at-pace.ts'
import type { BenchContext } from './services.ts'
import { setUpClients } from './set-up-clients.ts'
import { describeSpread, type Spread } from './spread.ts'
import { startPrograms } from './start-programs.ts'
import { MEASURED, waitForReceipts } from './wait-for-receipts.ts'

export const CONNECTIONS = 64
const QUIET_MS = 15_000

export interface OpenLoad {
  rate: number
  /** worker processes */
  workers: number
  warmUpSeconds: number
  seconds: number
}

export interface OpenLoopResult extends OpenLoad {
  /** including the warm-up; undelivered leads were accepted but never arrived */
  offered: number
  acked: number
  delivered: number
  repeated: number
  undelivered: number
  /** lateness of the generator itself, milliseconds: above a few, the other figures mean nothing */
  lateness: Spread
  /** milliseconds from a lead's intended moment until the API's answer */
  answer: Spread
  /** the same until the endpoint has it; null if something is undelivered */
  receipt: Spread | null
  /** microseconds of processor time for one lead, by program */
  cpu: CpuTimes
}

/**
 * Sends leads at fixed moments to a real server with real workers. Each lead carries its intended moment
 * through to the endpoint.
 * @param setUp makes clients whose webhooks lead to the room MEASURED; returns the keys of the sources that
 * post leads in turns
 */
export async function openLoop(
  context: BenchContext,
  load: OpenLoad,
  setUp: (url: string) => Promise<string[]> = (url) => setUpOne(context, url),
): Promise<OpenLoopResult> {
  const { rate, workers, warmUpSeconds, seconds } = load
  const { receiver } = context
  const programs = await startPrograms(context, workers)
  const { url } = programs.server
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 })
  try {
    const keys = await setUp(url)
    await receiver.reset()
    const pids = Object.fromEntries(programs.workers.map(({ name, pid }) => [name, pid()]))
    const read = () => readCpuTimes(context, { server: programs.server.pid(), ...pids })
    const before = await read()
    const whole = warmUpSeconds + seconds
    const keyOf = (index: number): string => keys[index % keys.length] ?? ''
    const posts = await sendAtPace({ agent, url, rate, seconds: whole, name: 'bench', keyOf })
    const acked = countTaken(posts)
    const stats = await waitForReceipts(receiver, MEASURED, acked, QUIET_MS)
    const after = await read()

    const from = (posts[0]?.intended ?? 0) + warmUpSeconds * 1000
    const measured = posts.filter(({ intended }) => intended >= from)
    const receipts = (await receiver.receipts()).filter(({ path }) => path === `/${MEASURED}`)
    const undelivered = acked - stats.distinct
    return {
      ...load,
      offered: posts.length,
      acked,
      delivered: stats.distinct,
      repeated: stats.count - stats.distinct,
      undelivered,
      lateness: describeSpread(measured.map(({ lateMs }) => lateMs)),
      answer: describeSpread(measured.flatMap(({ answerMs }) => answerMs ?? [])),
      receipt: undelivered > 0 ? null : describeSpread(latencies(receipts, { from, until: Infinity })),
      cpu: cpuPerItem(before, after, posts.length),
    }
  } finally {
    await agent.destroy()
    await programs.stop()
  }
}

async function setUpOne({ receiver }: BenchContext, url: string): Promise<string[]> {
  const clients = await setUpClients(url, [[`${receiver.url}/${MEASURED}`]])
  return clients.map(({ key }) => key)
}
