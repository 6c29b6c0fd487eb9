import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table client_webhook_configs
      add column authentication text,
      add column ca_certificate text,
      add column client_certificate text,
      add column client_key text,
      add constraint client_webhook_configs_certificate_has_key
        check ((client_certificate is null) = (client_key is null))`.execute(db)
  await sql`
    comment on column client_webhook_configs.authentication is
      'JSON of core/contract/webhooks/authentication.ts, encrypted (AES-256-GCM) with SECRETS_KEY; null: none'`.execute(
    db,
  )
  await sql`
    comment on column client_webhook_configs.ca_certificate is
      'PEM; where it is set, the endpoint''s certificate must come from it'`.execute(db)
  await sql`
    comment on column client_webhook_configs.client_key is
      'PEM of the private key to client_certificate, encrypted (AES-256-GCM) with SECRETS_KEY'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table client_webhook_configs
      drop column authentication, drop column ca_certificate, drop column client_certificate,
      drop column client_key`.execute(db)
}
