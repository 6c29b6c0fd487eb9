import { setTimeout as sleep } from 'node:timers/promises'
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import path from 'node:path'
import { now } from '../../lab/now.ts'
import { checkLedger } from '../check-ledger.ts'
import { drainWorld } from '../drain.ts'
import { gatherLedger } from '../gather-ledger.ts'
import { closeAll, type Closers } from '../ground.ts'
import { hasProgram } from '../deployment/start-front.ts'
import { hasPooler } from '../deployment/start-pooler.ts'
import { findSentinel } from '../deployment/start-watched-redis.ts'
import type { ScenarioResult } from '../run-scenario.ts'
import { sendLeads } from '../send-leads.ts'
import { breakDeployment } from './break-deployment.ts'
import { judgeBounds } from './judge-bounds.ts'
import { judgePromise } from './judge-promise.ts'
import { watchDeployment } from './sample-deployment.ts'
import { standDeployment, type Deployment } from './stand-deployment.ts'

/** Fault-free seconds at the end, in which everything must have settled. */
const DRAIN_SECONDS = 180

export interface SoakOrder {
  minutes: number
  /** leads/s */
  rate: number
}

/** Runs a whole deployment for a long time with a fault every few minutes, and checks every ledger at the end. */
export async function runSoak(order: SoakOrder): Promise<ScenarioResult> {
  const closers: Closers = []
  const missing = await findMissing()
  if (missing.length > 0)
    throw new Error(`The soak needs programs that are not installed: ${missing.join(', ')}`)
  try {
    return await soak(await standDeployment(closers), order)
  } finally {
    await closeAll(closers)
  }
}

async function findMissing(): Promise<string[]> {
  return [
    ...((await hasProgram('nginx')) ? [] : ['nginx']),
    ...((await hasPooler()) ? [] : ['pgbouncer']),
    ...((await findSentinel()) === undefined ? ['redis-sentinel'] : []),
  ]
}

async function soak(world: Deployment, { minutes, rate }: SoakOrder): Promise<ScenarioResult> {
  const figures: Record<string, string> = {}
  const figure = (name: string, value: string): void => {
    figures[name] = value
  }
  const startedAt = now()
  const pass = (seconds: number): Promise<unknown> => sleep(Math.max(0, startedAt + seconds * 1000 - now()))
  const watch = watchDeployment(world)
  const loads: number[] = []
  const looking = setInterval(() => loads.push(loadavg()[0] ?? 0), 30_000)
  const load = { rate, seconds: minutes * 60, authority: world.authority }
  const [sent, seen] = await Promise.all([
    sendLeads([world.url], world.sources, load, (index) => index),
    breakDeployment(world, minutes, pass),
  ])
  clearInterval(looking)
  const samples = await watch.stop()
  await writeFile(path.join(world.folder, 'samples.json'), JSON.stringify({ loads, samples }))
  const isDrained = await drainWorld(world, DRAIN_SECONDS)
  const ledger = await gatherLedger(world, sent.acks, null)
  const verdict = checkLedger(ledger)
  const bad = seen.exits.filter(({ status }) => status !== 0)
  const slowest = Math.max(0, ...seen.exits.map(({ tookMs }) => tookMs))
  figure('restarts', String(seen.exits.length))
  figure('slowest exit', `${(slowest / 1000).toFixed(1)} s`)
  figure('posted again', String(sent.acks.filter(({ tries }) => tries > 1).length))
  const [least, most] = [Math.min(...loads), Math.max(...loads)]
  const mean = loads.reduce((sum, one) => sum + one, 0) / loads.length
  figure('load average', `${mean.toFixed(1)} (${least.toFixed(1)} to ${most.toFixed(1)})`)
  const faults = [
    ...(isDrained ? [] : ['it did not drain in time']),
    ...verdict.violations.map(({ invariant, what }) => `${invariant}: ${what}`),
    ...(sent.acks.length < sent.offered ? [`${sent.offered - sent.acks.length} lead(s) never taken`] : []),
    ...bad.map(({ name, status }) => `${name} ended with ${status ?? 'a signal'}`),
    ...(await judgePromise(world, ledger, seen.faults, figure)),
    ...judgeBounds(samples, figure),
  ]
  return {
    id: 'SOAK',
    name: `${minutes} minutes of a whole deployment at ${rate} leads/s`,
    skipped: null,
    offered: sent.offered,
    verdict,
    recoverySeconds: null,
    faults,
    figures,
    notes: seen.faults.map(({ what, from, until }) => {
      const minute = ((from - startedAt) / 60_000).toFixed(1)
      return `minute ${minute}: ${what}, repaired after ${((until - from) / 1000).toFixed(1)} s`
    }),
    folder: world.folder,
  }
}
