import { sql, type Kysely } from 'kysely'

/** Each statement locks its table alone and for an instant, so that no sale waits for several of them. */
export const isOutsideTransaction = true

/**
 * Adjustments of a balance that a second administrator must confirm (docs/product.md §4). A pending one moves
 * nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists pending_adjustments (
      id uuid primary key,
      client_user_id uuid not null references profiles (user_id) on delete cascade,
      amount numeric(12, 2) not null check (amount <> 0),
      note text not null check (length(note) between 1 and 500),
      status text not null default 'pending' check (status in ('pending', 'confirmed', 'declined')),
      asked_by uuid not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      decided_by uuid,
      decided_at timestamptz,
      decision_note text check (length(decision_note) <= 500),
      check ((status = 'pending') = (decided_at is null))
    )`.execute(db)
  await sql`create index if not exists pending_adjustments_newest on pending_adjustments (created_at desc, id desc)`.execute(
    db,
  )
  await sql`create index if not exists pending_adjustments_of_client on pending_adjustments (client_user_id)`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table pending_adjustments`.execute(db)
}
