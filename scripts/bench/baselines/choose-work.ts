import { createKeyring } from '#core/secrets/keyring.ts'
import type { Config } from '#core/config/config.ts'
import type { Db } from '#core/data/database.ts'
import { claimDeliveries, type ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { createHeavyPayloads } from '#worker/dispatch/heavy-payloads.ts'
import type { Slot } from '#worker/dispatch/slot-pool.ts'
import { createBatcher } from '#core/concurrency/batch.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { createContext } from '#worker/context.ts'
import { createSendDelivery } from '#worker/pipeline/2-send-delivery.ts'
import { createRecordAttempt } from '#worker/pipeline/3-record-attempt.ts'
import { createTraces } from '#worker/dispatch/keep-traces.ts'
import { measureLease } from '#worker/dispatch/measure-lease.ts'
import { createPostAndLog } from '../drain/post-and-log.ts'

/** The data of a baseline's job: the pipeline's own. */
export interface LoopJob {
  delivery_id: string
  webhook_config_id: string
  attempt: number
}

/** Writes of a program that handles its jobs one at a time, each with its own statements. */
const ONE_BY_ONE = { maxSize: 1, parallel: 20 }

/**
 * The work of a baseline for each job: it posts a body and logs it. With BENCH_WORK=whole it runs the
 * pipeline's own stages, so that only the queue differs: lease, lead, template, signature, address check,
 * redaction, log, state, timeline. With BENCH_WORK=one-by-one they claim and record each delivery by itself,
 * like a task function that knows only its own job.
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
    createKeyring(config.secretsKey ?? ''),
    createLogger('bench', 'warn'),
  )
  const context = kind === 'whole' ? shared : { ...shared, gathering: ONE_BY_ONE }
  const heavy = createHeavyPayloads({ enter: () => ALONE }, () => performance.now())
  const sendDelivery = createSendDelivery(context, {
    recordAttempt: createRecordAttempt(context, heavy),
    heavy,
    traces: createTraces(),
    isProved: () => false,
  })
  const leaseSeconds = measureLease(config.webhooks.timeoutMs)
  const claims = createBatcher<string, ClaimedDelivery | undefined>({
    ...context.gathering,
    flush: (endpoints) => claimOne(context.claimDb, endpoints, leaseSeconds),
  })
  return async (job) => {
    const delivery = await claims.add(job.webhook_config_id)
    if (delivery !== undefined) await sendDelivery(delivery, ALONE)
  }
}

/** Claims the next delivery of each requested endpoint, for whichever job asks: there is a job for each. */
async function claimOne(
  db: Db,
  endpoints: readonly string[],
  leaseSeconds: number,
): Promise<Array<ClaimedDelivery | undefined>> {
  const asked = Map.groupBy(endpoints, (endpoint) => endpoint)
  const requests = [...asked].map(([endpoint, { length }]) => ({
    webhook_config_id: endpoint,
    most: length,
    most_low_priority: length,
    low_priority_first: false,
  }))
  const claimed = await claimDeliveries(db, requests, leaseSeconds)
  const found = new Map(
    claimed.map(({ deliveries }, index) => [requests[index]?.webhook_config_id, deliveries]),
  )
  return endpoints.map((endpoint) => found.get(endpoint)?.pop())
}

/** The measured queue limits how many run at once. */
const ALONE: Slot = {
  exchange: (work) => work(),
  begin: () => () => undefined,
  leave: () => undefined,
}
