import { sql, type Kysely } from 'kysely'

/**
 * Files of leads: a description of each, its bytes until they are read, and its rows until they become leads
 * or expire.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table lead_imports (
      id uuid primary key default uuid_v7(),
      source_id uuid not null references sources (id),
      created_by uuid not null,
      file_name text not null check (length(file_name) <= 200),
      state text not null default 'uploading'
        check (state in ('uploading', 'reading', 'ready', 'running', 'finished', 'cancelled', 'failed')),
      size integer not null check (size > 0),
      received integer not null default 0 check (received between 0 and size),
      -- as somebody chose, until it is read; then as it was found
      encoding text, delimiter text,
      columns text[] not null default '{}', mapping text[] not null default '{}',
      constants jsonb not null default '{}' check (jsonb_typeof(constants) = 'object'),
      rows integer not null default 0,
      -- of the rows up to this one each is a lead, a duplicate or refused
      taken_to integer not null default 0,
      taken integer not null default 0, accepted integer not null default 0,
      duplicates integer not null default 0, refused integer not null default 0,
      failure text, failure_row integer,
      created_at timestamptz not null default now(), started_at timestamptz, finished_at timestamptz,
      -- whoever has waited for longest is next
      touched_at timestamptz not null default now(),
      emptied_at timestamptz,
      check (taken = accepted + duplicates + refused)
    )`.execute(db)
  await sql`create index lead_imports_newest on lead_imports (created_at, id)`.execute(db)
  await sql`
    create index lead_imports_to_do on lead_imports (state, touched_at) where state in ('reading', 'running')`.execute(
    db,
  )
  await sql`
    create index lead_imports_to_empty on lead_imports (touched_at) where emptied_at is null`.execute(db)
  await sql`
    create table lead_import_parts (
      import_id uuid not null references lead_imports (id) on delete cascade,
      at integer not null, bytes bytea not null,
      primary key (import_id, at)
    )`.execute(db)
  // Parts are read once, so compressing them costs more than it saves.
  await sql`alter table lead_import_parts alter column bytes set storage external`.execute(db)
  await sql`
    create table lead_import_rows (
      import_id uuid not null references lead_imports (id) on delete cascade,
      row integer not null, cells jsonb not null, fault text,
      outcome text check (outcome in ('duplicate', 'refused')), errors jsonb not null default '[]',
      primary key (import_id, row)
    )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table lead_import_rows, lead_import_parts, lead_imports`.execute(db)
}
