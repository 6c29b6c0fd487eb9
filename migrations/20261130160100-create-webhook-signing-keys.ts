import { sql, type Kysely } from 'kysely'

/**
 * The secrets from which the Ed25519 keys of webhooks are derived, and the webhooks that are signed with them. The column
 * has a constant default, so no row is rewritten.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook_signing_keys (
      id uuid primary key default uuid_v7(),
      seed_sealed text not null,
      created_at timestamptz not null default now(),
      ends_at timestamptz
    )`.execute(db)
  await sql`
    create unique index webhook_signing_keys_newest on webhook_signing_keys ((true)) where ends_at is null`.execute(
    db,
  )
  await sql`
    alter table client_webhook_configs add column if not exists sign_asymmetric boolean not null default false`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table client_webhook_configs drop column sign_asymmetric`.execute(db)
  await sql`drop table webhook_signing_keys`.execute(db)
}
