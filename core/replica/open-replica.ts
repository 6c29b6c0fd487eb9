import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Config } from '../config/config.ts'
import { readElsewhere } from '../data/connection/read-elsewhere.ts'
import { readReplayedPosition, readWrittenPosition } from '../data/connection/read-positions.ts'
import { openDatabase, type OpenedDatabase } from '../data/database.ts'
import type { FollowPool } from '../data/pool-use.ts'
import type { Database } from '../data/schema/tables.ts'
import type { Logger } from '../telemetry/logger.ts'
import { measureLag } from './measure-lag.ts'

/** A copy of the database that follows it, for lists, figures and exports. */
export interface Replica {
  /** reads from the replica while it lags less than the limit, and otherwise from the primary; never writes */
  db: Kysely<Database>
  /** milliseconds by which its answers may be too old at most; undefined if that is not known */
  lagMs: () => number | undefined
  /** Waits a little until the replica has everything that is committed now. @returns whether it has */
  catchUp: (signal?: AbortSignal) => Promise<boolean>
  close: () => Promise<void>
}

const POLL_MS = 1000
/** Most lags are shorter than two polls. */
const PATIENCE_MS = 3000
const GLANCE_MS = 100

/**
 * Follows how old the replica's answers are: the position of the primary's log is noted each second, and the replica is as
 * new as the last position that it has replayed. While that is not known, the primary is read.
 * @returns undefined if none is configured
 */
export function openReplica(
  { config, logger }: { config: Config; logger: Logger },
  primary: OpenedDatabase,
  kind: { name: string; byKey?: boolean; follow: FollowPool },
): Replica | undefined {
  const { replicaUrl, replicaLagMs, poolSize } = config.database
  if (replicaUrl === undefined) return undefined
  const replica = openDatabase({ ...kind, url: replicaUrl, poolSize }, (error) => {
    logger.debug({ err: error }, 'a connection to the replica broke')
  })
  const lag = measureLag(replicaLagMs)
  const lagMs = (): number | undefined => {
    const asOf = lag.asOf()
    return asOf === undefined ? undefined : Date.now() - asOf
  }
  const isUsable = (): boolean => (lagMs() ?? Infinity) <= replicaLagMs
  const db = readElsewhere(primary.connections, replica.connections, isUsable)

  let wasUsable = true
  const poll = async (): Promise<void> => {
    const at = Date.now()
    const written = await readWrittenPosition(primary.db)
    lag.note(at, written, await readReplayedPosition(replica.db).catch(() => undefined))
    if (isUsable() === wasUsable) return
    wasUsable = !wasUsable
    if (wasUsable) logger.info('the replica is read again')
    else logger.warn({ lag_ms: lagMs() }, 'the replica lags or is away; the primary is read')
  }
  const stopped = new AbortController()
  const following = follow(poll, stopped.signal)
  return {
    db,
    lagMs,
    catchUp: async (signal = stopped.signal) => {
      const began = Date.now()
      const isThere = (): boolean => (lag.asOf() ?? 0) >= began
      while (!isThere() && isUsable() && Date.now() - began < PATIENCE_MS && !signal.aborted)
        await wait(GLANCE_MS, undefined, { signal }).catch(() => undefined)
      return isThere()
    },
    close: async () => {
      stopped.abort()
      await following
      await replica.close()
    },
  }
}

async function follow(poll: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // Without an answer nothing is noted, and what is known grows old.
    await poll().catch(() => undefined)
    await wait(POLL_MS, undefined, { signal }).catch(() => undefined)
  }
}
