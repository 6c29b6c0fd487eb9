import { sql, type Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'

/** The bare product's tables: beside the key, three indexes for leads and for deliveries, two for the log. */
const TABLES = `
  create schema bare;
  create table bare.endpoints (id uuid primary key default gen_random_uuid(), url text not null, secret text not null);
  create table bare.leads (
    id uuid primary key, endpoint_id uuid not null, external_id text, name text, email text, phone text, address1 text, city text,
    state text, zip text, lead_type text, comments text, custom jsonb not null default '{}', created_at timestamptz not null default now());
  create unique index on bare.leads (endpoint_id, external_id);
  create index on bare.leads (endpoint_id, created_at);
  create index on bare.leads (phone);
  create table bare.deliveries (
    id uuid primary key, lead_id uuid not null references bare.leads, endpoint_id uuid not null references bare.endpoints,
    state text not null default 'pending', attempt int not null default 0, lease_token uuid, lease_until timestamptz,
    created_at timestamptz not null default now(), finished_at timestamptz);
  create index on bare.deliveries (lead_id);
  create index on bare.deliveries (endpoint_id, created_at);
  create index on bare.deliveries (created_at) where state = 'pending';
  create table bare.logs (
    id uuid primary key, delivery_id uuid not null, endpoint_id uuid not null, status int, took_ms int, request_body text,
    response_body text, created_at timestamptz not null default now());
  create index on bare.logs (delivery_id);
  create index on bare.logs (endpoint_id, created_at);`

export async function createBareTables(db: Kysely<Database>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const statement of TABLES.split(';').filter((text) => text.trim() !== ''))
      await sql.raw(statement).execute(trx)
  })
}

/** @returns the ids of the endpoints, which callers use as source keys */
export async function createBareEndpoints(db: Kysely<Database>, urls: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into bare.endpoints (url, secret) select url, md5(url) from unnest(${[...urls]}::text[]) url returning id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
