import { sql, type Kysely } from 'kysely'

/** Deliveries may be tens of millions, so the indexes are built while they continue. */
export const isOutsideTransaction = true

const INDEXES = ['webhook_deliveries_offered', 'webhook_deliveries_paused']

/**
 * A delivery that was planned while its webhook was off is held until its owner decides; `offered_until` is
 * the end of that time. If it is null, a held delivery is sent as soon as its webhook is on and its endpoint
 * answers.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Needs the table for itself for an instant; nobody waits behind it for long.
  await sql`
    do $do$
    begin
      loop
        begin
          perform set_config('lock_timeout', '50ms', true);
          alter table webhook_deliveries add column if not exists offered_until timestamptz;
          exit;
        exception when lock_not_available then
          perform pg_sleep(0.05);
        end;
      end loop;
    end $do$`.execute(db)
  // An index that an earlier try left behind is not valid.
  await dropIndexes(db)
  await sql`
    create index concurrently webhook_deliveries_offered on webhook_deliveries (webhook_config_id, offered_until)
    where state = 'held' and offered_until is not null`.execute(db)
  // Finds the deliveries to release without reading those that are only offered.
  await sql`
    create index concurrently webhook_deliveries_paused on webhook_deliveries (webhook_config_id, created_at)
    where state = 'held' and offered_until is null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await dropIndexes(db)
  await sql`alter table webhook_deliveries drop column if exists offered_until`.execute(db)
}

async function dropIndexes(db: Kysely<unknown>): Promise<void> {
  for (const name of INDEXES) await sql`drop index concurrently if exists ${sql.ref(name)}`.execute(db)
}
