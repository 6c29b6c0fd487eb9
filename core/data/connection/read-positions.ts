import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** Reads how far the log of changes is written on the primary, in bytes. */
export async function readWrittenPosition(db: Db): Promise<bigint> {
  const { rows } = await sql<{ position: string }>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as position`.execute(db)
  return BigInt(rows[0]?.position ?? 0)
}

/** Reads how far a replica has replayed it, in bytes; undefined if the server is no replica. */
export async function readReplayedPosition(db: Db): Promise<bigint | undefined> {
  const { rows } = await sql<{ position: string | null }>`
    select case when pg_is_in_recovery()
      then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text end as position`.execute(db)
  const position = rows[0]?.position ?? null
  return position === null ? undefined : BigInt(position)
}
