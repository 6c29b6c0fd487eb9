import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readChangeTokens } from '#core/data/change-tokens.ts'
import { openDatabase, type Db } from '#core/data/database.ts'
import { readWorkToDo } from '#core/data/operations/work-to-do.ts'
import { readMoment, readWritten } from '#core/data/realtime/read-written.ts'
import { createCommitWindow } from '#core/domain/realtime/commit-window.ts'
import { findUnenqueuedEvents, findUnplannedEvents } from '#core/data/outbox/events.ts'
import { claimDeliveries } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { findDueEndpoints } from '#core/data/webhooks/deliveries/find-due-endpoints.ts'
import { hasOverdueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { CONSUMED_EVENTS } from '#core/queue/event-consumers.ts'
import { givenClient, givenLead } from '#tests/support/given/pipeline.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

const MANY = 20_000
/**
 * Most rows that one poll may read, whatever the size of the table: the relay takes a hundred events at once.
 */
const FEW = 300
const TABLES = ['events', 'leads', 'webhook_deliveries']

type Pool = ReturnType<typeof openDatabase>

let database: TestDatabase
let client: string
let endpoint: string
/** One connection each, so that cached plans stay. */
let byKey: Pool
let inLine: Pool

const types = CONSUMED_EVENTS
const polls: Array<[string, () => Pool, (db: Pool['db']) => Promise<unknown>]> = [
  ['what there is to do', () => byKey, (db) => readWorkToDo(db, { types, unplannedSeconds: 10 })],
  ['which events Redis misses', () => byKey, (db) => findUnenqueuedEvents(db, { types, limit: 100 })],
  [
    'which events nobody planned',
    () => byKey,
    (db) => findUnplannedEvents(db, { types, overdueSeconds: 10, limit: 100, after: undefined }),
  ],
  ['whether a delivery is overdue', () => byKey, (db) => hasOverdueDelivery(db, 10)],
  ['at which endpoints something is due', () => inLine, (db) => findDueEndpoints(db, null)],
  [
    'for the next deliveries',
    () => inLine,
    (db) =>
      claimDeliveries(
        db,
        [{ webhook_config_id: endpoint, most: 5, most_low_priority: 2, low_priority_first: false }],
        30,
      ),
  ],
  [
    'which rows were written lately',
    () => inLine,
    async (db) => {
      const { at, ...moment } = await readMoment(db)
      // Everything in the tables was written before.
      const window = createCommitWindow({ ...moment, at: at + 120_000 })
      return await readWritten(db, window.since(), 1000)
    },
  ],
  ['what has changed for a client', () => inLine, (db) => readChangeTokens(db, [client], null)],
]

beforeAll(async () => {
  database = await createTestDatabase()
  const open = (inLine: boolean) =>
    openDatabase({ url: database.url, poolSize: 1, name: 'test', byKey: true, inLine }, () => undefined)
  byKey = open(false)
  inLine = open(true)
  const { db } = byKey
  client = await givenClient(db)
  // The database must have no statistics of the new rows.
  for (const table of TABLES)
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = off)`.execute(db)
  endpoint = await givenEndpoint()
  for (const [, pool, ask] of polls) await ask(pool().db)
  await fill()
})
afterAll(async () => {
  await byKey.close()
  await inLine.close()
  await database.drop()
})

async function givenEndpoint(): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into client_webhook_configs (client_user_id, webhook_name, endpoint_url, payload_template, signing_secret)
    values (${client}, 'Example CRM', 'https://crm.example.com/hook', '{}', 'sealed') returning id`.execute(
    byKey.db,
  )
  return rows[0]?.id ?? ''
}

/** Inserts events and deliveries, half of them done and half waiting. */
async function fill(): Promise<void> {
  const lead = await givenLead(byKey.db, client)
  await sql`
    with told as (
      insert into events (type, lead_id, client_user_id, created_at, enqueued_at, planned_at)
      select 'lead.assigned', ${lead}, ${client}, at, case when i % 4 <> 1 then at end, case when i % 2 = 0 then at end
      from (select i, now() - interval '1 hour' + make_interval(secs => i / 100.0) as at from generate_series(1, ${MANY}::int) i) spread
      returning id, created_at, planned_at is not null as is_done
    )
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, attempt, state, next_attempt_at, created_at)
    select id, 'lead.assigned', ${endpoint}::uuid, ${client}::uuid, ${lead}::uuid, 0, case when is_done then 'delivered' else 'pending' end,
      created_at, created_at
    from told`.execute(byKey.db)
}

async function readSoFar(db: Db): Promise<{ rows: number; walks: number }> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ rows: number; walks: number }>`
    select sum(idx_tup_fetch + seq_tup_read)::int as rows, sum(seq_scan)::int as walks
    from pg_stat_user_tables where relname = any(${TABLES}::text[])`.execute(db)
  return rows[0] ?? { rows: 0, walks: 0 }
}

async function costOf(
  db: Pool['db'],
  ask: (db: Pool['db']) => Promise<unknown>,
): Promise<{ rows: number; walks: number }> {
  const before = await readSoFar(db)
  await ask(db)
  const after = await readSoFar(db)
  return { rows: after.rows - before.rows, walks: after.walks - before.walks }
}

describe.each([
  ['planned while the database was empty and never analysed', async () => await Promise.resolve()],
  ['planned when it is full and never analysed', forgetAll],
  ['planned when it is full and analysed', analyse],
] as const)('%s', (_name, prepare) => {
  beforeAll(prepare)

  test.each(polls)('a poll asks %s through indexes, and reads few rows of many', async (_name, pool, ask) => {
    const { rows, walks } = await costOf(pool().db, ask)

    expect(walks).toBe(0)
    expect(rows).toBeLessThan(FEW)
  })
})

async function forgetAll(): Promise<void> {
  for (const { db } of [byKey, inLine]) await sql`discard plans`.execute(db)
}

async function analyse(): Promise<void> {
  await sql`analyze`.execute(byKey.db)
  await forgetAll()
}
