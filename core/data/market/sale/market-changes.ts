import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database.ts'

/** The snapshot of a transaction. */
export interface Seen {
  /** PostgreSQL's snapshot: the transactions committed by then */
  snapshot: string
  /** the number of the reading transaction, if it had one: the snapshot counts its later changes as seen */
  own: string | null
}

/** The changes that decisions about leads must read. */
export interface MarketChanges extends Seen {
  at: Date
  orders: string[]
  clients: string[]
  lead_types: string[]
}

/**
 * Reads the changes that were committed since a snapshot. Transactions are compared, not times, so that a long
 * transaction is not missed.
 * @param since undefined returns only the snapshot
 */
export async function readMarketChanges(db: Db, since: Seen | undefined): Promise<MarketChanges> {
  const { rows } = await sql<MarketChanges>`
    with noted as materialized (${notedSince(since)})
    select pg_current_snapshot()::text as snapshot, pg_current_xact_id_if_assigned()::text as own, clock_timestamp() as at,
      array(select distinct unnest(orders)::text from noted) as orders,
      array(select distinct unnest(clients)::text from noted) as clients,
      array(select distinct unnest(lead_types) from noted) as lead_types
  `.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('PostgreSQL told no snapshot')
  return row
}

/** SQL: the notes that were committed since a snapshot; none without a snapshot. */
export function notedSince(since: Seen | undefined): RawBuilder<unknown> {
  const [snapshot, own] = [since?.snapshot ?? null, since?.own ?? null]
  return sql`
    select orders, clients, lead_types from market_changes
    where xid >= least(pg_snapshot_xmin(${snapshot}::pg_snapshot), ${own}::xid8)
      and (not pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot) or xid = ${own}::xid8)`
}

/** Removes old notes. An order cache that has not read for so long reads all orders again. */
export async function removeMarketChanges(db: Db, before: Date): Promise<number> {
  const { rows } = await sql`delete from market_changes where noted_at < ${before} returning xid`.execute(db)
  return rows.length
}
