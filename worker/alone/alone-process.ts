import { Worker } from 'node:worker_threads'
import type { Config } from '#core/config/config.ts'
import { openDatabase } from '#core/data/database.ts'
import type { HeavyPayloads } from '../dispatch/heavy-payloads.ts'
import type { Slot } from '../dispatch/slot-pool.ts'
import { armFailpoints } from '#core/failpoints.ts'
import { createClosing } from '#core/closing.ts'
import { prepareStart } from '#core/prepare-start.ts'
import { stopInTime } from '#core/stop-in-time.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { openTracing } from '#core/telemetry/open-tracing.ts'
import { GATHERING } from '../limits.ts'
import type { SendingContext } from '../sending-context.ts'
import { openEndpoint } from '../endpoint/open-endpoint.ts'
import { watchEndpoints } from '../housekeeping/endpoints/watch-endpoints.ts'
import { runEvery } from '../housekeeping/run-every.ts'
import { createSendDelivery } from '../pipeline/2-send-delivery.ts'
import { createRecordAttempt } from '../pipeline/3-record-attempt.ts'
import { createTraces } from '../dispatch/keep-traces.ts'
import { BEGIN_WITHIN_MS } from '../dispatch/measure-lease.ts'
import { ALIVE_EVERY_MS, type FromSender, type ToSender } from './messages.ts'

/** Milliseconds for which a delivery in flight may continue after the worker has ended. */
const STOP_LIMIT_MS = 35_000

/** This process sends one delivery at a time, so it needs no limits. */
const ALL_ROOM: Slot = { exchange: (work) => work(), begin: () => () => undefined, leave: () => undefined }
const NOTHING_HEAVY: Pick<HeavyPayloads, 'make' | 'note'> = { make: makeAtOnce, note: () => undefined }

async function makeAtOnce<Payload>(
  ...[, , work]: [string, string, () => Payload]
): Promise<Awaited<Payload>> {
  return await work()
}

/**
 * The program of a process that sends deliveries alone: one at a time, from the claimed row to the recorded answer. Its
 * worker starts it (start-sender.ts). When the worker ends, this process finishes its delivery and ends too.
 */
async function start(config: Config): Promise<void> {
  armFailpoints(config.failpoints)
  const tracing = await openTracing(config, 'leadwire-worker')
  const logger = createLogger('worker', config.logLevel, tracing)
  const { secrets, keysFor } = await prepareStart(config)
  const { keep, close } = createClosing()
  const { db, close: closeDatabase } = openDatabase(
    { ...config.database, poolSize: GATHERING.parallel, name: 'leadwire-worker-alone', byKey: true },
    (error) => logger.warn({ err: error }, 'a database connection broke'),
  )
  keep('PostgreSQL', { part: db, close: closeDatabase })
  keep('traces', { part: tracing, close: tracing.close })
  const endpoint = keep('connections to endpoints', openEndpoint({ config, logger }))
  const context: SendingContext = {
    config,
    logger,
    db,
    secrets,
    outcomeKeys: keysFor('outcomes'),
    tracing,
    ...endpoint,
    gathering: GATHERING,
    metrics: {
      countAttempt: (outcome) => tell({ kind: 'attempt', outcome }),
      countFinished: (state) => tell({ kind: 'finished', state }),
      observeLatency: (seconds) => tell({ kind: 'latency', seconds }),
      beginExchange: () => () => undefined,
      // Two senders died with these: they say nothing about how soon leads are sent.
      observeBegin: () => undefined,
      observeBatch: () => undefined,
      observeStage: () => undefined,
    },
  }
  const send = createSendDelivery(context, {
    recordAttempt: createRecordAttempt(context, NOTHING_HEAVY),
    heavy: NOTHING_HEAVY,
    traces: createTraces(),
    isProved: () => false,
  })
  const { watchEndpointsMs } = config.housekeeping
  const stopWatching = runEvery('watch-endpoints', watchEndpointsMs, logger, () => watchEndpoints(context))
  setInterval(() => tell({ kind: 'alive' }), ALIVE_EVERY_MS)
  watchWorker()

  let inFlight: Promise<unknown> = Promise.resolve()
  process.on('message', (message: unknown) => {
    const told = message as ToSender
    if (told.kind !== 'send') return
    const gotAt = performance.now()
    const mayBegin = (): boolean => performance.now() - gotAt <= BEGIN_WITHIN_MS
    inFlight = send(told.delivery, ALL_ROOM, mayBegin).finally(() => tell({ kind: 'sent' }))
  })
  process.removeAllListeners('disconnect')
  process.once('disconnect', () => {
    const order = { name: 'process that sends alone', limitMs: STOP_LIMIT_MS, logger }
    void stopInTime(order, async (waitFor) => {
      await waitFor('the delivery in flight', () => inFlight)
      await waitFor('chores', stopWatching)
      await waitFor('the last outcomes', () => watchEndpoints(context))
      await close(waitFor)
    }).then((status) => process.exit(status))
  })
  tell({ kind: 'ready' })
}

/** Starts the thread that ends this process if it hangs and its worker is gone. */
function watchWorker(): void {
  const beats = new Int32Array(new SharedArrayBuffer(4))
  setInterval(() => Atomics.add(beats, 0, 1), ALIVE_EVERY_MS / 2)
  const workerData = { beats, worker: process.ppid }
  new Worker(new URL('./watch-worker.ts', import.meta.url), { workerData }).unref()
}

/** The channel is closed if the worker has ended. */
function tell(message: FromSender): void {
  if (process.connected) process.send?.(message)
}

// On a signal to the whole process group, the worker decides when this process ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
process.once('disconnect', () => process.exit(1))
process.once('message', (message: unknown) => {
  const told = message as ToSender
  if (told.kind !== 'start') return
  start(told.config).catch((error: unknown) => {
    createLogger('worker', told.config.logLevel).error({ err: error }, 'no delivery can be sent alone')
    process.exit(1)
  })
})
