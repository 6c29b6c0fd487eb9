import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Config } from '#core/config/config.ts'
import { readReplayedPosition, readWrittenPosition } from '#core/data/connection/read-positions.ts'
import { openDatabase } from '#core/data/database.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { explainFailure } from '../explain-failure.ts'
import { doubtful, fine, type Finding } from './check.ts'

const GLANCE_MS = 100
/** A replica that is allowed to lag for longer is not waited for. */
const PATIENCE_MS = 5000

/**
 * Whether the replica answers, and how long it takes until it has what the primary has written now. It is never wrong:
 * without a usable replica the primary is read. No finding if none is configured.
 */
export async function checkReplica({ database }: Config, primary: Kysely<Database>): Promise<Finding[]> {
  const { replicaUrl, replicaLagMs } = database
  if (replicaUrl === undefined) return []
  const wanted = { url: replicaUrl, poolSize: 1, name: 'leadwire-doctor' }
  const { db, close } = openDatabase(wanted, () => undefined)
  try {
    return [await follow(primary, db, Math.min(replicaLagMs, PATIENCE_MS))]
  } catch (error) {
    const found = explainFailure(error).split('\n')[0] ?? ''
    return [
      doubtful('Replica', found, 'start the replica, or correct DATABASE_REPLICA_URL; the primary is read'),
    ]
  } finally {
    await close()
  }
}

async function follow(
  primary: Kysely<Database>,
  replica: Kysely<Database>,
  mostMs: number,
): Promise<Finding> {
  const written = await readWrittenPosition(primary)
  const began = performance.now()
  for (;;) {
    const replayed = await readReplayedPosition(replica)
    const ms = Math.round(performance.now() - began)
    if (replayed === undefined)
      return doubtful(
        'Replica',
        'the server at DATABASE_REPLICA_URL is no replica',
        'name a streaming replica, or leave it out; the primary is read',
      )
    if (replayed >= written) return fine('Replica', `has what the primary wrote ${ms} ms ago`)
    if (ms >= mostMs)
      return doubtful(
        'Replica',
        `is ${written - replayed} bytes behind after ${ms} ms`,
        'see why it lags; while it lags more than DATABASE_REPLICA_LAG_SECONDS the primary is read',
      )
    await wait(GLANCE_MS)
  }
}
