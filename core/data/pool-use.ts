/** The use of a pool of connections at this moment. */
export interface PoolUse {
  /** which pool of this process: `queries`, `leads`, `claims`, `market` or `replica` */
  pool: string
  /** limit of its connections */
  size: number
  /** connections that somebody uses */
  inUse: number
  /** callers that wait for a connection; each fails after five seconds */
  waiting: number
}

/** The members of pg's pool that count its connections. */
interface CountedPool {
  readonly options: { max?: number | undefined }
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

export type FollowPool = (pool: CountedPool) => void

/** The pools of one process, whose use is read from memory. */
export interface PoolList {
  follow: (name: string) => FollowPool
  read: () => PoolUse[]
}

export function createPoolList(): PoolList {
  const pools = new Map<string, CountedPool>()
  return {
    follow: (name) => (pool) => {
      pools.set(name, pool)
    },
    read: () =>
      [...pools].map(([name, pool]) => ({
        pool: name,
        size: pool.options.max ?? 0,
        inUse: pool.totalCount - pool.idleCount,
        waiting: pool.waitingCount,
      })),
  }
}
