import { failpoint } from '#core/failpoints.ts'
import { ringJobSchema } from '#core/queue/queues.ts'
import type { Stage } from '../queues/run-stage.ts'
import type { Rounds } from './open-rounds.ts'
import type { Traces } from './keep-traces.ts'

/** A job only rings: it is over as soon as it is heard, and what it rang for waits in PostgreSQL until there is room. */
export function createHearRings(rounds: Pick<Rounds, 'hear'>, traces: Traces): Stage {
  return async function hearRings(job) {
    await failpoint('before-hear')
    const {
      webhook_config_id: endpoint,
      client_user_id: client = endpoint,
      ...ring
    } = ringJobSchema.parse(job.data)
    for (const [delivery, trace] of Object.entries(ring.traces ?? {})) traces.keep(delivery, trace)
    const rings = [[client, endpoint, ring.count ?? 1] as const, ...(ring.more ?? [])]
    await Promise.all(rings.map(([whose, where, count]) => rounds.hear(whose, where, count)))
    await failpoint('after-hear')
    return { next: 'done' }
  }
}
