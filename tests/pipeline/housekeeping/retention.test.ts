import { randomBytes } from 'node:crypto'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { loadConfig } from '#core/config/config.ts'
import { findDeliveryLog } from '#core/data/webhooks/logs/find-delivery-log.ts'
import { findExpiredPartitions } from '#core/data/webhooks/logs/log-partitions.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { uuidAt } from '#core/domain/uuid-at.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { makePartitions } from '#worker/housekeeping/retention/make-partitions.ts'
import type { Periods } from '#core/use-cases/retention/old-rows.ts'
import { previewRetention } from '#core/use-cases/retention/preview-retention.ts'
import { removeByAge } from '#core/use-cases/retention/remove-by-age.ts'
import { readClock } from '#core/data/read-clock.ts'
import { watchRetention } from '#worker/metrics/watch-retention.ts'
import { removeOldRows } from '#worker/housekeeping/retention/remove-old-rows.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'
import { createEarlierDatabase } from '#tests/support/services/earlier-database.ts'
import { givenLogRow } from '#tests/support/given/log-rows.ts'
import { assignLead, givenClient, givenConfig, givenLead } from '#tests/support/given/pipeline.ts'
import { createSecretBox } from '#core/secrets/secret-box.ts'
import { planDeliveries } from '#core/use-cases/planning/plan-deliveries.ts'

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
const removeAged = async (periods: Periods = config, signal = new AbortController().signal) =>
  await removeByAge({ db, periods, now: await readClock(db), signal, rest: 0 })
const previewOf = async (what: string, periods: Periods = config) =>
  (await previewRetention(db, periods)).find((row) => row.what === what)
const count = async (from: string): Promise<number> =>
  (await sql<{ n: number }>`select count(*)::int as n from ${sql.table(from)}`.execute(db)).rows[0]?.n ?? 0

beforeAll(async () => {
  database = await createTestDatabase()
  db = connect(database.url)
})
beforeEach(async () => {
  warnings = []
  await sql`truncate webhook_delivery_logs, webhook_delivery_log_bodies, retention_progress`.execute(db)
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

describe('the removal of old rows', () => {
  async function givenDelivery(age: Date, state: 'delivered' | 'pending' | 'held'): Promise<string> {
    const client = await givenClient(db)
    const { id: config } = await givenConfig(
      { db, secrets: createSecretBox(Buffer.alloc(32).toString('base64')) },
      client,
      { endpoint_url: 'https://crm.example.com' },
    )
    // The configuration must be older than the lead's events.
    await db
      .updateTable('client_webhook_configs')
      .set({ choice_since: age })
      .where('id', '=', config)
      .execute()
    const lead = await givenLead(db, client)
    await assignLead(db, lead)
    const events = await db.selectFrom('events').select('id').where('lead_id', '=', lead).execute()
    for (const event of events) {
      const id = uuidAt(age, event.id)
      await db.updateTable('events').set({ id, created_at: age }).where('id', '=', event.id).execute()
      await planDeliveries(db, [{ event_id: id, turn: 0 }])
    }
    const delivery = await db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('lead_id', '=', lead)
      .executeTakeFirstOrThrow()
    await db
      .updateTable('webhook_deliveries')
      .set({
        id: uuidAt(age, delivery.id),
        state,
        created_at: age,
        finished_at: state === 'delivered' ? age : null,
      })
      .where('id', '=', delivery.id)
      .execute()
    return lead
  }
  const left = async (lead: string): Promise<[number, number]> => [
    (await db.selectFrom('webhook_deliveries').select('id').where('lead_id', '=', lead).execute()).length,
    (await db.selectFrom('events').select('id').where('lead_id', '=', lead).execute()).length,
  ]

  test('removes deliveries and events after their log; a waiting delivery stays with its event', async () => {
    const over = await givenDelivery(daysAgo(200), 'delivered')
    const waiting = await givenDelivery(daysAgo(200), 'held')
    const recent = await givenDelivery(daysAgo(100), 'delivered')

    await removeAged()

    expect(await left(over)).toEqual([0, 0])
    expect(await left(waiting)).toEqual([1, 1])
    expect(await left(recent)).toEqual([1, 2])
  })

  test('goes on where it was, and comes back to a row that had to wait', async () => {
    const waiting = await givenDelivery(daysAgo(210), 'held')
    const over = await givenDelivery(daysAgo(205), 'delivered')
    expect(await previewOf('deliveries')).toMatchObject({ rows: 1, days: 180 })
    await removeAged()
    expect([await left(waiting), await left(over)]).toEqual([
      [1, 1],
      [0, 0],
    ])
    await db
      .updateTable('webhook_deliveries')
      .set({ state: 'cancelled', finished_at: daysAgo(200), next_attempt_at: null })
      .where('lead_id', '=', waiting)
      .execute()
    expect(await previewOf('deliveries')).toMatchObject({ rows: 1 })

    await removeAged()

    expect(await left(waiting)).toEqual([0, 0])
    expect(await previewOf('deliveries')).toMatchObject({ rows: 0, oldest_at: null })
  })

  test('is shown in the metrics: the oldest rows, the last run, and the periods', async () => {
    await givenDelivery(daysAgo(100), 'delivered')
    await removeAged()
    const registry = new Registry()
    watchRetention(registry, { db, config })
    const text = await registry.metrics()
    const read = (name: string, what: string): number =>
      Number(new RegExp(`^${name}\\{what="${what}"\\} (.*)$`, 'm').exec(text)?.[1])
    expect(read('leadwire_oldest_row_age_seconds', 'deliveries')).toBeGreaterThan(99 * 86_400)
    expect(read('leadwire_retention_last_run_age_seconds', 'events')).toBeLessThan(60)
    expect(read('leadwire_retention_last_run_age_seconds', 'sold_leads')).toBeNaN()
    expect(read('leadwire_retention_period_seconds', 'deliveries')).toBe(180 * 86_400)
    expect(read('leadwire_retention_period_seconds', 'audit_rows')).toBe(0)
  })

  test('is in the hands of one worker at a time, and a stopped one gives it back', async () => {
    const over = await givenDelivery(daysAgo(200), 'delivered')
    const held = sql`now() + interval '1 minute'`
    await sql`
      insert into retention_progress (what, holder, lease_until)
      values ('deliveries', uuid_v7(), ${held}), ('events', uuid_v7(), ${held})`.execute(db)
    await removeAged()
    expect(await left(over)).toEqual([1, 2])

    await sql`update retention_progress set lease_until = now() - interval '1 second'`.execute(db)
    await removeAged(config, AbortSignal.abort())
    await removeAged()

    expect(await left(over)).toEqual([0, 0])
    expect(await sql`select from retention_progress where holder is not null`.execute(db)).toMatchObject({
      rows: [],
    })
  })

  test('does not follow the clock of a worker that is a year ahead', async () => {
    const recent = await givenDelivery(daysAgo(100), 'delivered')
    onTestFinished(() => {
      vi.useRealTimers()
    })
    vi.useFakeTimers({ toFake: ['Date'], now: daysAgo(-365) })

    await removeAged()

    expect(await left(recent)).toEqual([1, 2])
  })

  test('removes idempotency keys after two days', async () => {
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
})

describe('records that have a period', () => {
  const periods = {
    logs: { keepDays: 180, keepBodiesDays: 30 },
    retention: { soldLeadDays: 400, unsoldLeadDays: 90, decisionDays: 90, auditDays: 400 },
  }
  const given = { name: 'Rosa Marked', email: 'rosa@example.com', phone: '+15125550143', comments: 'Rosa' }

  /** A lead that came some days ago, sold for $ 21.50 to a client or to nobody. */
  async function givenOldLead(client: string | null, days: number): Promise<string> {
    const lead = await givenLead(db, null, { ...given, state: 'TX', source: 'form' })
    const id = uuidAt(daysAgo(days), lead)
    await sql`delete from events where lead_id = ${lead}`.execute(db)
    await sql`
      update leads set id = ${id}, created_at = ${daysAgo(days)}, assigned_to = ${client}, price_charged = 21.5,
        status = ${client === null ? 'expired' : 'assigned'} where id = ${lead}`.execute(db)
    await sql`
      insert into assignment_decisions (lead_id, outcome, decided_at) values (${id}, ${client === null ? 'expired' : 'assigned'}, ${daysAgo(days)})`.execute(
      db,
    )
    if (client !== null)
      await sql`
        insert into lead_assignments (lead_id, client_user_id, price, notes, assigned_at)
        values (${id}, ${client}, 21.5, 'Rosa called', ${daysAgo(days)})`.execute(db)
    return id
  }
  const read = async (id: string) => {
    const { rows } = await sql<{ text: string; price: string; status: string; state: string }>`
      select l::text || coalesce((select string_agg(a::text, '') from lead_assignments a where a.lead_id = l.id), '') as text,
        l.price_charged as price, l.status, l.state from leads l where id = ${id}`.execute(db)
    return { ...rows[0], has_person: /rosa/i.test(rows[0]?.text ?? '') }
  }
  const actionsOf = async () =>
    await db
      .selectFrom('auth.audit_log')
      .select('details')
      .where('action', '=', 'old_records_removed')
      .orderBy('id')
      .execute()

  test('old leads lose their person and keep price, status and state; one row tells of all', async () => {
    const client = await givenClient(db)
    const sold = await givenOldLead(client, 500)
    const disputed = await givenOldLead(client, 490)
    await sql`
      insert into lead_returns (assignment_id, lead_id, client_user_id, reason, note)
      select id, lead_id, client_user_id, 'wrong_state', 'Rosa moved' from lead_assignments where lead_id = ${disputed}`.execute(
      db,
    )
    const younger = await givenOldLead(client, 300)
    const unsold = await givenOldLead(null, 100)
    const recent = await givenOldLead(null, 80)
    expect(await previewOf('sold_leads', periods)).toMatchObject({ rows: 1, days: 400 })
    expect(await previewOf('unsold_leads', periods)).toMatchObject({ rows: 1, days: 90 })
    // Without periods nothing happens.
    await removeAged()
    expect((await read(sold)).has_person).toBe(true)

    await removeAged(periods)

    const figures = { price: '21.50', state: 'TX' }
    expect(await read(sold)).toMatchObject({ ...figures, status: 'assigned', has_person: false })
    expect(await read(unsold)).toMatchObject({ ...figures, status: 'expired', has_person: false })
    for (const id of [disputed, younger, recent]) expect((await read(id)).has_person).toBe(true)
    expect(await actionsOf()).toEqual([{ details: { sold_leads: 1, unsold_leads: 1, decisions: 4 } }])

    // A lead that was in dispute is not forgotten.
    await sql`update lead_returns set status = 'denied' where lead_id = ${disputed}`.execute(db)
    await removeAged(periods)
    expect((await read(disputed)).has_person).toBe(false)
    expect(await actionsOf()).toHaveLength(2)
    expect(await previewOf('sold_leads', periods)).toMatchObject({ rows: 0 })
  })

  test('old rows of the audit log go, and nobody removes those of the last year', async () => {
    const add = async (days: number) => {
      const at = daysAgo(days)
      const { id } = await db
        .insertInto('auth.audit_log')
        .values({
          id: uuidAt(at, '00000000-0000-7000-8000-000000000001'),
          at,
          action: 'signed_in',
          details: '{}',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    }
    const [old, young] = [await add(401), await add(399)]

    await removeAged(periods)

    const kept = await db.selectFrom('auth.audit_log').select('id').where('id', 'in', [old, young]).execute()
    expect(kept).toEqual([{ id: young }])
    await add(10)
    await expect(
      removeAged({ ...periods, retention: { ...periods.retention, auditDays: 1 } }),
    ).rejects.toThrow('older than a year')
    await expect(db.deleteFrom('auth.audit_log').execute()).rejects.toThrow('only grows')
  })
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
