import type { LabProcess } from '../../lab/start-process.ts'
import { judgeRepeats } from '../judges/judge-acks.ts'
import { countUnderWay, judgeMet, judgeSilence } from '../judges/judge-fault.ts'
import { judgeExits, type Exit } from '../judges/judge-processes.ts'
import { judgeResends } from '../judges/judge-receipts.ts'
import type { Run, Scenario } from '../scenario.ts'
import { now } from '../../lab/now.ts'
import { watchStalls } from '../watch-stalls.ts'
import type { World } from '../world.ts'

/**
 * The longest time until a dead worker's request is repeated: its lease of 25 s, a poll, and a margin.
 */
const RESEND_LIMIT_MS = 40_000
/** Slow enough that something is always in flight. */
const SLOW_MS = 300
const SLOW = { status: 200, delayMs: SLOW_MS }
const EXIT_LIMIT_MS = 25_000
/** docs/decisions/0010: a killed worker silences no client for long while another worker runs. */
const SILENCE_LIMIT_MS = 3000

export const killProcesses: Scenario[] = [
  {
    id: 'S1',
    name: 'kill -9 of one worker after the other, under load',
    passes:
      'what was in flight is sent again within 40 s; no client is silent for 3 s; nothing fails by a stall',
    world: { workers: 3, endpoints: [SLOW, SLOW, SLOW] },
    load: { quick: { rate: 40, seconds: 8 }, long: { rate: 200, seconds: 60 } },
    break: async (run) => {
      const { world, length, at } = run
      const kills = length === 'quick' ? 2 : 19
      for (let kill = 1; kill <= kills; kill += 1) {
        await at(kill * 3)
        if (kill === 1) firstKills.set(world, now())
        const victim = world.workers[kill % world.workers.length]
        await victim?.kill()
        world.blur(`kill ${kill} of ${victim?.name ?? ''}`)
        await victim?.restart()
      }
      run.mended()
    },
    check: ({ ledger, world, mendedAt, figure }) => {
      const span = { from: firstKills.get(world) ?? mendedAt, until: lastOf(ledger.acks, mendedAt) }
      const rule = { endpoints: [0, 1, 2], spans: [span], limitMs: SILENCE_LIMIT_MS }
      return [
        ...judgeResends(ledger.receipts, RESEND_LIMIT_MS, figure),
        ...judgeSilence(ledger.receipts, rule, figure),
      ]
    },
  },
  {
    id: 'S2',
    name: 'kill -9 of the API while leads are posted',
    passes: 'no acknowledged lead without its events; a repeat under the same key makes no second lead',
    world: { workers: 1 },
    load: { quick: { rate: 50, seconds: 6 }, long: { rate: 100, seconds: 30 } },
    break: async (run) => {
      const kills = run.length === 'quick' ? 2 : 8
      for (let kill = 1; kill <= kills; kill += 1) {
        await run.at(kill * 3)
        await run.world.server.kill()
        await run.world.server.restart()
      }
      run.mended()
    },
    check: ({ ledger, figure }) => judgeRepeats(ledger.acks, figure),
  },
  {
    id: 'S16',
    name: 'rolling deploy: SIGTERM to each worker in turn, under load; once with Redis down',
    passes: 'no stall, no repeat, with Redis down neither; each exit within 25 s',
    world: { workers: 2, endpoints: [SLOW] },
    load: { quick: { rate: 40, seconds: 8 }, long: { rate: 100, seconds: 60 } },
    break: rollWorkers,
    check: ({ figure, world, ledger }) => {
      const seen = exits.get(world) ?? { exits: [], stalls: 0, moments: [] }
      const underWay = countUnderWay(ledger.receipts, seen.moments, SLOW_MS)
      return [
        ...judgeExits(seen, EXIT_LIMIT_MS, figure),
        ...judgeMet({ 'requests under way at a SIGTERM': underWay }, figure),
      ]
    },
  },
]

const firstKills = new WeakMap<World, number>()
/** `moments` are the times of each SIGTERM. */
const exits = new WeakMap<World, { exits: Exit[]; stalls: number; moments: number[] }>()

async function rollWorkers(run: Run): Promise<void> {
  const { world, length, at } = run
  const seen = { exits: Array<Exit>(), stalls: 0, moments: Array<number>() }
  exits.set(world, seen)
  const stop = async (worker: LabProcess, redisWasDown: boolean): Promise<void> => {
    seen.moments.push(now())
    seen.exits.push(await timeExit(worker, redisWasDown))
  }
  const watch = watchStalls(world)
  const deploys = length === 'quick' ? 2 : 10
  for (let deploy = 1; deploy <= deploys; deploy += 1) {
    await at(deploy * (length === 'quick' ? 2 : 5))
    const worker = world.workers[deploy % world.workers.length]
    if (worker !== undefined) await stop(worker, false)
    await worker?.restart()
  }
  seen.stalls = await watch.stop()
  if (length === 'long' && world.store !== undefined) {
    await world.store.crash()
    const [worker] = world.workers
    if (worker !== undefined) await stop(worker, true)
    await world.store.start()
    await worker?.restart()
  }
  run.mended()
}

async function timeExit(worker: LabProcess, redisWasDown: boolean): Promise<Exit> {
  const startedAt = performance.now()
  const status = await worker.stop()
  return { status, tookMs: performance.now() - startedAt, redisWasDown }
}

/** The intended moment of the last lead. */
function lastOf(acks: ReadonlyArray<{ intended: number }>, least: number): number {
  return acks.reduce((last, { intended }) => Math.max(last, intended), least)
}
