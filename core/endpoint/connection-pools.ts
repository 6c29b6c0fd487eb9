import { Agent } from 'undici'
import { guardedConnector } from './dial.ts'
import type { EndpointAccess } from './endpoint-access.ts'
import { openOriginPool } from './origin-pool.ts'
import type { AddressGuard } from './guard-address.ts'

const MAX_HEADER_BYTES = 16 * 1024
/** Pools of configurations with certificates of their own; the rest share one. Each holds no socket for longer than 4 s idle. */
const MAX_OWN_POOLS = 100
const OWN_POOL_IDLE_MS = 5 * 60_000

/** Connections that serve several requests, and connections for one request each (docs/decisions/0009). */
export interface ConnectionPool {
  kept: Agent
  fresh: Agent
}

/** Which connections a request may use: certificates, and what was agreed with them, never meet another configuration's. */
export interface ConnectionPools {
  /** Runs with the pool that the access asks for; it stays open at least as long. */
  use: <T>(access: EndpointAccess, run: (pool: ConnectionPool) => Promise<T>) => Promise<T>
  /** for tests: how many configurations have a pool of their own now */
  ownPools: () => number
  close: () => Promise<void>
}

interface OwnPool {
  pool: ConnectionPool
  users: number
  usedAt: number
}

/** @param options.connectionsPerOrigin sockets kept to one origin, in each pool */
export function createConnectionPools(
  guard: AddressGuard,
  options: { timeoutMs: number; connectionsPerOrigin: number; now?: () => number },
): ConnectionPools {
  const now = options.now ?? (() => performance.now())
  const shared = openPool(guard, options, null)
  const own = new Map<string, OwnPool>()
  const closings = new Set<Promise<void>>()

  const close = (pool: ConnectionPool): void => {
    const closing = Promise.all([pool.kept.destroy(), pool.fresh.destroy()]).then(() => {
      closings.delete(closing)
    })
    closings.add(closing)
  }
  /** The map's order is that of use, the longest unused first. */
  const closeUnused = (): void => {
    for (const [name, { pool, users, usedAt }] of own) {
      const isTooMany = own.size > MAX_OWN_POOLS
      if (!isTooMany && now() - usedAt < OWN_POOL_IDLE_MS) return
      if (users > 0) continue
      own.delete(name)
      close(pool)
    }
  }

  return {
    use: async ({ certificates, keptAs }, run) => {
      if (certificates === null) return await run(shared)
      if (keptAs === null) {
        const pool = openPool(guard, options, certificates)
        return await run(pool).finally(() => {
          close(pool)
        })
      }
      const mine = own.get(keptAs) ?? { pool: openPool(guard, options, certificates), users: 0, usedAt: 0 }
      const touch = (change: 1 | -1): void => {
        mine.users += change
        mine.usedAt = now()
        own.delete(keptAs)
        own.set(keptAs, mine)
        closeUnused()
      }
      touch(1)
      return await run(mine.pool).finally(() => {
        touch(-1)
      })
    },
    ownPools: () => own.size,
    close: async () => {
      for (const { pool } of own.values()) close(pool)
      own.clear()
      close(shared)
      await Promise.all(closings)
    },
  }
}

function openPool(
  guard: AddressGuard,
  options: { timeoutMs: number; connectionsPerOrigin: number },
  certificates: EndpointAccess['certificates'],
): ConnectionPool {
  const agentOptions = {
    factory: openOriginPool,
    connect: guardedConnector(guard, options.timeoutMs, certificates),
    connections: options.connectionsPerOrigin,
    allowH2: false,
    // Below the 5 s after which common servers close an idle connection, so that few requests meet a closing socket.
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 4000,
    maxHeaderSize: MAX_HEADER_BYTES,
    // One clock rules the whole exchange (exchange-once.ts); these two restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  }
  return {
    kept: new Agent({ ...agentOptions, pipelining: 1 }),
    // undici keeps no connection alive at 0, so each of these is new.
    fresh: new Agent({ ...agentOptions, pipelining: 0 }),
  }
}
