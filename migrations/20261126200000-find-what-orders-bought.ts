import { sql, type Kysely, type RawBuilder } from 'kysely'

/** Leads may be millions, so each index is built while they continue. */
export const isOutsideTransaction = true

/**
 * Earlier sales of a person are found among bought leads, not among all leads of clients. Otherwise a client
 * that sends many leads with one phone or email would slow everybody's sales down.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await replace(db, { from: 'leads_sold', to: 'leads_bought', more: sql`and order_id is not null` })
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await replace(db, { from: 'leads_bought', to: 'leads_sold', more: sql`` })
}

/** Drops the old indexes after the new ones are built, so that queries always have one of them. */
async function replace(
  db: Kysely<unknown>,
  { from, to, more }: { from: string; to: string; more: RawBuilder<unknown> },
): Promise<void> {
  for (const contact of ['phone', 'email']) {
    const [index, column] = [sql.id(`${to}_${contact}`), sql.id(contact)]
    await sql`drop index concurrently if exists ${index}`.execute(db)
    await sql`
      create index concurrently ${index} on leads (${column}, lead_type, assigned_at)
      where assigned_to is not null and ${column} is not null and not is_test ${more}`.execute(db)
    await sql`drop index concurrently if exists ${sql.id(`${from}_${contact}`)}`.execute(db)
  }
}
