import { fileURLToPath } from 'node:url'
import { SEED, setUpClients } from '../bench/set-up-clients.ts'
import type { Answer } from '../lab/receiver/give-answer.ts'
import type { LabProcess } from '../lab/start-process.ts'
import { startServer, startWorker, type LabServer } from '../lab/start-product.ts'
import { migrateDatabase } from '../migrate-database.ts'
import { closeAll, startGround, type Closers, type Ground, type GroundOrder } from './ground.ts'
import { addMarketSource, openMarket, REFUSAL, type MarketClient } from './market/open-market.ts'
import type { SourceKey } from './send-leads.ts'

export type Preload = 'shift-clock' | 'block-loop' | 'stand-in-dns'

/** The set-up that a scenario asks for; every setting has a plain default. */
export interface WorldOrder extends GroundOrder {
  workers?: number
  /** one for each client, which has a source of its own */
  endpoints?: readonly Answer[]
  /** configurations of each client; of n clients, client i has the endpoints i, i + n, i + 2n, … */
  fanOut?: number
  /** addresses of further endpoints, instead of the receiver's own */
  urls?: readonly string[]
  /**
   * sells the leads to the clients, with this setting for undelivered leads, in turns; the CRM refuses a
   * tenth
   */
  market?: readonly MarketClient['whenUndelivered'][]
  /** modules loaded into one worker, by its number */
  preloads?: Readonly<Record<number, { modules: readonly Preload[]; env?: Record<string, string> }>>
}

/** Everything that one scenario runs in: real services, real processes, and the means to break them. */
export interface World extends Ground {
  server: LabServer
  workers: LabProcess[]
  sources: SourceKey[]
  /** whether leads are sold to the clients */
  isMarket: boolean
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
  await receiver.behave(
    endpoints.map((behaviour, endpoint) => ({
      endpoint,
      behaviour,
      ...(policyOf(order, endpoint) !== 'keep' && { everyTenth: REFUSAL }),
    })),
  )
  const server = await startServer({ ...env, ...SEED }, inFolder('server', 'server'))
  closers.push(server.stop)
  const urls = order.urls ?? endpoints.map((_behaviour, endpoint) => `${receiver.url}/e/${endpoint}`)
  const clients = await setUpClients(
    server.url,
    urls.map((url, client) => [url, ...furtherUrls(receiver.url, client, urls.length, order.fanOut ?? 1)]),
  )
  const sources = clients.map(({ key }, endpoint): SourceKey => ({ key, endpoint }))
  if (order.market !== undefined) {
    const buyers = clients.map(({ id }, index) => ({ id, whenUndelivered: policyOf(order, index) }))
    await openMarket(ground.db, buyers)
    sources.splice(0, sources.length, await addMarketSource(ground.db, buyers[0]?.id ?? ''))
  }
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
  return { ...ground, server, workers, sources, isMarket: order.market !== undefined }
}

function policyOf({ market = [] }: WorldOrder, client: number): MarketClient['whenUndelivered'] {
  return market[client % Math.max(1, market.length)] ?? 'keep'
}

function furtherUrls(origin: string, client: number, clients: number, fanOut: number): string[] {
  return Array.from(
    { length: fanOut - 1 },
    (_unused, index) => `${origin}/e/${client + (index + 1) * clients}`,
  )
}
