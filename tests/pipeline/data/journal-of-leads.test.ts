import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadIngestSchema } from '#core/contract/leads/lead-ingest.ts'
import { openDatabase } from '#core/data/database.ts'
import { insertLeads, type LeadRow } from '#core/data/leads/receive-leads.ts'
import { insertSource } from '#core/data/leads/sources.ts'
import { recordAttempts } from '#core/data/webhooks/deliveries/record-attempts.ts'
import { normaliseLead } from '#core/domain/leads/normalise-lead.ts'
import { planDeliveries } from '#core/use-cases/planning/plan-deliveries.ts'
import { attemptRecord, claimAt } from '#tests/support/given/attempt-record.ts'
import { givenClient } from '#tests/support/given/pipeline.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

/**
 * WAL records of one lead's whole journey, with each statement in its own transaction;
 * docs/operations/indexes.md lists them.
 */
const RECORDS_OF_LEAD = 64
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

function makeRow(sourceId: string, keyId: string, index: number): LeadRow {
  const given = leadIngestSchema.parse({
    lead_type: 'final_expense',
    name: `Avery Example ${index}`,
    email: `avery${index}@example.com`,
    phone: `+1512555${String(index).padStart(4, '0')}`,
    state: 'TX',
  })
  const reading = normaliseLead(given, { custom: {}, utm: {} }, '2026-01-31')
  if (!reading.ok) throw new Error('the sample is not a lead')
  const keys = { external_id: randomUUIDv7(), idempotency_key: null, ingest_fingerprint: null }
  return {
    ...reading.lead,
    ...keys,
    id: randomUUIDv7(),
    user_id: null,
    source_id: sourceId,
    source_key_id: keyId,
  }
}

test('a lead that is stored, planned, claimed and delivered writes few records to the journal', async ({
  skip,
}) => {
  const { db } = opened
  const { rows: able } = await sql<{ counts: boolean }>`
    select to_regprocedure('pg_stat_get_backend_wal(integer)') is not null as counts`.execute(db)
  // PostgreSQL 18 and later count the WAL of each connection.
  if (able[0]?.counts !== true) skip()
  const client = await givenClient(db)
  const { id: source } = await insertSource(db, {
    name: 'Page',
    owner_user_id: client,
    auto_assign: true,
    api_key_hash: randomBytes(32),
    api_key_prefix: 'lw_src_',
    created_by: client,
  })
  const { id: keyId } = await db.selectFrom('source_keys').select('id').executeTakeFirstOrThrow()
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
    const stored = await insertLeads(db, [makeRow(source, keyId, index)])
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
