import { sql, type Kysely } from 'kysely'

/** The index of the ledger is built while sales go on. */
export const isOutsideTransaction = true

/**
 * A lead that came late because of us is credited (docs/product.md §10). The attempt's record notes each first attempt
 * that began late; a worker judges the notes and writes the entries `late_credit`, one for each assignment.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists balance_ledger_late_once`.execute(db)
  await sql`
    create unique index concurrently balance_ledger_late_once on balance_ledger (reference_id)
    where entry_type = 'late_credit'`.execute(db)
  await sql`alter table lead_types add column if not exists late_credit boolean not null default false`.execute(
    db,
  )
  // First attempts that began late, until they are judged.
  await sql`
    create table if not exists late_starts (
      delivery_id uuid primary key,
      event_id uuid not null,
      lead_id uuid not null,
      client_user_id uuid not null,
      begun_at timestamptz not null,
      due_at timestamptz not null,
      turn integer not null,
      check_at timestamptz not null default now() + interval '20 seconds'
    )`.execute(db)
  await sql`create index if not exists late_starts_check on late_starts (check_at)`.execute(db)
  await sql`create index if not exists late_starts_event on late_starts (event_id)`.execute(db)
  // Late leads with their stations.
  await sql`
    create table if not exists late_leads (
      assignment_id uuid primary key,
      lead_id uuid not null,
      client_user_id uuid not null,
      lead_type text not null,
      received_at timestamptz not null,
      sold_at timestamptz not null,
      planned_at timestamptz not null,
      begun_at timestamptz not null,
      parts jsonb not null,
      ours_ms bigint not null,
      price numeric(10, 2) not null,
      credit text not null check (credit in ('none', 'waiting', 'unclear', 'credited')),
      reason text,
      wait_until timestamptz,
      judged_at timestamptz not null default now(),
      credited_at timestamptz,
      decided_by uuid,
      check ((credit = 'waiting') = (wait_until is not null)),
      check ((credit = 'credited') = (credited_at is not null))
    )`.execute(db)
  await sql`create index if not exists late_leads_lead on late_leads (lead_id)`.execute(db)
  await sql`create index if not exists late_leads_begun on late_leads (begun_at)`.execute(db)
  await sql`create index if not exists late_leads_waiting on late_leads (wait_until) where credit = 'waiting'`.execute(
    db,
  )
  await sql`create index if not exists late_leads_unclear on late_leads (judged_at) where credit = 'unclear'`.execute(
    db,
  )
  await sql`create index if not exists late_leads_credited on late_leads (credited_at) where credit = 'credited'`.execute(
    db,
  )
  // Times in which the database's clock jumped, as workers' own clocks showed.
  await sql`
    create table if not exists clock_jumps (
      id uuid primary key default uuid_v7(),
      began_at timestamptz not null,
      ended_at timestamptz not null,
      jumped_ms bigint not null,
      noted_at timestamptz not null default now()
    )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table if exists clock_jumps`.execute(db)
  await sql`drop table if exists late_leads`.execute(db)
  await sql`drop table if exists late_starts`.execute(db)
  await sql`alter table lead_types drop column if exists late_credit`.execute(db)
  await sql`drop index concurrently if exists balance_ledger_late_once`.execute(db)
}
