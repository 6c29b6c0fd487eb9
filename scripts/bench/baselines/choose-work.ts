import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from 'bullmq'
import type { Config } from '#core/config/config.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { createContext } from '#worker/context.ts'
import { createSendDelivery } from '#worker/pipeline/2-send-delivery.ts'
import { createRecordAttempt } from '#worker/pipeline/3-record-attempt.ts'
import { createPostAndLog } from '../post-and-log.ts'

/** What a baseline's job carries; the pipeline's own data. */
export interface LoopJob {
  delivery_id: string
  webhook_config_id: string
  attempt: number
}

/** What a program writes that handles its jobs one at a time, each with statements of its own. */
const ONE_BY_ONE = { maxSize: 1, parallel: 20 }

/**
 * What a baseline does for each job: post a body and log it; or, with BENCH_WORK=whole, the pipeline's own stages, so that
 * only the queue is another: lease, lead, template, signature, address check, redaction, log, state, timeline. With
 * BENCH_WORK=one-by-one they claim and record each delivery by itself, as a task function does that knows of its own job only.
 */
export function chooseWork(config: Config): (job: LoopJob) => Promise<void> {
  const kind = process.env['BENCH_WORK']
  if (kind !== 'whole' && kind !== 'one-by-one') {
    const postAndLog = createPostAndLog(config)
    return (job) => postAndLog(job.delivery_id)
  }
  const database = { ...config.database, poolSize: 2 * ONE_BY_ONE.parallel }
  const { context: shared } = createContext(
    kind === 'whole' ? config : { ...config, database },
    config.secretsKey ?? '',
    createLogger('bench', 'warn'),
  )
  const context = kind === 'whole' ? shared : { ...shared, gathering: ONE_BY_ONE }
  const sendDelivery = createSendDelivery(context, createRecordAttempt(context), {
    slotsOf: () => config.webhooks.concurrency,
    waitForTurn: () => Promise.resolve(),
    noteFirst: () => undefined,
  })
  return async (job) => {
    for (;;) {
      const result = await sendDelivery({ data: job } as unknown as Job<unknown>)
      if (result.next !== 'later') return
      await sleep(Math.max(1, result.at - Date.now()))
    }
  }
}
