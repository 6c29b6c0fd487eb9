import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { now } from '../lab/now.ts'
import type { AnswerOrder } from '../lab/receiver/receipt.ts'
import { startServer, startWorker } from '../lab/start-product.ts'
import { BURST_AFTER_MS, burstBatches, postBatches, waitForBurst } from './burst.ts'
import { cpuPerItem, readCpuTimes, type CpuTimes } from './cpu.ts'
import { leadOf } from './lead.ts'
import type { BenchContext } from './services.ts'
import { SEED, setUpSources } from './set-up-source.ts'
import { describeSpread, type Spread } from './spread.ts'
import { readLatencies, waitForReceipts } from './wait-for-receipts.ts'

const CONNECTIONS = 64
const QUIET_MS = 15_000
/** Leads to a client whose webhooks are all new and never answer, right after the warm-up: as many as twelve presses of a button. */
const FRESH_LEADS = 12
const BAD_ANSWERS: readonly AnswerOrder[] = [
  { path: '/bad/hang', answer: 'hang' },
  { path: '/bad/slow', answer: { status: 200, delayMs: 5000 } },
  { path: '/bad/reset', answer: 'reset' },
]

/**
 * Who is beside the healthy endpoint. Endpoints that misbehave: every fifth lead goes to one of them, in turns. Or a client
 * whose source posts 20,000 leads at once, in batches of 1,000, while the healthy one is measured. Or one whose webhooks are all
 * new and never answer, `fresh`: they hear of twelve leads right after the warm-up.
 */
export interface BadNeighbours {
  behaviour: 'hang' | 'slow' | 'reset' | 'burst' | 'fresh'
  endpoints: number
}

export interface OpenLoopResult {
  rate: number
  bad: BadNeighbours | null
  warmUpSeconds: number
  seconds: number
  /** all that were meant for the healthy endpoint, those of the warm-up too; undelivered are those acked that never came */
  offered: number
  acked: number
  delivered: number
  repeated: number
  undelivered: number
  /** of a burst beside: leads taken, delivered, and seconds from its first post to its last delivery */
  burst: { acked: number; delivered: number; seconds: number } | null
  /** how late the generator itself was, milliseconds: past a few, the others mean nothing */
  lateness: Spread
  /** milliseconds from the moment a lead was meant to be sent until the API's answer */
  answer: Spread
  /** the same until the endpoint has it; null when something is undelivered */
  receipt: Spread | null
  /** microseconds of processor time for one lead, by program */
  cpu: CpuTimes
}

/**
 * Sends leads at fixed moments whatever comes back (no coordinated omission) to a real server with a real worker. Each
 * carries the moment it was meant to be sent through to the endpoint.
 */
export async function openLoop(
  context: BenchContext,
  options: { rate: number; warmUpSeconds: number; seconds: number; bad: BadNeighbours | null },
): Promise<OpenLoopResult> {
  const { rate, warmUpSeconds, seconds, bad } = options
  const server = await startServer({ ...context.env, ...SEED }, context.manner)
  const { url } = server
  const { receiver } = context
  const worker = await startWorker({ ...context.env, PUBLIC_URL: url }, context.manner)
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 })
  try {
    await receiver.answerWith(BAD_ANSWERS)
    const [healthyKey = '', ...badKeys] = await setUpSources(url, [
      [`${receiver.url}/leads`],
      ...(bad === null ? [] : endpointsOf(bad, receiver.url)),
    ])
    await receiver.reset()
    const read = () => readCpuTimes(context, { server: server.pid(), worker: worker.pid() })
    const before = await read()
    const startAt = now() + 200
    const warmedUp = startAt + warmUpSeconds * 1000
    const total = Math.round(rate * (warmUpSeconds + seconds))
    const lateness: number[] = []
    const answers: number[] = []
    const sends: Promise<boolean>[] = []
    const neighbours: Promise<boolean>[] = []
    const isBurst = bad?.behaviour === 'burst'
    let isFresh = bad?.behaviour === 'fresh'
    const takesTurns = bad !== null && !isBurst && !isFresh
    const batches = isBurst ? burstBatches() : []
    let burst: Promise<number> | undefined
    for (let index = 0; index < total; index += 1) {
      const intended = startAt + (index * 1000) / rate
      if (intended - now() > 1) await sleep(intended - now())
      if (isBurst && burst === undefined && intended >= warmedUp + BURST_AFTER_MS) {
        burst = postBatches(url, badKeys[0] ?? '', batches)
      }
      if (isFresh && intended >= warmedUp) {
        isFresh = false
        for (let lead = 0; lead < FRESH_LEADS; lead += 1) {
          neighbours.push(post(agent, url, badKeys[0] ?? '', total + lead, intended))
        }
      }
      const badKey =
        takesTurns && index % 5 === 4 ? badKeys[Math.floor(index / 5) % badKeys.length] : undefined
      if (badKey !== undefined) {
        neighbours.push(post(agent, url, badKey, index, intended))
        continue
      }
      const isMeasured = intended >= warmedUp
      if (isMeasured) lateness.push(Math.max(0, now() - intended))
      sends.push(
        post(agent, url, healthyKey, index, intended).then((isAccepted) => {
          if (isAccepted && isMeasured) answers.push(now() - intended)
          return isAccepted
        }),
      )
    }
    await Promise.all(neighbours)
    const acked = (await Promise.all(sends)).filter(Boolean).length
    const stats = await waitForReceipts(receiver, acked, QUIET_MS)
    const burstOutcome = isBurst
      ? await waitForBurst(receiver, (await burst) ?? 0, warmedUp + BURST_AFTER_MS)
      : null
    const after = await read()
    const undelivered =
      acked - stats.distinct + (burstOutcome === null ? 0 : burstOutcome.acked - burstOutcome.delivered)
    const latencies = (await readLatencies(receiver)).filter(([intended]) => intended >= warmedUp)
    return {
      rate,
      bad,
      warmUpSeconds,
      seconds,
      offered: sends.length,
      acked,
      delivered: stats.distinct,
      repeated: stats.count - stats.distinct,
      undelivered,
      burst: burstOutcome,
      lateness: describeSpread(lateness),
      answer: describeSpread(answers),
      receipt: undelivered > 0 ? null : describeSpread(latencies.map(([, latency]) => latency)),
      cpu: cpuPerItem(before, after, total),
    }
  } finally {
    await agent.destroy()
    await server.stop()
    await worker.stop()
  }
}

/** The endpoints of each bad neighbour. */
function endpointsOf({ behaviour, endpoints }: BadNeighbours, receiver: string): string[][] {
  if (behaviour === 'burst') return [[`${receiver}/burst`]]
  if (behaviour === 'fresh') return [Array<string>(endpoints).fill(`${receiver}/bad/hang`)]
  return Array.from({ length: endpoints }, () => [`${receiver}/bad/${behaviour}`])
}

/** Answers whether the API took the lead; a failure of any kind is a lead that was not acked. */
async function post(
  agent: Agent,
  url: string,
  key: string,
  index: number,
  intended: number,
): Promise<boolean> {
  try {
    const answer = await request(`${url}/api/v1/leads`, {
      method: 'POST',
      dispatcher: agent,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(leadOf(`bench-${index}`, index, intended)),
    })
    await answer.body.dump()
    return answer.statusCode === 201
  } catch (error) {
    console.error(`A lead was not taken: ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}
