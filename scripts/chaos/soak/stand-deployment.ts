import { freePort } from '../../services/free-port.ts'
import { SEED, setUpClients } from '../../bench/set-up-clients.ts'
import { createAuthority, startFront } from '../deployment/start-front.ts'
import { startPooler, type Pooler } from '../deployment/start-pooler.ts'
import type { Answer } from '../../lab/receiver/give-answer.ts'
import type { LabProcess } from '../../lab/start-process.ts'
import { startServer, startWorker, type LabServer } from '../../lab/start-product.ts'
import { migrateDatabase } from '../../migrate-database.ts'
import { startGround, type Closers, type Ground } from '../ground.ts'
import type { SourceKey } from '../send-leads.ts'

/** Four good endpoints, one of them slow enough to have requests in flight, and one that is retried once. */
const ENDPOINTS: readonly Answer[] = ['ok', 'ok', 'ok', { status: 200, delayMs: 300 }, 'first-500']

/** A deployment as docs/operations/production.md and database.md describe it, on one machine. */
export interface Deployment extends Ground {
  /** of the TLS proxy */
  url: string
  /** PEM of the authority of its certificate */
  authority: string
  pooler: Pooler
  watched: NonNullable<Ground['watched']>
  servers: LabProcess[]
  workers: LabProcess[]
  sources: SourceKey[]
}

/**
 * Two servers behind nginx with TLS, two workers, PostgreSQL behind PgBouncer in transaction mode, and Redis
 * with a replica and a Sentinel.
 */
export async function standDeployment(closers: Closers): Promise<Deployment> {
  const ground = await startGround({ redis: 'watched', env: { TRUST_PROXY: 'loopback' } }, closers)
  const { watched, inFolder, receiver } = ground
  if (watched === undefined) throw new Error('Redis is not watched')
  await migrateDatabase(ground.postgres.url)
  // After a failed log-in PgBouncer would refuse everybody for 15 s.
  const pooler = await startPooler(ground.postgres.url, [
    'default_pool_size = 20',
    'max_client_conn = 400',
    'server_login_retry = 1',
  ])
  closers.push(pooler.stop)
  const authority = await createAuthority()
  closers.push(authority.remove)
  const ports = [await freePort(), await freePort()]
  const front = await startFront('nginx', { servers: ports.map((port) => `127.0.0.1:${port}`), authority })
  closers.push(front.stop)
  const env = {
    ...ground.env,
    ...SEED,
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: ground.postgres.url,
    PUBLIC_URL: front.url,
  }
  await receiver.behave(ENDPOINTS.map((behaviour, endpoint) => ({ endpoint, behaviour })))
  const servers: LabServer[] = []
  for (const [index, port] of ports.entries())
    servers.push(
      await startServer(
        { ...env, PORT: String(port) },
        inFolder(`server ${index + 1}`, `server-${index + 1}`),
      ),
    )
  closers.push(() => Promise.all(servers.map((server) => server.kill())))
  const clients = await setUpClients(
    servers[0]?.url ?? '',
    ENDPOINTS.map((_behaviour, endpoint) => [`${receiver.url}/e/${endpoint}`]),
  )
  const workers = await Promise.all(
    [1, 2].map((number) => startWorker(env, inFolder(`worker ${number}`, `worker-${number}`))),
  )
  closers.push(() => Promise.all(workers.map((worker) => worker.kill())))
  return {
    ...ground,
    url: front.url,
    authority: authority.root,
    pooler,
    watched,
    servers,
    workers,
    sources: clients.map(({ key }, endpoint) => ({ key, endpoint })),
  }
}
