import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { judgeMet, judgeSilence } from '../judges/judge-fault.ts'
import type { Span } from '../../lab/receiver/read-receipts.ts'
import { plantWaiting } from '../plant-leads.ts'
import { countLines, readAttempts } from '../read-logs.ts'
import type { Scenario } from '../scenario.ts'
import { now } from '../../lab/now.ts'
import type { World } from '../world.ts'

const SLOW = { status: 200, delayMs: 300 }
/** Slow enough that a worker that falls asleep has many requests in flight. */
const SLOWER = { status: 200, delayMs: 600 }
const SILENCE_LIMIT_MS = 3000
/**
 * Milliseconds. If an exchange with an endpoint that answers within one takes this long, the worker was
 * blocked.
 */
const HELD_UP_MS = 4000

/** spans in which a worker slept */
const sleeps = new WeakMap<World, Span[]>()

/** Workers that stop with something in flight, and wake up. */
export const letWorkersSleep: Scenario[] = [
  {
    id: 'S8',
    name: 'a worker sleeps (SIGSTOP) for 30 s, longer than its leases (25 s) and its locks (15 s) live, and wakes',
    passes:
      'at most one repeat for each delivery it had claimed; its late answers are logged and change no state',
    world: { workers: 2, endpoints: [SLOWER, SLOWER, SLOWER] },
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
    check: ({ world, verdict, figure }) =>
      judgeMet(
        {
          'requests made again': verdict.repeatsSeen,
          'late answers': countLines(world, 'lease lost to another sender'),
        },
        figure,
      ),
  },
  {
    id: 'S20',
    name: 'the event loop of one worker blocks: 5 s, then 30 s (longer than its leases)',
    passes: 'no repeat below the lease; above it at most one for each delivery it had claimed',
    world: { workers: 2, endpoints: [SLOWER, SLOWER], preloads: { 0: { modules: ['block-loop'] } } },
    load: { quick: { rate: 40, seconds: 10 }, long: { rate: 100, seconds: 60 } },
    break: async (run) => {
      const { world, length } = run
      await run.at(2)
      world.workers[0]?.signal('SIGUSR2')
      await sleep(6000)
      if (length === 'long') {
        const from = now()
        world.workers[0]?.signal('SIGWINCH')
        await sleep(32_000)
        world.blur('block of worker 1', 1, from)
      }
      run.mended()
    },
    check: async ({ world, length, verdict, figure }) => {
      const heldUp = (await readAttempts(world)).filter(({ tookMs }) => tookMs > HELD_UP_MS).length
      return judgeMet(
        {
          'exchanges that a block held up': heldUp,
          ...(length === 'long' && { 'requests made again': verdict.repeatsSeen }),
        },
        figure,
      )
    },
  },
  {
    id: 'S28',
    name: 'a worker sleeps with its slots full, and clients wait behind it; then one is killed asleep',
    passes:
      'no client is silent for 3 s: neither who waits with thousands, nor who brings a few leads a second',
    world: { workers: 2, endpoints: [SLOW, SLOW, SLOW], env: { WEBHOOK_CONCURRENCY: '10' } },
    load: { quick: { rate: 10, seconds: 14 }, long: { rate: 10, seconds: 75 } },
    choose: (index) => 1 + (index % 2),
    drainSeconds: 120,
    break: async (run) => {
      const { world, length, at } = run
      const [, sleeper] = world.workers
      const spans: Span[] = []
      sleeps.set(world, spans)
      await plantWaiting(run, 0, length === 'quick' ? 1000 : 4000)
      await at(4)
      const from = now()
      sleeper?.freeze()
      const { held, waiting } = await countHeld(world, 6000)
      run.meet('deliveries that slept with it', held)
      run.meet('deliveries that waited meanwhile', waiting)
      await at(length === 'quick' ? 11 : 40)
      sleeper?.thaw()
      spans.push({ from, until: now() })
      if (length === 'long') {
        await at(50)
        const again = now()
        sleeper?.freeze()
        await sleep(2000)
        await sleeper?.kill()
        await sleep(8000)
        spans.push({ from: again, until: now() })
        await sleeper?.restart()
      }
      world.blur('sleep of worker 2', 1, from)
      run.mended()
    },
    check: ({ world, ledger, met, figure }) => [
      ...judgeMet(met, figure),
      ...judgeSilence(
        ledger.receipts,
        { endpoints: [0, 1, 2], spans: sleeps.get(world) ?? [], limitMs: SILENCE_LIMIT_MS },
        figure,
      ),
    ],
  },
]

/**
 * Counts the deliveries that are claimed now and are still under the same claim after this time, and those
 * that are due and unclaimed then.
 */
async function countHeld(world: World, afterMs: number): Promise<{ held: number; waiting: number }> {
  const claimed = await sql<{ token: string }>`
    select lease_token as token from webhook_deliveries where state = 'pending' and lease_until > now()`.execute(
    world.db,
  )
  await sleep(afterMs)
  const { rows } = await sql<{ held: number; waiting: number }>`
    select count(*) filter (where lease_token = any(${claimed.rows.map(({ token }) => token)}::uuid[]))::int as held,
      count(*) filter (where lease_until is null or lease_until < now())::int as waiting
    from webhook_deliveries where state = 'pending' and next_attempt_at <= now()`.execute(world.db)
  return rows[0] ?? { held: 0, waiting: 0 }
}
