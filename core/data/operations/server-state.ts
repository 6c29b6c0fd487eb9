import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** PostgreSQL's limit of connections, and who uses them. */
export interface ConnectionUse {
  /** for ordinary roles: `max_connections` without the reserved ones */
  most: number
  used: number
  /** by `application_name`, ours first: `leadwire-server`, `leadwire-worker`, … */
  by: { name: string; count: number }[]
}

/** Reads who is connected. Other roles' names are hidden from an ordinary role, and counted as ``. */
export async function readConnectionUse(db: Db): Promise<ConnectionUse> {
  const { rows } = await sql<{ name: string; count: number }>`
    select coalesce(application_name, '') as name, count(*)::int as count from pg_stat_activity
    where coalesce(backend_type, 'client backend') = 'client backend'
    group by 1 order by coalesce(application_name, '') not like 'leadwire-%', 2 desc, 1 limit 20`.execute(db)
  const { rows: limits } = await sql<{ most: number; used: number }>`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
      (select coalesce(sum(numbackends), 0)::int from pg_stat_database) as used`.execute(db)
  return { most: limits[0]?.most ?? 0, used: limits[0]?.used ?? 0, by: rows }
}
