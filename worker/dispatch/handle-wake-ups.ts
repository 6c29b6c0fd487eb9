import { failpoint } from '#core/failpoints.ts'
import { wakeUpJobSchema } from '#core/queue/queues.ts'
import type { Stage } from '../queues/run-stage.ts'
import type { Dispatcher } from './open-dispatcher.ts'
import type { Traces } from './keep-traces.ts'

/** The job is only a wake-up: it ends at once, and the deliveries wait in PostgreSQL until there are slots. */
export function createHandleWakeUps(dispatcher: Pick<Dispatcher, 'notify'>, traces: Traces): Stage {
  return async function handleWakeUps(job) {
    await failpoint('before-notify')
    const wakeUp = wakeUpJobSchema.parse(job.data)
    for (const [delivery, trace] of Object.entries(wakeUp.traces ?? {})) traces.keep(delivery, trace)
    const first = [wakeUp.client_user_id, wakeUp.webhook_config_id, wakeUp.count] as const
    const endpoints = [first, ...(wakeUp.more ?? [])]
    await Promise.all(endpoints.map(([owner, id, count]) => dispatcher.notify(owner, id, count)))
    await failpoint('after-notify')
    return { next: 'done' }
  }
}
