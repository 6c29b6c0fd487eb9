import { sql } from 'kysely'
import type { Db } from '../database.ts'

/**
 * Counts and sums of everything in a database, by name. They are the same before a backup and after its restore. Reads whole tables.
 */
export async function countContents(db: Db): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string; amount: string }>`
    select 'accounts' as name, count(*)::text as amount from auth.users
    union all select 'balances', coalesce(sum(balance), 0)::text from profiles
    union all select 'leads', count(*)::text from leads
    union all select 'assignments', count(*)::text from lead_assignments
    union all select 'ledger entries', count(*)::text from balance_ledger
    union all select 'ledger sum', coalesce(sum(amount), 0)::text from balance_ledger
    union all select 'order tallies', coalesce(sum(total_leads), 0)::text from order_tallies
    union all select 'events', count(*)::text from events
    union all select 'deliveries ' || state, count(*)::text from webhook_deliveries group by state
    union all select 'attempts', count(*)::text from webhook_delivery_logs
    union all select 'endpoint hours', coalesce(sum(delivered + failed), 0)::text from webhook_endpoint_hours
    union all select 'audit rows', count(*)::text from auth.audit_log
    union all select 'files', count(*)::text from stored_files`.execute(db)
  return Object.fromEntries(rows.map(({ name, amount }) => [name, amount]))
}

/** The bytes that files stand for: SHA-256 in lower-case hex, and size in bytes. */
export async function listFileContents(db: Db): Promise<{ sha256: string; size: number }[]> {
  const { rows } = await sql<{ sha256: string; size: number }>`
    select encode(sha256, 'hex') as sha256, size::float8 as size from file_contents order by 1`.execute(db)
  return rows
}

/** Bytes of all tables without their indexes: more than an archive of them takes. */
export async function readTableBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(pg_table_size(c.oid)), 0)::float8 as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** Names of tables that are there already; those of extensions are left out. At most five. */
export async function listForeignTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and n.nspname not in ('pg_catalog', 'information_schema')
      and n.nspname !~ '^pg_(toast|temp)'
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1 limit 5`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Empties what is counted from other rows, and notes about transactions. A restore takes both from another cluster: its
 * sums may be of another time, and its transaction numbers mean nothing here.
 */
export async function emptyKeptSums(db: Db): Promise<void> {
  await sql`truncate overview_hours, revenue_days, lead_day_sums, lead_day_changes, market_changes`.execute(
    db,
  )
}
