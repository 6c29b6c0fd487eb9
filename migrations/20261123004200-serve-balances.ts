import { sql, type Kysely } from 'kysely'

/** A client's spending is read by time, and a pending payment links to the provider's page. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index balance_ledger_spent on balance_ledger (client_user_id, created_at) include (amount)
    where entry_type = 'lead_purchase'`.execute(db)
  await sql`alter table payments add column checkout_url text check (length(checkout_url) <= 4000)`.execute(
    db,
  )
  await sql`create index payments_newest on payments (created_at desc, id desc)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index balance_ledger_spent, payments_newest`.execute(db)
  await sql`alter table payments drop column checkout_url`.execute(db)
}
