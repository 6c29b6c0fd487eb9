import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { insertLeads } from '#core/data/leads/receive-leads.ts'
import { recordAttempts } from '#core/data/webhooks/deliveries/record-attempts.ts'
import { planDeliveries } from '#core/use-cases/planning/plan-deliveries.ts'
import { attemptRecord, claimAt } from '#tests/support/given/attempt-record.ts'
import { givenClient } from '#tests/support/given/pipeline.ts'
import { givenSourceOf, makeLeadRow, type GivenSource } from '#tests/support/given/posted-leads.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

/**
 * WAL records of one lead's whole journey, with each statement in its own transaction;
 * docs/operations/indexes.md lists them.
 */
const RECORDS_OF_LEAD = 68
const LEADS = 100

let database: TestDatabase
let opened: ReturnType<typeof openDatabase>
beforeAll(async () => {
  database = await createTestDatabase()
  // One connection, so that its writes can be measured.
  opened = openDatabase({ url: database.url, poolSize: 1, name: 'test', byKey: true }, () => undefined)
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})

const makeRow = (source: GivenSource, index: number) =>
  makeLeadRow(
    source,
    {
      lead_type: 'final_expense',
      name: `Avery Example ${index}`,
      email: `avery${index}@example.com`,
      phone: `+1512555${String(index).padStart(4, '0')}`,
      state: 'TX',
    },
    { idempotencyKey: null },
  )

test('storing, planning, claiming and delivering a lead writes few records to the WAL', async ({ skip }) => {
  const { db } = opened
  const { rows: able } = await sql<{ counts: boolean }>`
    select to_regprocedure('pg_stat_get_backend_wal(integer)') is not null as counts`.execute(db)
  // PostgreSQL 18 and later count the WAL of each connection.
  if (able[0]?.counts !== true) skip()
  const client = await givenClient(db)
  const source = await givenSourceOf(db, client)
  const { id: endpoint } = await db
    .insertInto('client_webhook_configs')
    .values({
      client_user_id: client,
      webhook_name: 'Example CRM',
      endpoint_url: 'https://crm.example.com/leads',
      payload_template: '{}',
      signing_secret: 'none',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const deliver = async (index: number) => {
    const stored = await insertLeads(db, [makeRow(source, index)])
    const events = [...stored.values()].flatMap((lead) => lead.events)
    expect(
      await planDeliveries(
        db,
        events.map(({ id }) => ({ event_id: id, turn: 0 })),
      ),
    ).toHaveLength(1)
    const [delivery] = await claimAt(db, endpoint)
    if (delivery === undefined) throw new Error('nothing was claimed')
    await recordAttempts(db, [attemptRecord(delivery, delivery.lease_token)])
  }
  const readSoFar = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db)
    const { rows } = await sql<{ records: number }>`
      select wal_records::int as records from pg_stat_get_backend_wal(pg_backend_pid())`.execute(db)
    return rows[0]?.records ?? 0
  }

  for (let index = 0; index < LEADS; index += 1) await deliver(index)
  const before = await readSoFar()
  for (let index = LEADS; index < 2 * LEADS; index += 1) await deliver(index)

  expect(((await readSoFar()) - before) / LEADS).toBeLessThan(RECORDS_OF_LEAD)
})
