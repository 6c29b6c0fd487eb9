import { sql, type Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'

/** Rows that are added by the million are indexed afterwards: as they come, it takes ten times as long. */
const TABLES = ['leads', 'lead_assignments', 'events', 'webhook_deliveries']
/** As many at once as there are cores. */
const AT_ONCE = 2

/** Does this while these tables have no indexes but their keys, and gives them back what they had. */
export async function withoutIndexes(db: Kysely<Database>, fill: () => Promise<void>): Promise<void> {
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
    where i.indrelid::regclass::text = any (${TABLES}::text[])
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
    order by i.indexrelid::regclass::text = 'leads_search_folded' desc, name`.execute(db)
  for (const { name } of indexes) await sql`drop index ${sql.id(name)}`.execute(db)
  await fill()
  const left = [...indexes]
  const build = async (): Promise<void> => {
    for (let index = left.shift(); index !== undefined; index = left.shift()) {
      const { definition } = index
      await db.connection().execute(async (connection) => {
        await sql`set statement_timeout = 0`.execute(connection)
        await sql`set maintenance_work_mem = '512MB'`.execute(connection)
        await sql.raw(definition).execute(connection)
        await sql`reset maintenance_work_mem`.execute(connection)
        await sql`reset statement_timeout`.execute(connection)
      })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, build))
}
