import { setTimeout as sleep } from 'node:timers/promises'
import type { Scenario } from '../scenario.ts'
import { now } from '../../lab/now.ts'

export const breakPostgres: Scenario[] = [
  {
    id: 'S7',
    name: 'PostgreSQL restarts at once (-m immediate), again and again; then freezes for 10 s',
    passes: 'no send without a lease; the log is complete',
    world: { workers: 2 },
    load: { quick: { rate: 40, seconds: 8 }, long: { rate: 100, seconds: 60 } },
    break: async (run) => {
      const { length, world, at } = run
      const restarts = length === 'quick' ? 2 : 5
      for (let restart = 1; restart <= restarts; restart += 1) {
        await at(restart * (length === 'quick' ? 2 : 6))
        const from = now()
        await world.postgres.crash()
        await world.postgres.start()
        await sleep(500)
        world.blur(`restart ${restart} of PostgreSQL`, 2, from)
      }
      if (length === 'long') {
        await at(40)
        const from = now()
        await world.postgres.freeze()
        await sleep(10_000)
        await world.postgres.thaw()
        await sleep(500)
        world.blur('frozen PostgreSQL', 2, from)
      }
      run.mended()
    },
  },
]
