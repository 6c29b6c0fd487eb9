import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DELIVERABLE_EVENTS } from '#core/contract/events.ts'
import { ATTEMPT_ENDS, isOther } from '#core/data/webhooks/logs/log-order.ts'
import { ensureLogPartitions } from '#core/data/webhooks/logs/log-partitions.ts'
import { migrateDatabase } from '#scripts/migrate-database.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { createEarlierDatabase, type EarlierDatabase } from '#tests/support/services/earlier-database.ts'

/** The migration that builds the log's indexes, week by week, while processes run. */
const INDEXES = '20261124040000-index-log-by-kind'
const WEEK_MS = 7 * 86_400_000

let earlier: EarlierDatabase
beforeEach(async () => {
  earlier = await createEarlierDatabase(INDEXES)
  for (const weeks of [0, 3, 9]) await attempt(new Date(Date.now() - weeks * WEEK_MS))
  await ensureLogPartitions(earlier.db, 4)
})
afterEach(() => earlier.drop())

async function attempt(at = new Date()): Promise<void> {
  await sql`
    insert into webhook_delivery_logs (created_at, webhook_config_id, client_user_id, delivery_id, event_id, event_type,
      lead_id, delivery_status, attempt_number, error_message, request_url, request_method)
    values (${at}, ${randomUUID()}, ${randomUUID()}, ${randomUUID()}, ${randomUUID()}, 'lead.assigned', ${randomUUID()},
      'failed', 1, '503: not available', '', 'POST')`.execute(earlier.db)
}

/** Counts for each index of the log the weeks in which it exists and is valid. */
async function countWeeks(): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; weeks: number; is_valid: boolean }>`
    select c.relname as name, count(w.inhrelid)::int as weeks, i.indisvalid and bool_and(part.indisvalid) as is_valid
    from pg_index i join pg_class c on c.oid = i.indexrelid
    left join pg_inherits w on w.inhparent = i.indexrelid left join pg_index part on part.indexrelid = w.inhrelid
    where i.indrelid = 'webhook_delivery_logs'::regclass group by c.relname, i.indisvalid`.execute(earlier.db)
  expect(rows.filter(({ is_valid }) => !is_valid)).toEqual([])
  return Object.fromEntries(rows.map(({ name, weeks }) => [name, weeks]))
}

/** Three weeks with attempts, four ahead, and the default partition. */
const WEEKS = 8
const EXPECTED = {
  webhook_delivery_logs_pkey: WEEKS,
  webhook_delivery_logs_lead: WEEKS,
  webhook_delivery_logs_kind: WEEKS,
  webhook_delivery_logs_error: WEEKS,
  webhook_delivery_logs_other: WEEKS,
}

test('each weekly partition has each index, also one that is created later', async () => {
  await earlier.upgrade()
  expect(await countWeeks()).toEqual(EXPECTED)

  await attempt(new Date(Date.now() - 5 * WEEK_MS))
  await ensureLogPartitions(earlier.db, 4)
  const later = Object.entries(EXPECTED).map(([name, weeks]) => [name, weeks + 1])
  expect(await countWeeks()).toEqual(Object.fromEntries(later))
})

/** Returns the partitions with the index by which servers of the previous version follow changes. */
async function weeksOfBefore(): Promise<string[]> {
  const { rows } = await sql<{ week: string }>`
    select tablename as week from pg_indexes where indexname = tablename || '_time'
      and indexdef like '%(webhook_config_id, created_at DESC, id DESC)' order by 1`.execute(earlier.db)
  return rows.map(({ week }) => week)
}

test('servers of the previous version find the attempts since yesterday in order', async () => {
  await earlier.upgrade()
  const { rows } = await sql<{ week: string }>`
    select distinct tableoid::regclass::text as week from webhook_delivery_logs
    where created_at > now() - interval '1 day'`.execute(earlier.db)

  expect(await weeksOfBefore()).toEqual(expect.arrayContaining(rows.map(({ week }) => week)))
  // This week, four ahead, and the default partition.
  expect(await weeksOfBefore()).toHaveLength(6)
})

test('an empty log keeps no index for servers of the previous version', async () => {
  await sql`truncate webhook_delivery_logs`.execute(earlier.db)
  await earlier.upgrade()

  expect(await weeksOfBefore()).toEqual([])
  expect(await countWeeks()).toEqual(EXPECTED)
})

test('the migration continues after a failed try that left some indexes', async () => {
  const { rows } = await sql<{ week: string }>`
    select inhrelid::regclass::text as week from pg_inherits where inhparent = 'webhook_delivery_logs'::regclass
      and inhrelid::regclass::text ~ '[0-9]$' order by 1 limit 2`.execute(earlier.db)
  const [joined = '', half = ''] = rows.map(({ week }) => week)
  const on = sql`(webhook_config_id, event_type, delivery_status, created_at desc nulls last, id desc nulls last)`
  await sql`create index webhook_delivery_logs_kind on only webhook_delivery_logs ${on}`.execute(earlier.db)
  await sql`create index ${sql.id(`${joined}_kind`)} on ${sql.id(joined)} ${on}`.execute(earlier.db)
  await sql`alter index webhook_delivery_logs_kind attach partition ${sql.id(`${joined}_kind`)}`.execute(
    earlier.db,
  )
  await sql`create index ${sql.id(`${half}_kind`)} on ${sql.id(half)} (lead_id)`.execute(earlier.db)

  await earlier.upgrade()
  expect(await countWeeks()).toEqual(EXPECTED)
})

test('attempts are recorded while the migration waits for a long read of the log', async () => {
  const migrating = await earlier.db.transaction().execute(async (reader) => {
    await sql`select count(*) from webhook_delivery_logs`.execute(reader)
    const migration = migrateDatabase(earlier.url)
    await waitUntil(
      async () => {
        const { rows } = await sql`
          select 1 from pg_stat_activity where datname = current_database() and state = 'active'
            and query ~ '(create|drop) index' and wait_event_type = 'Lock' and pid <> pg_backend_pid()`.execute(
          earlier.db,
        )
        return rows.length > 0
      },
      { what: 'The migration waiting for the reader' },
    )
    const began = performance.now()
    await attempt()
    expect(performance.now() - began).toBeLessThan(2000)
    return { migration }
  })

  expect(await migrating.migration).toContain(INDEXES)
  expect(await countWeeks()).toEqual(EXPECTED)
})

test('the partial index covers exactly the attempts with an unknown event type or status', async () => {
  await earlier.upgrade()
  const { rows } = await sql<{ predicate: string }>`
    select pg_get_expr(indpred, indrelid) as predicate from pg_index
    where indexrelid = 'webhook_delivery_logs_other'::regclass`.execute(earlier.db)
  const { rows: logs } = await sql<{ event_type: string; is_indexed: boolean; is_other: boolean }>`
    select event_type, ${sql.raw(rows[0]?.predicate ?? '')} as is_indexed, ${isOther('log')} as is_other
    from unnest(${[...DELIVERABLE_EVENTS, 'lead.renamed']}::text[]) kind
      cross join unnest(${[...ATTEMPT_ENDS, 'queued']}::text[]) ended
      cross join lateral (select kind, ended) log (event_type, delivery_status)`.execute(earlier.db)
  expect(logs.filter(({ is_indexed, is_other }) => is_indexed !== is_other)).toEqual([])
  expect(logs.filter(({ is_other }) => !is_other)).toHaveLength(
    DELIVERABLE_EVENTS.length * ATTEMPT_ENDS.length,
  )
})
