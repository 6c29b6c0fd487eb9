import { randomUUIDv7 } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, type Db } from '#core/data/database.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { listDeliveryLogs } from '#core/data/webhooks/logs/delivery-logs.ts'
import { findDeliveryLog } from '#core/data/webhooks/logs/find-delivery-log.ts'
import type { LogFilter } from '#core/data/webhooks/logs/log-filter.ts'
import { ensureLogPartitions } from '#core/data/webhooks/logs/log-partitions.ts'
import { findRelatedAttempts } from '#core/data/webhooks/logs/related-attempts.ts'
import { uuidAt } from '#core/domain/uuid-at.ts'
import { createSecretBox } from '#core/secrets/secret-box.ts'
import { givenClient, givenConfig, givenLead } from '#tests/support/given/pipeline.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

const WEEKS = 26
const WEEK_MS = 7 * 86_400_000
const ago = (weeks: number) => new Date(Date.now() - weeks * WEEK_MS)
const LIMIT = 50

let database: TestDatabase
let db: Kysely<Database>
let close: () => Promise<void>
let client: string
let busy: string
let quiet: string
let lead: string
/** an attempt of three months ago with its delivery */
let old: { id: string; delivery_id: string; lead_id: string }

beforeAll(async () => {
  database = await createTestDatabase()
  ;({ db, close } = openDatabase({ url: database.url, poolSize: 2, name: 'test' }, () => undefined))
  client = await givenClient(db)
  lead = await givenLead(db, client)
  const given = { db, secrets: createSecretBox(Buffer.alloc(32, 1).toString('base64')) }
  ;[busy = '', quiet = ''] = await Promise.all(
    [0, 1].map(
      async () => (await givenConfig(given, client, { endpoint_url: 'https://crm.example.com' })).id,
    ),
  )
  await attempt(busy, 500 * WEEKS)
  await attempt(quiet, 2 * WEEKS)
  await ensureLogPartitions(db, 4)
  await sql`vacuum (analyze) webhook_delivery_logs`.execute(db)
  old = await givenOld()
}, 60_000)
afterAll(async () => {
  await close()
  await database.drop()
})

/**
 * Inserts attempts spread evenly over half a year; half of them failed, and half of the failed ones were of
 * `lead.created`.
 */
async function attempt(configuration: string, count: number): Promise<void> {
  await sql`
    insert into webhook_delivery_logs (created_at, webhook_config_id, client_user_id, delivery_id, event_id, event_type,
      lead_id, delivery_status, attempt_number, error_message, request_url, request_method)
    select now() - make_interval(weeks => ${WEEKS}) * n / ${count}::int, ${configuration}::uuid, ${client}::uuid,
      gen_random_uuid(), gen_random_uuid(), case when n % 4 < 2 then 'lead.created' else 'lead.assigned' end,
      gen_random_uuid(), case when n % 2 = 0 then 'failed' else 'delivered' end, 1, '503: not available', '', 'POST'
    from generate_series(1, ${count}::int - 1) n`.execute(db)
}

async function givenOld(): Promise<typeof old> {
  const { rows } = await sql<{ event_id: string }>`select id as event_id from events limit 1`.execute(db)
  // A Saturday, far from the boundary between two weeks of the log.
  const at = new Date(Math.floor(ago(13).getTime() / WEEK_MS) * WEEK_MS + 2 * 86_400_000)
  const id = uuidAt(at, randomUUIDv7())
  const delivery = randomUUIDv7()
  await sql`
    insert into webhook_deliveries (id, event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt,
      created_at, finished_at)
    values (${delivery}, ${rows[0]?.event_id}, 'lead.assigned', ${busy}, ${client}, ${lead}, 'failed', 1, ${at}, ${at})`.execute(
    db,
  )
  await sql`
    insert into webhook_delivery_logs (id, created_at, webhook_config_id, client_user_id, delivery_id, event_id, event_type,
      lead_id, delivery_status, attempt_number, request_url, request_method)
    values (${id}, ${at}, ${busy}, ${client}, ${delivery}, ${rows[0]?.event_id}, 'lead.assigned', ${lead}, 'failed', 1, '',
      'POST')`.execute(db)
  return { id, delivery_id: delivery, lead_id: lead }
}

/**
 * Counts the partitions of the log that PostgreSQL opens to plan or read; they stay locked until the
 * transaction ends.
 */
async function weeksOpened(ask: (trx: Db) => Promise<unknown>): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    await ask(trx)
    const { rows } = await sql<{ weeks: number }>`
      select count(distinct c.relname)::int as weeks from pg_locks l join pg_class c on c.oid = l.relation
      where l.pid = pg_backend_pid() and c.relkind = 'r' and c.relname ~ '^webhook_delivery_logs_'`.execute(
      trx,
    )
    return rows[0]?.weeks ?? 0
  })
}

const list = (filter: Partial<LogFilter>, after?: { at: string; id: string }) => async (trx: Db) =>
  await listDeliveryLogs(
    trx,
    { client, kept: { since: ago(25.7), until: ago(-1) }, webhook_config_id: busy, ...filter },
    { limit: LIMIT, after },
  )

describe('a query of the log opens few weekly partitions', () => {
  const questions: Array<[string, number, (trx: Db) => Promise<unknown>]> = [
    ['the newest', 3, (trx) => list({})(trx)],
    ['the newest that failed', 3, (trx) => list({ status: 'failed' })(trx)],
    ['the newest that were delivered', 3, (trx) => list({ status: 'delivered' })(trx)],
    ['the newest of one event type', 3, (trx) => list({ event_type: 'lead.created' })(trx)],
    ['one day', 2, (trx) => list({ from: ago(10), to: new Date(ago(10).getTime() + 86_400_000) })(trx)],
    [
      'a page that begins months ago',
      3,
      (trx) => list({}, { at: ago(12).toISOString().replace('Z', '000Z'), id: randomUUIDv7() })(trx),
    ],
    ['waiting deliveries', 0, (trx) => list({ status: 'pending' })(trx)],
    ['cancelled deliveries', 0, (trx) => list({ status: 'cancelled' })(trx)],
    ['an attempt by its id', 1, (trx) => findDeliveryLog(trx, client, old.id)],
    ['an attempt by the id of its delivery', 3, (trx) => findDeliveryLog(trx, client, old.delivery_id)],
    [
      'an attempt that does not exist',
      1,
      (trx) => findDeliveryLog(trx, client, old.id.replace(/.{6}$/, 'ffffff')),
    ],
    ['related attempts', 2, (trx) => findRelatedAttempts(trx, { ...old, resend_of: null })],
  ]

  test.each(questions)('%s: at most %i partitions', async (_words, most, ask) => {
    expect(await weeksOpened(ask)).toBeLessThanOrEqual(most)
  })
})

test('a page with few attempts a week continues into older weeks, in one order with waiting and cancelled deliveries', async () => {
  const { rows: events } = await sql<{ id: string }>`select id from events limit 1`.execute(db)
  for (const weeks of [0.5, 9, 18]) {
    const id = randomUUIDv7()
    await sql`
      insert into webhook_deliveries (id, event_id, event_type, webhook_config_id, client_user_id, lead_id, state, resend_of,
        created_at, finished_at)
      values (${id}, ${events[0]?.id}, 'lead.assigned', ${quiet}, ${client}, ${lead},
        ${weeks === 9 ? 'cancelled' : 'pending'}, ${id}, ${ago(weeks)}, ${weeks === 9 ? ago(9) : null})`.execute(
      db,
    )
  }
  const pages: string[][] = []
  let after: { at: string; id: string } | undefined
  do {
    const rows = await list({ webhook_config_id: quiet }, after)(db)
    pages.push(rows.slice(0, LIMIT).map(({ created_at }) => created_at))
    const last = rows.length > LIMIT ? rows[LIMIT - 1] : undefined
    after = last === undefined ? undefined : { at: last.position, id: last.id }
  } while (after !== undefined)

  const shown = pages.flat()
  expect([pages.length, shown.length]).toEqual([2, 2 * WEEKS - 1 + 3])
  expect(shown).toEqual(shown.toSorted().toReversed())
})
