import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Counts wrong codes for one factor from one address, within a window that the first one opened. A
  // challenge has its own count; this one outlives challenges, because an attacker could simply request
  // another.
  await sql`
    create table auth.factor_failures (
      factor_id uuid not null references auth.factors (id) on delete cascade,
      ip inet not null,
      failures integer not null check (failures > 0),
      since timestamptz not null default now(),
      primary key (factor_id, ip)
    )`.execute(db)

  // A replaced token is deleted after a day; its child must stay.
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
