import { sql, type Kysely } from 'kysely'

/** Indexes are built while deliveries and imports go on. */
export const isOutsideTransaction = true

/**
 * When an open holder of a revocation is looked at for a receipt. `lead_imports_of_source` finds the import in which a
 * late lead came.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table revocation_holders add column if not exists look_at timestamptz default '-infinity'`.execute(
    db,
  )
  await sql`drop index concurrently if exists revocation_holders_to_look_at`.execute(db)
  await sql`
    create index concurrently revocation_holders_to_look_at on revocation_holders (look_at)
    where acknowledged_at is null`.execute(db)
  await sql`drop index concurrently if exists revocation_holders_of_event`.execute(db)
  await sql`
    create index concurrently revocation_holders_of_event on revocation_holders (event_id)
    where acknowledged_at is null`.execute(db)
  await sql`drop index concurrently if exists lead_imports_of_source`.execute(db)
  await sql`create index concurrently lead_imports_of_source on lead_imports (source_id, started_at)`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists lead_imports_of_source`.execute(db)
  await sql`drop index concurrently if exists revocation_holders_of_event`.execute(db)
  await sql`alter table revocation_holders drop column if exists look_at`.execute(db)
}
