import { sql, type Kysely } from 'kysely'

/** When the receipt of a payment was stored as a file; an older server receives payments without one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payments add column receipt_stored_at timestamptz`.execute(db)
  await sql`
    create index payments_without_receipt on payments (decided_at, id)
    where status = 'received' and receipt_number is not null and receipt_stored_at is null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payments drop column receipt_stored_at`.execute(db)
}
