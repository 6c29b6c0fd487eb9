import { setTimeout as sleep } from 'node:timers/promises'
import type { LabProcess } from '../../lab/start-process.ts'
import { judgeRepeats } from '../judges/judge-acks.ts'
import { judgeExits, type Exit } from '../judges/judge-processes.ts'
import { judgeResends } from '../judges/judge-receipts.ts'
import type { Run, Scenario } from '../scenario.ts'
import { now } from '../../lab/now.ts'
import { watchStalls } from '../watch-stalls.ts'
import type { World } from '../world.ts'

/** The longest until a request is sent again whose worker died with it: lease or lock and two checks, 25 s, and some air. */
const RESEND_LIMIT_MS = 40_000
/** So that something is always in flight. */
const SLOW = { status: 200, delayMs: 300 }
const EXIT_LIMIT_MS = 25_000

export const killProcesses: Scenario[] = [
  {
    id: 'S1',
    name: 'kill -9 of one worker after the other, under load',
    passes: 'what was in flight is sent again within 40 s; nothing fails by a stall',
    world: { workers: 3, endpoints: [SLOW] },
    load: { quick: { rate: 40, seconds: 8 }, long: { rate: 200, seconds: 60 } },
    break: async (run) => {
      const { world, length, at } = run
      const kills = length === 'quick' ? 2 : 19
      for (let kill = 1; kill <= kills; kill += 1) {
        await at(kill * 3)
        const victim = world.workers[kill % world.workers.length]
        await victim?.kill()
        world.blur(`kill ${kill} of ${victim?.name ?? ''}`)
        await victim?.restart()
      }
      run.mended()
    },
    check: ({ ledger, figure }) => judgeResends(ledger.receipts, RESEND_LIMIT_MS, figure),
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
    id: 'S8',
    name: 'a worker sleeps (SIGSTOP) twice as long as its locks live, and wakes',
    passes: 'at most one repeat for each job it held; its late writes change no state',
    world: { workers: 2, endpoints: [SLOW] },
    load: { quick: { rate: 40, seconds: 8 }, long: { rate: 100, seconds: 60 } },
    break: async (run) => {
      const { world } = run
      await run.at(3)
      const from = now()
      world.workers[0]?.freeze()
      await sleep(30_000)
      world.workers[0]?.thaw()
      await sleep(1000)
      world.blur('sleep of worker 1', 1, from)
      run.mended()
    },
  },
  {
    id: 'S16',
    name: 'rolling deploy: SIGTERM to each worker in turn, under load; once with Redis down',
    passes: 'no stall, no repeat, each exit within 25 s',
    world: { workers: 2, endpoints: [SLOW] },
    load: { quick: { rate: 40, seconds: 8 }, long: { rate: 100, seconds: 60 } },
    break: rollWorkers,
    check: ({ figure, world }) =>
      judgeExits(exits.get(world) ?? { exits: [], stalls: 0 }, EXIT_LIMIT_MS, figure),
  },
  {
    id: 'S20',
    name: 'the event loop of one worker blocks: 5 s, then 20 s (longer than its locks)',
    passes: 'no repeat below the lock; above it at most one for each job it held',
    world: { workers: 2, preloads: { 0: { modules: ['block-loop'] } } },
    load: { quick: { rate: 40, seconds: 10 }, long: { rate: 100, seconds: 60 } },
    break: async (run) => {
      const { world, length } = run
      await run.at(2)
      world.workers[0]?.signal('SIGUSR2')
      await sleep(6000)
      if (length === 'long') {
        const from = now()
        world.workers[0]?.signal('SIGWINCH')
        await sleep(22_000)
        world.blur('block of worker 1', 1, from)
      }
      run.mended()
    },
  },
]

const exits = new WeakMap<World, { exits: Exit[]; stalls: number }>()

async function rollWorkers(run: Run): Promise<void> {
  const { world, length, at } = run
  const seen = { exits: Array<Exit>(), stalls: 0 }
  exits.set(world, seen)
  const watch = watchStalls(world)
  const deploys = length === 'quick' ? 2 : 10
  for (let deploy = 1; deploy <= deploys; deploy += 1) {
    await at(deploy * (length === 'quick' ? 2 : 5))
    const worker = world.workers[deploy % world.workers.length]
    if (worker !== undefined) seen.exits.push(await timeExit(worker, false))
    await worker?.restart()
  }
  seen.stalls = await watch.stop()
  if (length === 'long' && world.store !== undefined) {
    await world.store.crash()
    world.blur('Redis down')
    const [worker] = world.workers
    if (worker !== undefined) seen.exits.push(await timeExit(worker, true))
    await world.store.start()
    world.blur('Redis down')
    await worker?.restart()
  }
  run.mended()
}

async function timeExit(worker: LabProcess, redisWasDown: boolean): Promise<Exit> {
  const startedAt = performance.now()
  const status = await worker.stop()
  return { status, tookMs: performance.now() - startedAt, redisWasDown }
}
