import { setTimeout as sleep } from 'node:timers/promises'
import type { Span } from '../../lab/receiver/read-receipts.ts'
import { now } from '../../lab/now.ts'
import type { LabProcess } from '../../lab/start-process.ts'
import type { Deployment } from './stand-deployment.ts'

/** A fault and its repair, and the time from the first to the second. */
export interface Fault extends Span {
  what: string
}

export interface Faults {
  faults: Fault[]
  /** exits of a rolling restart */
  exits: { name: string; status: number | null; tookMs: number }[]
}

/** A lease of 25 s minus a margin: a longer outage of PostgreSQL lets another worker repeat a request. */
const LEASE_MS = 20_000
/** An hour has this many of the timetable's minutes; a shorter soak has the same faults in less time. */
const MINUTES = 60

type Act = [minute: number, what: string, act: (world: Deployment, seen: Faults) => Promise<void>]

/** Server 1 and worker 1 live for minutes. Server 2 and worker 2 live long, so that growth of memory shows. */
const OFTEN = [2, 7, 12, 17, 22, 27, 32, 37, 42, 47, 52]
const SELDOM = [4, 55]
const KILLS = [9, 19, 29, 39, 49]

const TIMETABLE: Act[] = [
  ...OFTEN.map((minute): Act => [minute, 'restart of server 1 and worker 1', rollPair(0)]),
  ...SELDOM.map((minute): Act => [minute, 'restart of server 2 and worker 2', rollPair(1)]),
  ...KILLS.map((minute): Act => [minute, 'kill -9 of worker 1', killWorker]),
  [14, 'PostgreSQL restarted (-m immediate)', restartPostgres],
  [24, "Redis' master lost", loseMaster],
  [34, 'PgBouncer killed', restartPooler],
  [40, 'PostgreSQL restarted (-m immediate)', restartPostgres],
  [44, "Redis' master lost", loseMaster],
]

/** Breaks and repairs by the timetable; `pass` resolves when that many seconds of the load are over. */
export async function breakDeployment(
  world: Deployment,
  minutes: number,
  pass: (seconds: number) => Promise<unknown>,
): Promise<Faults> {
  const seen: Faults = { faults: [], exits: [] }
  for (const [minute, what, act] of TIMETABLE.toSorted(([one], [other]) => one - other)) {
    await pass((minute * 60 * minutes) / MINUTES)
    const from = now()
    await act(world, seen)
    seen.faults.push({ what, from, until: now() })
    console.log(`  ${what}: ${((now() - from) / 1000).toFixed(1)} s`)
  }
  return seen
}

function rollPair(index: number): Act[2] {
  return async ({ servers, workers }, seen) => {
    for (const one of [servers[index], workers[index]]) if (one !== undefined) await roll(one, seen)
  }
}

async function roll(one: LabProcess, { exits }: Faults): Promise<void> {
  const from = now()
  const status = await one.stop()
  exits.push({ name: one.name, status, tookMs: now() - from })
  await one.restart()
}

async function killWorker({ workers, blur }: Deployment): Promise<void> {
  await workers[0]?.kill()
  blur('kill of worker 1')
  await workers[0]?.restart()
}

async function restartPostgres({ postgres, blur }: Deployment): Promise<void> {
  const from = now()
  await postgres.crash()
  await postgres.start()
  if (now() - from > LEASE_MS) blur('long outage of PostgreSQL', 2, from)
}

async function restartPooler({ pooler }: Deployment): Promise<void> {
  await pooler.restart()
}

/** The lost one comes back as a replica, so that the next loss has an heir. */
async function loseMaster({ watched }: Deployment): Promise<void> {
  await watched.loseMaster()
  await sleep(5000)
  await watched.bringBack()
}
