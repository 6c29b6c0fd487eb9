import { sql, type Kysely } from 'kysely'

/**
 * The keys of SECRETS_KEY that were ever in use, by their ids. Empty until the first rotation: until then, sealed values
 * name no key, so that older versions read them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table secrets_keys (
      id text primary key,
      is_first boolean not null default false,
      kept text,
      sealing_since timestamptz not null default clock_timestamp(),
      retired_at timestamptz
    )`.execute(db)
  await sql`
    comment on column secrets_keys.kept is
      'keys derived from it that hashes in the database need, sealed by the newest key'`.execute(db)
  await sql`
    comment on column secrets_keys.retired_at is
      'when no value was sealed with it any more; null: a process must have it to start'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table secrets_keys`.execute(db)
}
