import { sql, type Kysely } from 'kysely'

/** Each statement locks its table alone and for an instant, so that no sale waits for several of them. */
export const isOutsideTransaction = true

/**
 * Recalls of the sold leads of a bad source (docs/product.md §4). Its leads are listed when it begins, so that it returns
 * what its administrator saw, and continues after a crash.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists lead_recalls (
      id uuid primary key default uuid_v7(),
      source_id uuid not null references sources (id),
      from_at timestamptz not null,
      to_at timestamptz not null,
      note text not null check (length(note) between 1 and 500),
      created_by uuid not null,
      created_at timestamptz not null default now(),
      ended_at timestamptz
    )`.execute(db)
  // One at a time for each source; also finds what a worker has to do.
  await sql`create unique index if not exists lead_recalls_open on lead_recalls (source_id) where ended_at is null`.execute(
    db,
  )
  await sql`
    create table if not exists lead_recall_leads (
      recall_id uuid not null references lead_recalls (id) on delete cascade,
      lead_id uuid not null,
      assignment_id uuid not null,
      client_user_id uuid not null,
      price numeric(10, 2) not null,
      outcome text check (outcome in ('returned', 'skipped')),
      primary key (recall_id, lead_id)
    )`.execute(db)
  await sql`
    create index if not exists lead_recall_leads_open on lead_recall_leads (recall_id, lead_id) where outcome is null`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table lead_recall_leads, lead_recalls`.execute(db)
}
