import { setTimeout as sleep } from 'node:timers/promises'
import type { Span } from '../../lab/receiver/read-receipts.ts'
import { countWithin, judgeMet } from '../judges/judge-fault.ts'
import { judgeRunning } from '../judges/judge-processes.ts'
import type { Scenario } from '../scenario.ts'
import { now } from '../../lab/now.ts'
import type { World } from '../world.ts'

/** Slow enough for answers to arrive while nobody can write them. */
const SLOW_MS = 300

/** spans in which PostgreSQL was away */
const aways = new WeakMap<World, Span[]>()

export const breakPostgres: Scenario[] = [
  {
    id: 'S7',
    name: 'PostgreSQL restarts at once (-m immediate), again and again; then freezes for 10 s',
    // Each outage is shorter than a lease: an answer waits in memory until it can be written, so no repeat is
    // allowed.
    passes: 'no send without a lease, none twice; the log is complete; no worker ends',
    world: { workers: 2, endpoints: [{ status: 200, delayMs: SLOW_MS }] },
    load: { quick: { rate: 40, seconds: 8 }, long: { rate: 100, seconds: 60 } },
    break: async (run) => {
      const { length, world, at } = run
      const { postgres } = world
      const spans: Span[] = []
      aways.set(world, spans)
      const restarts = length === 'quick' ? 2 : 5
      for (let restart = 1; restart <= restarts; restart += 1) {
        await at(restart * (length === 'quick' ? 2 : 6))
        const from = now()
        await postgres.crash()
        spans.push({ from, until: now() })
        await postgres.start()
      }
      if (length === 'long') {
        await at(40)
        const from = now()
        await postgres.freeze()
        await sleep(10_000)
        spans.push({ from, until: now() })
        await postgres.thaw()
      }
      run.mended()
    },
    check: ({ ledger, world, figure }) => {
      const answers = ledger.receipts.map(({ at }) => at + SLOW_MS)
      // Answers arrive for this long after the last request that was claimed in time.
      const spans = (aways.get(world) ?? []).map(({ from, until }) => ({ from, until: until + SLOW_MS }))
      return [
        ...judgeMet(
          {
            'answers that came while PostgreSQL was away': countWithin(answers, spans),
            'leads posted again': ledger.acks.filter(({ tries }) => tries > 1).length,
          },
          figure,
        ),
        ...judgeRunning(world.workers),
      ]
    },
  },
]
