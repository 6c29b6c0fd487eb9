import { fileURLToPath } from 'node:url'
import { SEED, setUpClients } from '../bench/set-up-clients.ts'
import type { Answer } from '../lab/receiver/give-answer.ts'
import type { LabProcess } from '../lab/start-process.ts'
import { startServer, startWorker, type LabServer } from '../lab/start-product.ts'
import { migrateDatabase } from '../migrate-database.ts'
import { closeAll, startGround, type Closers, type Ground, type GroundOrder } from './ground.ts'
import type { SourceKey } from './send-leads.ts'

export type Preload = 'shift-clock' | 'block-loop' | 'stand-in-dns'

/** What a scenario wants to find; everything has a plain default. */
export interface WorldOrder extends GroundOrder {
  workers?: number
  /** one for each client; each has a source of its own */
  endpoints?: readonly Answer[]
  /** configurations of each client; of n clients, client i has the endpoints i, i + n, i + 2n, … */
  fanOut?: number
  /** addresses of further endpoints, instead of the receiver's own */
  urls?: readonly string[]
  /** loaded into one worker, by number */
  preloads?: Readonly<Record<number, { modules: readonly Preload[]; env?: Record<string, string> }>>
}

/** Everything that one scenario runs in: real services, real processes, and the means to break them. */
export interface World extends Ground {
  server: LabServer
  workers: LabProcess[]
  sources: SourceKey[]
  close: () => Promise<void>
}

export async function startWorld(order: WorldOrder): Promise<World> {
  const closers: Closers = []
  const close = () => closeAll(closers)
  try {
    return { ...(await build(order, closers)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function build(order: WorldOrder, closers: Closers): Promise<Omit<World, 'close'>> {
  const ground = await startGround(order, closers)
  const { env, inFolder, receiver } = ground
  await migrateDatabase(ground.postgres.url)
  const endpoints = order.endpoints ?? ['ok']
  await receiver.behave(endpoints.map((behaviour, endpoint) => ({ endpoint, behaviour })))
  const server = await startServer({ ...env, ...SEED }, inFolder('server', 'server'))
  closers.push(server.stop)
  const urls = order.urls ?? endpoints.map((_behaviour, endpoint) => `${receiver.url}/e/${endpoint}`)
  const clients = await setUpClients(
    server.url,
    urls.map((url, client) => [url, ...furtherUrls(receiver.url, client, urls.length, order.fanOut ?? 1)]),
  )
  const keys = clients.map(({ key }) => key)
  const workers = await Promise.all(
    Array.from({ length: order.workers ?? 2 }, (_unused, index) => {
      const extra = order.preloads?.[index]
      const preloads = (extra?.modules ?? []).map((module) =>
        fileURLToPath(new URL(`./preloads/${module}.ts`, import.meta.url)),
      )
      const manner = inFolder(`worker ${index + 1}`, `worker-${index + 1}`, preloads)
      return startWorker({ ...env, ...extra?.env }, manner)
    }),
  )
  closers.push(() => Promise.all(workers.map((worker) => worker.kill())))
  return { ...ground, server, workers, sources: keys.map((key, endpoint) => ({ key, endpoint })) }
}

function furtherUrls(origin: string, client: number, clients: number, fanOut: number): string[] {
  return Array.from(
    { length: fanOut - 1 },
    (_unused, index) => `${origin}/e/${client + (index + 1) * clients}`,
  )
}
