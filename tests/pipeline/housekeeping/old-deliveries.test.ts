import { sql, type Kysely } from 'kysely'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { readClock } from '#core/data/read-clock.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { uuidAt } from '#core/domain/uuid-at.ts'
import { createSecretBox } from '#core/secrets/secret-box.ts'
import type { Periods } from '#core/use-cases/retention/old-rows.ts'
import { planDeliveries } from '#core/use-cases/planning/plan-deliveries.ts'
import { previewRetention } from '#core/use-cases/retention/preview-retention.ts'
import { removeByAge } from '#core/use-cases/retention/remove-by-age.ts'
import { assignLead, givenClient, givenConfig, givenLead } from '#tests/support/given/pipeline.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'
import { watchRetention } from '#worker/metrics/watch-retention.ts'

const DAY_MS = 86_400_000
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS)
const NONE = {
  soldLeadDays: undefined,
  unsoldLeadDays: undefined,
  decisionDays: undefined,
  auditDays: undefined,
}
const config: Periods = { logs: { keepDays: 180, keepBodiesDays: 30 }, retention: NONE }

let database: TestDatabase
let db: Kysely<Database>
let close: () => Promise<void>
beforeAll(async () => {
  database = await createTestDatabase()
  ;({ db, close } = openDatabase({ url: database.url, poolSize: 4, name: 'retention-test' }, () => undefined))
})
beforeEach(async () => {
  await sql`truncate retention_progress`.execute(db)
})
afterAll(async () => {
  await close()
  await database.drop()
})

const removeAged = async (periods: Periods = config, signal = new AbortController().signal) =>
  await removeByAge({ db, periods, now: await readClock(db), signal, rest: 0 })
const previewOf = async (what: string, periods: Periods = config) =>
  (await previewRetention(db, periods)).find((row) => row.what === what)

describe('the removal of old deliveries and events', () => {
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
})
