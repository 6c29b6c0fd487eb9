import { sql } from 'kysely'
import type { BenchContext } from '../services.ts'

/** What the services hold and have moved so far, in bytes. */
export interface Footprint {
  redisMemory: number
  redisTraffic: number
  wal: number
  tables: number
}

/** Bytes for one delivery. */
export interface BytesPerDelivery {
  /** of Redis' memory while its job waits */
  redisJob: number
  /** in and out of Redis while it is drained */
  redisTraffic: number
  /** of PostgreSQL's journal while it is drained */
  wal: number
  /** by which heap, TOAST and indexes grew while it was drained */
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

/** Empty, filled, and drained. */
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
