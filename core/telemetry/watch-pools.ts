import type { Registry } from 'prom-client'
import type { PoolList, PoolUse } from '../data/pool-use.ts'
import { watchReading } from './watch-reading.ts'

const KEPT_MS = 500

/** Gauges of the connections to PostgreSQL, read from memory. */
export function watchPools(registry: Registry, pools: Pick<PoolList, 'read'>): void {
  const { gaugeBy } = watchReading(registry, { keptMs: KEPT_MS, read: () => Promise.resolve(pools.read()) })
  const gauge = (name: string, help: string, value: (use: PoolUse) => number): void => {
    gaugeBy(name, help, ['pool'], (uses) => uses.map((use) => [{ pool: use.pool }, value(use)] as const))
  }
  gauge(
    'leadwire_pool_size',
    'Limit of connections to PostgreSQL, by pool: queries, leads, claims, market, replica',
    ({ size }) => size,
  )
  gauge('leadwire_pool_in_use', 'Connections to PostgreSQL in use, by pool', ({ inUse }) => inUse)
  gauge(
    'leadwire_pool_waiting',
    'Callers that wait for a connection to PostgreSQL, by pool; each fails after 5 s',
    ({ waiting }) => waiting,
  )
}
