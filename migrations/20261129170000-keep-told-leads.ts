import { sql, type Kysely } from 'kysely'

/** Each statement locks its table alone and for an instant, so that no sale waits for several of them. */
export const isOutsideTransaction = true

/**
 * Leads of which their client was told by mail, so that each is told once. It has rows only of clients who chose these
 * mails, and it is written by a chore, never while a lead is sold.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists told_leads (
      assignment_id uuid primary key,
      lead_id uuid not null,
      client_user_id uuid not null,
      told_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index if not exists told_leads_at on told_leads (told_at)`.execute(db)
  // Hours in which mails that a client chose wait: {"from": "21:00", "to": "07:00"} in the account's zone.
  await sql`alter table client_accounts add column if not exists quiet_hours jsonb
    check (jsonb_typeof(quiet_hours) = 'object')`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table client_accounts drop column quiet_hours`.execute(db)
  await sql`drop table told_leads`.execute(db)
}
