import { Logger, run } from 'graphile-worker'
import { loadConfig } from '#core/config/config.ts'
import { chooseWork, type LoopJob } from './choose-work.ts'
import { waitToBegin } from './wait-to-begin.ts'

/**
 * graphile-worker tuned as its documentation says (worker.graphile.org/docs/performance): jobs fetched 500 at
 * a time into a local queue, completions written together every 250 ms. Begins at SIGUSR2.
 */
const config = loadConfig(process.env)
const work = chooseWork(config)
await waitToBegin('graphile-worker ready')
await run({
  connectionString: config.database.url,
  noHandleSignals: true,
  logger: new Logger(() => () => undefined),
  taskList: { deliver: (payload) => work(payload as LoopJob) },
  preset: {
    worker: {
      concurrentJobs: config.webhooks.concurrency,
      maxPoolSize: 20,
      localQueue: { size: 500 },
      completeJobBatchDelay: 250,
      failJobBatchDelay: 250,
    },
  },
})
