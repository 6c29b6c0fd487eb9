import { randomBytes } from 'node:crypto'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadConfig } from '#core/config/config.ts'
import { findDeliveryLog } from '#core/data/webhooks/logs/find-delivery-log.ts'
import { findExpiredPartitions } from '#core/data/webhooks/logs/log-partitions.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { makePartitions } from '#worker/housekeeping/retention/make-partitions.ts'
import { removeOldRows } from '#worker/housekeeping/retention/remove-old-rows.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'
import { createEarlierDatabase } from '#tests/support/services/earlier-database.ts'
import { givenLogRow } from '#tests/support/given/log-rows.ts'
import { givenClient } from '#tests/support/given/pipeline.ts'

const DAY_MS = 86_400_000
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS)
const config = loadConfig({
  DATABASE_URL: 'postgres://unused',
  REDIS_URL: 'redis://unused',
  LOG_RETENTION_DAYS: '180',
  LOG_BODY_RETENTION_DAYS: '30',
})

let database: TestDatabase
let db: Kysely<Database>
let warnings: string[]
const connect = (url: string): Kysely<Database> => {
  const types = new pg.TypeOverrides()
  types.setTypeParser(114, (text) => text)
  const pool = new pg.Pool({ connectionString: url, max: 4, types })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}
const context = () => ({
  db,
  config,
  logger: Object.assign(createLogger('test', 'silent'), {
    warn: (_fields: object, message: string) => warnings.push(message),
  }),
})
const count = async (from: string): Promise<number> =>
  (await sql<{ n: number }>`select count(*)::int as n from ${sql.table(from)}`.execute(db)).rows[0]?.n ?? 0

beforeAll(async () => {
  database = await createTestDatabase()
  db = connect(database.url)
})
beforeEach(async () => {
  warnings = []
  await sql`truncate webhook_delivery_logs, webhook_delivery_log_bodies`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

describe('a weekly partition of the log', () => {
  test('takes the rows that came before it existed, and the move is logged once', async () => {
    const id = await givenLogRow(db, daysAgo(90))
    expect(await count('webhook_delivery_logs_default')).toBe(1)

    await makePartitions(context())

    expect(await count('webhook_delivery_logs_default')).toBe(0)
    expect(await count('webhook_delivery_log_bodies_default')).toBe(0)
    expect(warnings).toEqual(['the log had rows in its default partition; moved to their weeks'])
    expect((await findDeliveryLog(db, undefined, id))?.bodies).toBe('kept')
    await makePartitions(context())
    expect(warnings).toHaveLength(1)
  })

  test('is dropped when it has expired: requests and answers first, attempts months later', async () => {
    const young = await givenLogRow(db, daysAgo(10))
    const middle = await givenLogRow(db, daysAgo(60))
    const old = await givenLogRow(db, daysAgo(190))
    await makePartitions(context())

    await removeOldRows(context())

    expect((await findDeliveryLog(db, undefined, young))?.bodies).toBe('kept')
    expect(await findDeliveryLog(db, undefined, middle)).toMatchObject({ bodies: 'expired', request: null })
    expect(await findDeliveryLog(db, undefined, old)).toBeUndefined()
    expect(await findExpiredPartitions(db, 'webhook_delivery_logs', 180)).toEqual([])
    expect(await findExpiredPartitions(db, 'webhook_delivery_log_bodies', 30)).toEqual([])
  })

  test('stays while somebody reads it, delays no writer, and is dropped after that', async () => {
    await givenLogRow(db, daysAgo(200))
    await makePartitions(context())
    const reader = new pg.Client({ connectionString: database.url })
    await reader.connect()
    await reader.query('begin')
    await reader.query('select count(*) from webhook_delivery_logs')

    const removing = removeOldRows(context())
    let slowest = 0
    for (let writes = 0; writes < 50; writes += 1) {
      const since = performance.now()
      await givenLogRow(db, new Date())
      slowest = Math.max(slowest, performance.now() - since)
    }
    await removing
    expect(await findExpiredPartitions(db, 'webhook_delivery_logs', 180)).toHaveLength(1)
    // Each try waits 0.25 s for the lock; both inserts of a row may meet one.
    expect(slowest).toBeLessThan(6000)

    await reader.query('commit')
    await reader.end()
    await removeOldRows(context())
    expect(await findExpiredPartitions(db, 'webhook_delivery_logs', 180)).toEqual([])
  })

  test('is dropped once, even by four workers at the same time', async () => {
    for (const weeks of [27, 28, 29, 30]) await givenLogRow(db, daysAgo(weeks * 7))
    await makePartitions(context())

    await Promise.all([1, 2, 3, 4].map(() => removeOldRows(context())))

    expect(await findExpiredPartitions(db, 'webhook_delivery_logs', 180)).toEqual([])
    expect(await count('webhook_delivery_logs')).toBe(0)
  })
})

test('idempotency keys are removed after two days', async () => {
  const client = await givenClient(db)
  const key = (name: string, created_at: Date) => ({
    user_id: client,
    operation: 'delivery.resend',
    key: name,
    fingerprint: Buffer.from('x'),
    resource_id: client,
    created_at,
  })
  await db
    .insertInto('idempotency_keys')
    .values([key('old', daysAgo(3)), key('new', daysAgo(1))])
    .execute()

  await removeOldRows(context())

  expect(await db.selectFrom('idempotency_keys').select('key').execute()).toEqual([{ key: 'new' }])
})

test('sessions are removed a day after they have ended by inactivity; others stay', async () => {
  const client = await givenClient(db)
  const add = async (minutesAgo: number): Promise<string> => {
    const { id } = await db
      .insertInto('auth.sessions')
      .values({ user_id: client, amr: '[]', last_active_at: new Date(Date.now() - minutesAgo * 60_000) })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('auth.refresh_tokens')
      .values({ session_id: id, parent_id: null, token_hash: randomBytes(32), salt: Buffer.alloc(0) })
      .execute()
    return id
  }
  const kept = [await add(0), await add(31), await add(24 * 60 + 29)]
  const gone = await add(24 * 60 + 31)

  await removeOldRows(context())
  await removeOldRows(context())

  const left = await db.selectFrom('auth.sessions').select('id').where('user_id', '=', client).execute()
  expect(left.map(({ id }) => id).toSorted()).toEqual(kept.toSorted())
  expect(await count('auth.refresh_tokens')).toBe(3)
  const told = await db
    .selectFrom('auth.audit_log')
    .select(['action', 'session_id'])
    .where('user_id', '=', client)
    .execute()
  expect(told).toEqual([{ action: 'session_expired', session_id: gone }])
})

test('attempts that an earlier version logged keep their request and answer', async () => {
  const earlier = await createEarlierDatabase('20261121001000')
  try {
    const { rows } = await sql<{ id: string }>`
      insert into webhook_delivery_logs (webhook_config_id, client_user_id, delivery_id, event_id, event_type, lead_id,
        delivery_status, response_status, attempt_number, request_url, request_method, request_headers, request_body,
        response_headers, response_body)
      values (uuid_v7(), uuid_v7(), uuid_v7(), uuid_v7(), 'lead.assigned', uuid_v7(), 'delivered', 200, 1,
        'https://crm.example.com/', 'POST', '{}', '{"name":"Rosa"}', '{}', 'thanks')
      returning id`.execute(earlier.db)
    await earlier.upgrade()

    expect(await findDeliveryLog(earlier.db, undefined, rows[0]?.id ?? '')).toMatchObject({
      bodies: 'kept',
      request: { body: '{"name":"Rosa"}' },
      response: { body: 'thanks' },
    })
  } finally {
    await earlier.drop()
  }
})

test('a code that was never used goes after an hour, with the mail that has the address', async () => {
  const given = async (address: string, expires: string): Promise<void> => {
    await sql`
      with mail as (
        insert into mails (recipient_address, template, data, sealed_data, notice_key)
        values (${address}, 'revocation_code', '{}', 'sealed', ${address}) returning id
      )
      insert into revocation_codes (contact_mac, code_mac, mail_id, expires_at)
      select ${randomBytes(32)}, ${randomBytes(32)}, id, now() + ${expires}::interval from mail`.execute(db)
  }
  await given('old@example.com', '-2 hours')
  await given('new@example.com', '-1 minute')
  await removeOldRows(context())
  expect(await count('revocation_codes')).toBe(1)
  const { rows } = await sql<{ recipient_address: string }>`select recipient_address from mails`.execute(db)
  expect(rows).toEqual([{ recipient_address: 'new@example.com' }])
})

test('what late leads are judged by goes with its use: notes, jumps of the clock, hours of the promise', async () => {
  for (const days of [401, 181, 91, 1]) {
    const at = daysAgo(days)
    await sql`insert into promise_hours (hour, form, begun, late) values (${at}, 1, 100, 1)`.execute(db)
    await sql`insert into clock_jumps (began_at, ended_at, jumped_ms) values (${at}, ${at}, 5000)`.execute(db)
    await sql`
      insert into late_starts (delivery_id, event_id, lead_id, client_user_id, begun_at, due_at, turn)
      values (uuid_v7(), uuid_v7(), uuid_v7(), uuid_v7(), ${at}, ${at}, 0)`.execute(db)
  }
  const before = await count('promise_hours')
  await removeOldRows(context())
  expect([await count('promise_hours'), await count('clock_jumps'), await count('late_starts')]).toEqual([
    before - 1,
    1,
    2,
  ])
})
