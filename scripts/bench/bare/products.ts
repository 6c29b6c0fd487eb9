import { sql } from 'kysely'
import { freePort } from '../../services/free-port.ts'
import { startProcess, type LabProcess } from '../../lab/start-process.ts'
import type { BenchContext } from '../services.ts'
import { setUpClients } from '../set-up-clients.ts'
import { startServerAlone, startWorkerAlone, type Programs } from '../start-programs.ts'
import { createBareEndpoints, createBareTables } from './create-tables.ts'

/** The product, and the least that its packages can do: sixty lines that take a lead and send it on. */
export const PRODUCTS = ['leadwire', 'bare'] as const
export type ProductName = (typeof PRODUCTS)[number]

export interface Product {
  startServer: () => Promise<Programs['server']>
  startWorker: () => Promise<LabProcess>
  /** Makes one client for each of these endpoints. @returns the keys for posting their leads */
  setUp: (url: string, endpoints: readonly string[]) => Promise<string[]>
  /** deliveries that are not finished by its own record */
  countOpen: () => Promise<number>
}

export async function openProduct(context: BenchContext, name: ProductName): Promise<Product> {
  const { db, env, manner } = context
  const count = async (query: ReturnType<typeof sql<{ open: number }>>): Promise<number> =>
    (await query.execute(db)).rows[0]?.open ?? 0
  if (name === 'leadwire')
    return {
      startServer: () => startServerAlone(context),
      startWorker: () => startWorkerAlone(context),
      setUp: async (url, endpoints) => {
        const clients = await setUpClients(
          url,
          endpoints.map((endpoint) => [endpoint]),
        )
        return clients.map(({ key }) => key)
      },
      countOpen: () =>
        count(sql`
          select (select count(*) from events where planned_at is null)::int
            + (select count(*) from webhook_deliveries where state <> 'delivered')::int as open`),
    }
  await createBareTables(db)
  return {
    startServer: async () => {
      const port = String(await freePort())
      const url = `http://127.0.0.1:${port}`
      const isReady = () =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        )
      const server = await startProcess({
        ...manner,
        script: 'scripts/bench/bare/bare-server.ts',
        env: { ...env, PORT: port },
        isReady,
      })
      return { url, ...server }
    },
    startWorker: () =>
      startProcess({
        ...manner,
        script: 'scripts/bench/bare/bare-worker.ts',
        env,
        isReady: 'bare worker ready',
      }),
    setUp: (_url, endpoints) => createBareEndpoints(db, endpoints),
    countOpen: () => count(sql`select count(*)::int as open from bare.deliveries where state <> 'delivered'`),
  }
}
