import { sql, type Kysely, type RawBuilder } from 'kysely'

/** Leads may be millions: each index is built while they go on. */
export const isOutsideTransaction = true

/**
 * What of a person was sold is found among what orders bought, and not among all that clients have: one who brings as many leads as he
 * likes of one phone or e-mail address made everybody's wait while they were read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await replace(db, { from: 'leads_sold', to: 'leads_bought', more: sql`and order_id is not null` })
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await replace(db, { from: 'leads_bought', to: 'leads_sold', more: sql`` })
}

/** The old ones go when the new ones are there: whoever asks meanwhile has either. */
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
