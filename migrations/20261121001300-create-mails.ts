import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The outbox of mails: written in the transaction of the event that they report, sent by a chore of the
  // worker.
  await sql`
    create table mails (
      id uuid primary key default uuid_v7(),
      recipient_user_id uuid not null references profiles (user_id) on delete cascade,
      template text not null,
      data jsonb not null,
      notice_key text not null,
      created_at timestamptz not null default now(),
      tries integer not null default 0,
      next_try_at timestamptz default now(),
      sent_at timestamptz,
      last_failure text,
      unique (recipient_user_id, template, notice_key)
    )`.execute(db)
  await sql`
    comment on column mails.notice_key is
      'what the mail tells: the same notice goes to the same recipient once'`.execute(db)
  await sql`
    comment on column mails.next_try_at is
      'null when it is sent, or when it was given up after the last try (sent_at is then null)'`.execute(db)
  await sql`create index mails_due on mails (next_try_at) where next_try_at is not null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table mails`.execute(db)
}
