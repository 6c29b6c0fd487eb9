import { sql, type Kysely } from 'kysely'

/**
 * Keeps the revenue of each past day by type, state, client and source. A worker counts it after the day, so that
 * nothing is written on the way of a lead. The row whose `by` is `day` says that the day is complete.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table revenue_days (
      "by" text not null,
      day date not null,
      key text not null,
      form integer not null,
      sold integer not null,
      sales numeric(16, 2) not null,
      returned integer not null,
      credits numeric(16, 2) not null,
      primary key ("by", day, key)
    )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table revenue_days`.execute(db)
}
