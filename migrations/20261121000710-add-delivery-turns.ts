import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_deliveries add column turn integer not null default 0`.execute(db)
  await sql`
    comment on column webhook_deliveries.turn is
      '0: at once; 1, 2, 3, …: the excess of a burst, which gives way to everybody else (core/fairness/turns.ts)'
  `.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_deliveries drop column turn`.execute(db)
}
