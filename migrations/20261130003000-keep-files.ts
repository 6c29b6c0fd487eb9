import { sql, type Kysely } from 'kysely'

/** The buckets of the product: id, largest file in bytes, allowed types (none means any). */
const BUCKETS = [
  ['exports', 1_000_000_000, null],
  [
    'evidence',
    25_000_000,
    [
      'image/jpeg',
      'image/png',
      'image/gif',
      'image/webp',
      'image/heic',
      'image/heif',
      'image/avif',
      'image/tiff',
      'image/bmp',
      'application/pdf',
      'audio/*',
      'video/*',
    ],
  ],
  ['imports', 200_000_000, null],
  ['receipts', 25_000_000, null],
] as const

/**
 * Stored files. `stored_files` says which bytes a name stands for; `file_contents` lists the bytes that a store may
 * hold, so that bytes without a name are found without walking through a folder.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table file_buckets (
      id text collate "C" primary key check (length(id) between 1 and 100),
      is_public boolean not null default false,
      size_limit bigint check (size_limit > 0),
      allowed_types text[],
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  for (const [id, limit, types] of BUCKETS)
    await sql`
      insert into file_buckets (id, size_limit, allowed_types)
      values (${id}, ${limit}::bigint, ${types === null ? null : [...types]}::text[])`.execute(db)
  await sql`
    create table file_contents (
      sha256 bytea primary key check (length(sha256) = 32),
      size bigint not null check (size >= 0),
      look_at timestamptz
    )`.execute(db)
  await sql`create index file_contents_look_at on file_contents (look_at) where look_at is not null`.execute(
    db,
  )
  await sql`
    create table stored_files (
      id uuid primary key default uuid_v7(),
      bucket_id text collate "C" not null references file_buckets (id),
      name text collate "C" not null check (octet_length(name) between 1 and 1024),
      account_id uuid references auth.users (id) on delete cascade,
      created_by uuid references auth.users (id) on delete set null,
      lead_id uuid references leads (id),
      sha256 bytea not null references file_contents (sha256),
      size bigint not null check (size >= 0),
      content_type text not null,
      cache_control text not null,
      metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
      version uuid not null default gen_random_uuid(),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      last_accessed_at timestamptz not null default now(),
      expires_at timestamptz,
      unique (bucket_id, name)
    )`.execute(db)
  for (const column of ['created_by', 'lead_id', 'expires_at'])
    await sql`create index ${sql.id(`stored_files_${column}`)} on stored_files (${sql.id(column)})
      where ${sql.id(column)} is not null`.execute(db)
  await sql`create index stored_files_account on stored_files (account_id) include (size)`.execute(db)
  await sql`create index stored_files_sha256 on stored_files (sha256)`.execute(db)
  await noteFreedBytes(db)
}

/**
 * The bytes of a removed or replaced file are looked at, also if a cascade removed it. A later time stays: bytes with
 * that hash are being stored again.
 */
async function noteFreedBytes(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_freed_bytes() returns trigger language plpgsql set search_path = public as $$
    begin
      update file_contents set look_at = greatest(look_at, now()) where sha256 = old.sha256;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_bytes_of_removed after delete on stored_files
    for each row execute function note_freed_bytes()`.execute(db)
  await sql`
    create trigger note_bytes_of_replaced after update of sha256 on stored_files
    for each row when (old.sha256 <> new.sha256) execute function note_freed_bytes()`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table stored_files`.execute(db)
  await sql`drop function note_freed_bytes`.execute(db)
  await sql`drop table file_contents`.execute(db)
  await sql`drop table file_buckets`.execute(db)
}
