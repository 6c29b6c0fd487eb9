import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import {
  listUnderWay,
  listWaitingClients,
  listWaitingLines,
  readWaitTotals,
} from '#core/data/operations/waits.ts'
import { givenClient, givenLead } from '#tests/support/given/pipeline.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

const MANY = 30_000
/**
 * The limit of 5,000 for each of two kinds, twice (due and planned), a row for each of a few hundred
 * endpoints, and a margin.
 */
const FEW = 15_000

type Pool = ReturnType<typeof openDatabase>

let database: TestDatabase
let pools: { server: Pool; worker: Pool }
let whale: string
let shrimp: string

beforeAll(async () => {
  database = await createTestDatabase()
  const open = (name: string, byKey: boolean) =>
    openDatabase({ url: database.url, poolSize: 1, name, byKey }, () => undefined)
  pools = { server: open('server', false), worker: open('worker', true) }
  const { db } = pools.server
  whale = await givenClient(db)
  shrimp = await givenClient(db)
  await givenConfigs(shrimp, 1000)
  // PostgreSQL's statistics are those before a burst: nothing waits. A connection keeps a plan after using it
  // a few times.
  await sql`analyze`.execute(db)
  for (const pool of Object.values(pools)) await askOften(pool)
  await givenDue(await givenConfigs(whale, 1), whale, MANY, 3600)
  await givenDue(await givenConfigs(whale, 1), whale, MANY, -3600)
  await givenDue(await givenConfigs(whale, 200), whale, 1, 1800)
  await givenDue(await givenConfigs(shrimp, 1), shrimp, 1, 5)
})
afterAll(async () => {
  await pools.server.close()
  await pools.worker.close()
  await database.drop()
})

async function askOften(pool: Pool): Promise<void> {
  for (let times = 0; times < 7; times += 1) for (const [, ask] of questions) await ask(pool.db)
}

async function givenConfigs(owner: string, count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into client_webhook_configs (client_user_id, webhook_name, endpoint_url, payload_template, signing_secret)
    select ${owner}::uuid, 'Example CRM', 'https://crm.example.com/hook', '{}', 'sealed' from generate_series(1, ${count})
    returning id`.execute(pools.server.db)
  return rows.map(({ id }) => id)
}

/** Inserts deliveries at each endpoint that have been due for some seconds; negative: planned for later. */
async function givenDue(configs: readonly string[], client: string, count: number, seconds: number) {
  const { db } = pools.server
  const lead = await givenLead(db, client)
  await sql`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, attempt,
      next_attempt_at, resend_of)
    select e.id, 'lead.created', c.id, ${client}::uuid, ${lead}::uuid, ${seconds < 0 ? 1 : 0},
      now() - make_interval(secs => ${seconds}::float8 - i::float8 / ${count}::float8), gen_random_uuid()
    from events e, unnest(${configs}::uuid[]) as c (id), generate_series(1, ${count}::int) i
    where e.lead_id = ${lead}`.execute(db)
}

interface Read {
  rows: number
  walks: number
}

/** Counts the rows of deliveries read so far, and the sequential scans. */
async function readSoFar({ db }: Pool): Promise<Read> {
  // A connection reports its reads only now and then; the pool has one connection.
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<Read>`
    select (idx_tup_fetch + seq_tup_read)::int as rows, seq_scan::int as walks
    from pg_stat_user_tables where relname = 'webhook_deliveries'`.execute(db)
  return rows[0] ?? { rows: 0, walks: 0 }
}

async function costOf(pool: Pool, ask: (db: Pool['db']) => Promise<unknown>): Promise<Read> {
  const before = await readSoFar(pool)
  await ask(pool.db)
  const after = await readSoFar(pool)
  return { rows: after.rows - before.rows, walks: after.walks - before.walks }
}

const questions: Array<[string, (db: Pool['db']) => Promise<unknown>]> = [
  ['how many deliveries wait', readWaitTotals],
  ['which clients wait longest', listWaitingClients],
  ['how many requests of each client are in flight', listUnderWay],
  [
    'at which endpoints deliveries of all clients wait',
    (db) => listWaitingLines(db, { client: undefined, limit: 100 }),
  ],
  [
    'at which endpoints deliveries of one client wait',
    (db) => listWaitingLines(db, { client: whale, limit: 100 }),
  ],
]

describe.each(['server', 'worker'] as const)(
  'with tens of thousands of waiting deliveries, the %s asks',
  (pool) => {
    test.each(questions)('%s through indexes, and reads no more rows than it counts', async (_name, ask) => {
      const { rows, walks } = await costOf(pools[pool], ask)

      expect(walks).toBe(0)
      expect(rows).toBeLessThan(FEW)
    })
  },
)

test('a client or endpoint with many waiting deliveries hides no other', async () => {
  const { db } = pools.server

  expect(await listWaitingClients(db)).toMatchObject([
    { client_user_id: whale, more_waiting: true, later: 5000, more_later: true, held: 0 },
    { client_user_id: shrimp, waiting: 1, more_waiting: false },
  ])
  expect(await readWaitTotals(db)).toMatchObject({ waiting_clients: 2, busy_clients: 2, held_off: 0 })
  const lines = await listWaitingLines(db, { client: whale, limit: 100 })
  expect(lines).toHaveLength(100)
  expect(lines[0]).toMatchObject({ more_waiting: true })
  expect(lines[1]).toMatchObject({ waiting: 1, more_waiting: false })
  expect(lines.filter(({ later }) => later > 0)).toEqual([])
})
