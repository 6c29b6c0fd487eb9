import { sql, type Kysely } from 'kysely'

/** The administrators' lists are read newest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index suppressions_newest on suppressions (created_at desc, id desc)`.execute(db)
  await sql`create index orders_newest on orders (created_at desc, id desc)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index orders_newest, suppressions_newest`.execute(db)
}
