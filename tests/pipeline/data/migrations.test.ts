import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findMissingMigrations, listMigrationFiles } from '#core/migrations.ts'
import { migrateDatabase, undoNewestMigration, withMigrationDatabase } from '#scripts/migrate-database.ts'
import { planMigrations } from '#scripts/migrations/plan-migrations.ts'
import { printPlan } from '#scripts/migrations/print-plan.ts'
import { createEarlierDatabase, type EarlierDatabase } from '#tests/support/services/earlier-database.ts'
import { waitUntil } from '#tests/support/condition.ts'

/** The migration that builds an index while processes run. */
const INDEX = '20261122002400-index-deliveries-of-webhook'

let earlier: EarlierDatabase
beforeEach(async () => {
  earlier = await createEarlierDatabase(INDEX)
})
afterEach(() => earlier.drop())

const indexes = async () =>
  (
    await sql<{ definition: string; is_valid: boolean }>`
      select pg_get_indexdef(i.indexrelid) as definition, i.indisvalid as is_valid
      from pg_index i join pg_class c on c.oid = i.indexrelid where c.relname = 'webhook_deliveries_config'`.execute(
      earlier.db,
    )
  ).rows

test('machines that migrate at once apply each migration once, and wait for each other', async () => {
  const applied = await Promise.all([1, 2, 3].map(() => migrateDatabase(earlier.url)))

  expect(applied.flat().filter((name) => name === INDEX)).toEqual([INDEX])
  expect(await findMissingMigrations(earlier.db)).toEqual([])
  expect(await indexes()).toMatchObject([{ is_valid: true }])
})

test('a lock that a pooler kept from an earlier migration is reported with its process after a time limit', async () => {
  const pooled = new pg.Client({ connectionString: earlier.url })
  await pooled.connect()
  const { rows } = await pooled.query<{ pid: number }>(
    `select pg_backend_pid() as pid, pg_advisory_lock(hashtext('leadwire migrations'))`,
  )
  const migrated = migrateDatabase(earlier.url, 300)
  await expect(migrated).rejects.toThrow(`pg_terminate_backend(${rows[0]?.pid})`)
  await pooled.end()

  expect(await migrateDatabase(earlier.url)).not.toEqual([])
})

test('the migration lock ends with its transaction, so that no pooler keeps it', async () => {
  const stateOfHolder = async () => {
    const { rows } = await sql<{ state: string }>`
      select a.state from pg_locks l join pg_stat_activity a using (pid) join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and d.datname = current_database()`.execute(earlier.db)
    return rows[0]?.state ?? ''
  }
  const migrating = migrateDatabase(earlier.url)
  await waitUntil(async () => (await stateOfHolder()).startsWith('idle'), { what: 'The lock' })
  const state = await stateOfHolder()
  await migrating

  expect([state, await stateOfHolder()]).toEqual(['idle in transaction', ''])
})

test('deliveries are written while their index is built', async () => {
  const write = () =>
    sql`update webhook_deliveries set attempt = attempt where id = ${'01900000-0000-7000-8000-000000000000'}`
  const migrated = await earlier.db.transaction().execute(async (trx) => {
    // The build waits for the end of a long transaction that has changed deliveries, and nobody waits for the
    // build.
    await write().execute(trx)
    const migrating = migrateDatabase(earlier.url)
    await waitUntil(
      async () => {
        const { rows } = await sql`
          select 1 from pg_stat_activity where datname = current_database() and query like 'create index concurrently%'
            and wait_event_type = 'Lock'`.execute(earlier.db)
        return rows.length > 0
      },
      { what: 'The build of the index waiting' },
    )
    await write().execute(earlier.db)
    return { migrating }
  })

  expect(await migrated.migrating).toContain(INDEX)
})

test('an index that was left half built is built again', async () => {
  await sql`create index webhook_deliveries_config on webhook_deliveries (lead_id)`.execute(earlier.db)

  await earlier.upgrade()

  expect(await indexes()).toEqual([
    { definition: expect.stringMatching(/\(webhook_config_id\)$/) as unknown, is_valid: true },
  ])
})

test('writers pass a migration that waits for their table, and it is applied once the table is free', async () => {
  const waits = async () => {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and query like 'alter table%' and wait_event_type = 'Lock'`.execute(
      earlier.db,
    )
    return rows.length > 0
  }
  const migrated = await earlier.db.transaction().execute(async (trx) => {
    // A dump holds this lock for as long as it takes.
    await sql`lock table webhook_deliveries in access share mode`.execute(trx)
    const migrating = migrateDatabase(earlier.url)
    await waitUntil(waits, { what: 'The migration waiting for its table' })
    await sql`update webhook_deliveries set attempt = attempt`.execute(earlier.db)
    return { migrating }
  })

  expect(await migrated.migrating).toContain('20261127020000-count-lost-leases')
})

test('a plan names locks and times of what is missing, and changes nothing', async () => {
  const missing = await findMissingMigrations(earlier.db)

  const plans = await withMigrationDatabase(earlier.url, (db) => planMigrations(db, missing))

  expect(plans.map(({ name }) => name)).toEqual(missing)
  expect(plans.find(({ name }) => name === INDEX)?.effects).toEqual([
    {
      table: 'webhook_deliveries',
      change: 'add index webhook_deliveries_config',
      lock: 'share update exclusive',
      work: 'builds an index',
      rows: 0,
      seconds: 0,
    },
  ])
  expect(printPlan(plans)).toContain(`${INDEX} (outside a transaction)`)
  expect(await findMissingMigrations(earlier.db)).toEqual(missing)
})

test('the newest migration is undone and applied again', async () => {
  await earlier.upgrade()
  const newest = listMigrationFiles().at(-1)?.name

  const undone = await undoNewestMigration(earlier.db)

  expect([undone, await findMissingMigrations(earlier.db)]).toEqual([newest, [newest]])
  expect(await migrateDatabase(earlier.url)).toEqual([newest])
})
