import { setTimeout as sleep } from 'node:timers/promises'
import type { BesideCase } from '../case.ts'
import { postAtOnce } from '../post-at-once.ts'
import { setUpSilentClients } from '../set-up-silent-clients.ts'

/** Time for requests to the first silent endpoints. */
const SEEN_MS = 2000

/**
 * The workers' knowledge of endpoints must outlive the process: they restart, and the silent endpoints
 * have leads at once.
 */
export const RESTART: BesideCase = {
  name: 'restart',
  who: 'a client with 10 new webhooks that never answer, and 12 leads before and 12 right after all workers begin anew',
  prepare: async (stage) => {
    const { endpoints, leads } = stage.pick({ endpoints: 10, leads: 12 }, { endpoints: 3, leads: 2 })
    const clients = await setUpSilentClients(stage, 1, endpoints)
    let before = 0
    return {
      clients,
      before: async () => {
        before = await postAtOnce(stage, 'before', clients, leads)
        await sleep(stage.pick(SEEN_MS, 100))
        await Promise.all(
          stage.programs.workers.map(async (worker) => {
            await worker.stop()
            await worker.restart()
          }),
        )
      },
      disturb: async () => ({ planned: before + (await postAtOnce(stage, 'after', clients, leads)) }),
    }
  },
}
