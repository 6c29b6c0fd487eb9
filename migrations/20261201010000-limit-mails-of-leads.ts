import { sql, type Kysely } from 'kysely'

/**
 * Tables that limit mails of leads, because these share the mail server with codes for signing in. `lead_mail_lines`: until when the
 * leads that wait for the limit of an hour fill it, for the installation (a row whose id is all zeros) and for each client.
 * `test_mail_counts`: test mails of an account, and to an address (as a hash), in the hour that began then and on its day.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists lead_mail_lines (
      id uuid primary key,
      free_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    insert into lead_mail_lines (id) values ('00000000-0000-0000-0000-000000000000') on conflict do nothing`.execute(
    db,
  )
  await sql`
    create table if not exists test_mail_counts (
      counted text primary key,
      hour timestamptz not null,
      in_hour int not null,
      in_day int not null
    )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table test_mail_counts`.execute(db)
  await sql`drop table lead_mail_lines`.execute(db)
}
