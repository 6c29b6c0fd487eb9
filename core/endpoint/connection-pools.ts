import { LRUCache } from 'lru-cache'
import { Agent } from 'undici'
import { guardedConnector } from './dial.ts'
import type { EndpointAccess } from './endpoint-access.ts'
import { openOriginPool } from './origin-pool.ts'
import type { AddressGuard } from './guard-address.ts'
import type { HandshakeWatch } from './tls/handshakes.ts'

const MAX_HEADER_BYTES = 16 * 1024
/**
 * Limit of unused pools of configurations with certificates of their own; all other configurations share one pool. An
 * idle pool holds a socket for at most 4 s.
 */
const MAX_OWN_POOLS = 100
const OWN_POOL_IDLE_MS = 5 * 60_000

/** Connections that serve several requests, and connections for one request each (docs/decisions/0009). */
export interface ConnectionPool {
  kept: Agent
  fresh: Agent
}

/**
 * The connections that a request may use. Certificates, and connections secured with them, are never shared with
 * another configuration.
 */
export interface ConnectionPools {
  /** Runs with the pool that the access needs; the pool stays open at least as long. */
  use: <T>(
    access: Pick<EndpointAccess, 'certificates' | 'keptAs'>,
    run: (pool: ConnectionPool) => Promise<T>,
  ) => Promise<T>
  /** for tests: the number of configurations that have a pool of their own now */
  ownPools: () => number
  close: () => Promise<void>
}

interface PoolOptions {
  timeoutMs: number
  /** sockets kept to one origin, in each pool */
  connectionsPerOrigin: number
  /** the address of this machine from which connections are made; undefined: the system chooses */
  bindAddress?: string | undefined
  /** is told of each secure connection */
  handshakes: HandshakeWatch
}

export function createConnectionPools(
  guard: AddressGuard,
  options: PoolOptions & { now?: () => number },
): ConnectionPools {
  const shared = openPool(guard, options, null, null)
  const closings = new Set<Promise<void>>()
  const close = (pool: ConnectionPool): void => {
    const closing = Promise.all([pool.kept.destroy(), pool.fresh.destroy()]).then(() => {
      closings.delete(closing)
    })
    closings.add(closing)
  }
  // A pool in use must not be closed, so only unused pools may be forgotten.
  const inUse = new Map<string, { pool: ConnectionPool; users: number }>()
  const unused = new LRUCache<string, ConnectionPool>({
    max: MAX_OWN_POOLS,
    ttl: OWN_POOL_IDLE_MS,
    ttlResolution: 0,
    ...(options.now !== undefined && { perf: { now: options.now } }),
    dispose: (pool, _name, reason) => {
      // Any other reason means that it is in use again.
      if (reason === 'evict' || reason === 'expire') close(pool)
    },
  })

  return {
    use: async ({ certificates, keptAs }, run) => {
      if (certificates === null) return await run(shared)
      if (keptAs === null) {
        const pool = openPool(guard, options, certificates, keptAs)
        return await run(pool).finally(() => {
          close(pool)
        })
      }
      const mine = inUse.get(keptAs) ?? {
        pool: unused.get(keptAs) ?? openPool(guard, options, certificates, keptAs),
        users: 0,
      }
      mine.users += 1
      inUse.set(keptAs, mine)
      unused.delete(keptAs)
      return await run(mine.pool).finally(() => {
        mine.users -= 1
        if (mine.users > 0) return
        inUse.delete(keptAs)
        unused.set(keptAs, mine.pool)
        unused.purgeStale()
      })
    },
    ownPools: () => inUse.size + unused.size,
    close: async () => {
      for (const { pool } of inUse.values()) close(pool)
      for (const pool of unused.values()) close(pool)
      inUse.clear()
      unused.clear()
      close(shared)
      await Promise.all(closings)
    },
  }
}

function openPool(
  guard: AddressGuard,
  options: PoolOptions,
  certificates: EndpointAccess['certificates'],
  keptAs: string | null,
): ConnectionPool {
  const agentOptions = {
    factory: openOriginPool,
    connect: guardedConnector(guard, { ...options, certificates, keptAs }),
    connections: options.connectionsPerOrigin,
    allowH2: false,
    // Below the 5 s after which common servers close an idle connection, so that few requests meet a closing socket.
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 4000,
    maxHeaderSize: MAX_HEADER_BYTES,
    // These two limits are off, because they restart with every byte. One clock limits the whole exchange
    // (exchange-once.ts).
    headersTimeout: 0,
    bodyTimeout: 0,
  }
  return {
    kept: new Agent({ ...agentOptions, pipelining: 1 }),
    // With 0 undici keeps no connection alive, so each of these is new.
    fresh: new Agent({ ...agentOptions, pipelining: 0 }),
  }
}
