import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Wrong codes of one factor from one address, within a window that the first of them began. A challenge has a count of its
  // own; this one outlives challenges, or a guesser would only have to ask for another.
  await sql`
    create table auth.factor_failures (
      factor_id uuid not null references auth.factors (id) on delete cascade,
      ip inet not null,
      failures integer not null check (failures > 0),
      since timestamptz not null default now(),
      primary key (factor_id, ip)
    )`.execute(db)

  // A replaced token is forgotten after a day; its child must stay.
  await sql`
    alter table auth.refresh_tokens
      drop constraint refresh_tokens_parent_id_fkey,
      add constraint refresh_tokens_parent_id_fkey
        foreign key (parent_id) references auth.refresh_tokens (id) on delete set null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table auth.refresh_tokens
      drop constraint refresh_tokens_parent_id_fkey,
      add constraint refresh_tokens_parent_id_fkey
        foreign key (parent_id) references auth.refresh_tokens (id) on delete cascade`.execute(db)
  await sql`drop table auth.factor_failures`.execute(db)
}
