import { sql, type Kysely } from 'kysely'

/**
 * Pages that must not be paid any more, and payment methods that must not be charged any more, until the
 * payment provider has ended them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment_provider_ends (
      -- the provider's own, of the page or of the way of paying
      name text primary key check (length(name) between 1 and 255),
      kind text not null check (kind in ('page', 'method')),
      due_at timestamptz not null default now(),
      tries integer not null default 0,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index payment_provider_ends_due on payment_provider_ends (due_at)`.execute(db)
  // An agreement from before another card was saved does not name that card.
  await sql`
    update client_accounts a set auto_recharge_enabled = false, version = version + 1, updated_at = now(),
      auto_recharge_stopped = 'Another card is kept now. Agree to charge it, and the auto-recharge goes on.'
    from payment_customers c
    where c.client_user_id = a.user_id and a.auto_recharge_enabled and c.saved_at > (
      select max(agreed_at) from auto_recharge_agreements where client_user_id = a.user_id)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table payment_provider_ends`.execute(db)
}
