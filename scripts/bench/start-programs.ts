import type { LabProcess } from '../lab/start-process.ts'
import { startServer, startWorker, type LabServer, type Manner } from '../lab/start-product.ts'
import type { BenchContext } from './services.ts'
import { SEED } from './set-up-clients.ts'

/** Lifts the usual limit, because accounts without it are measured too. */
const MANY_WEBHOOKS = { WEBHOOK_MAX_PER_CLIENT: '10000' }

/** The same as in `npm run server` and `npm run worker`. */
const AS_SHIPPED = { UV_THREADPOOL_SIZE: '400' }

/** The product's processes under measurement. */
export interface Programs {
  server: LabServer
  workers: readonly LabProcess[]
  stop: () => Promise<void>
}

/** The real server. */
export async function startServerAlone({ env, manner }: BenchContext): Promise<LabServer> {
  return await startServer({ ...AS_SHIPPED, ...env, ...SEED, ...MANY_WEBHOOKS }, manner)
}

/** Starts a real worker. @param own settings that differ from the context's */
export async function startWorkerAlone({ env, manner }: BenchContext, own: Manner = {}): Promise<LabProcess> {
  return await startWorker({ ...AS_SHIPPED, ...env }, { ...manner, ...own })
}

/** Starts the real server, and this many real workers. */
export async function startPrograms(context: BenchContext, workers: number): Promise<Programs> {
  const { env } = context
  const server = await startServerAlone(context)
  const started: LabProcess[] = []
  const stop = async (): Promise<void> => {
    await server.stop()
    await Promise.all(started.map((worker) => worker.stop()))
  }
  try {
    for (let index = 0; index < workers; index += 1) {
      const name = workers === 1 ? 'worker' : `worker ${index + 1}`
      started.push(await startWorkerAlone({ ...context, env: { ...env, PUBLIC_URL: server.url } }, { name }))
    }
    return { server, workers: started, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
