import { sql } from 'kysely'
import type { BenchContext } from '../services.ts'

/** Bytes that the services hold and have transferred so far. */
export interface Footprint {
  redisMemory: number
  redisTraffic: number
  wal: number
  tables: number
}

/** Bytes for one delivery. */
export interface BytesPerDelivery {
  /** Redis' memory for a waiting job */
  redisJob: number
  /** traffic to and from Redis while it is drained */
  redisTraffic: number
  /** PostgreSQL's write-ahead log while it is drained */
  wal: number
  /** growth of heap, TOAST and indexes while it is drained */
  tables: number
}

export async function readFootprint({ db, redis }: BenchContext): Promise<Footprint> {
  const { rows } = await sql<{ wal: number; tables: number }>`
    select (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 as wal,
      (select sum(pg_total_relation_size(c.oid))::float8 from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and n.nspname in ('public', 'graphile_worker', 'pgboss')) as tables`.execute(db)
  const info = await redis.info()
  const of = (name: string): number => Number(new RegExp(`${name}:(\\d+)`).exec(info)?.[1])
  return {
    redisMemory: of('used_memory'),
    redisTraffic: of('total_net_input_bytes') + of('total_net_output_bytes'),
    wal: rows[0]?.wal ?? Number.NaN,
    tables: rows[0]?.tables ?? Number.NaN,
  }
}

/** Compares the readings empty, filled, and drained. */
export function bytesPerDelivery(
  [empty, filled, drained]: readonly [Footprint, Footprint, Footprint],
  count: number,
): BytesPerDelivery {
  return {
    redisJob: (filled.redisMemory - empty.redisMemory) / count,
    redisTraffic: (drained.redisTraffic - filled.redisTraffic) / count,
    wal: (drained.wal - filled.wal) / count,
    tables: (drained.tables - filled.tables) / count,
  }
}
