import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadIngestSchema } from '#core/contract/leads/lead-ingest.ts'
import { openDatabase } from '#core/data/database.ts'
import { findEarlierLeads } from '#core/data/leads/find-earlier-leads.ts'
import { insertLeads, type LeadRow } from '#core/data/leads/receive-leads.ts'
import { findSourcesByKeys } from '#core/data/leads/source-keys.ts'
import { insertSource } from '#core/data/leads/sources.ts'
import { normaliseLead } from '#core/domain/leads/normalise-lead.ts'
import { givenClient } from '#tests/support/given/pipeline.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

let database: TestDatabase
let opened: ReturnType<typeof openDatabase>
beforeAll(async () => {
  database = await createTestDatabase()
  // One connection, so that its prepared statements can be read.
  opened = openDatabase({ url: database.url, poolSize: 1, name: 'test', byKey: true }, () => undefined)
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})

function makeRow(sourceId: string, keyId: string): LeadRow {
  const given = leadIngestSchema.parse({ lead_type: 'auto', name: 'Rosa Example', email: 'rosa@example.com' })
  const reading = normaliseLead(given, { custom: {}, utm: {} }, '2026-01-31')
  if (!reading.ok) throw new Error('the sample is not a lead')
  const keys = { external_id: randomUUIDv7(), idempotency_key: randomUUIDv7(), ingest_fingerprint: null }
  return {
    ...reading.lead,
    ...keys,
    id: randomUUIDv7(),
    user_id: null,
    source_id: sourceId,
    source_key_id: keyId,
  }
}

test('statements that store leads, find earlier ones and look up keys are planned once, and find every row by key', async () => {
  const { db } = opened
  const client = await givenClient(db)
  const key = randomBytes(32)
  const { id: source } = await insertSource(db, {
    name: 'Page',
    owner_user_id: client,
    auto_assign: true,
    api_key_hash: key,
    api_key_prefix: 'lw_src_',
    created_by: client,
  })
  const { id: keyId } = await db.selectFrom('source_keys').select('id').executeTakeFirstOrThrow()
  const rows = [1, 2, 3].map((count) => Array.from({ length: count }, () => makeRow(source, keyId)))
  for (const some of rows) {
    expect((await insertLeads(db, some, 250)).size).toBe(some.length)
    expect(await findEarlierLeads(db, some)).toHaveLength(some.length)
    const others = some.map(() => randomBytes(32))
    expect(await findSourcesByKeys(db, [key, ...others])).toEqual([
      { source_id: source, key_id: keyId },
      ...others.map(() => undefined),
    ])
  }

  const { rows: prepared } = await sql<{ name: string; generic: string; custom: string; types: string }>`
    select name, generic_plans as generic, custom_plans as custom, parameter_types::text as types from pg_prepared_statements
    where statement ~ 'insert into leads|as posted_id|as key_hash' and statement !~ 'pg_prepared'`.execute(db)
  expect(prepared).toHaveLength(3)
  for (const { name, generic, custom, types } of prepared) {
    expect({ generic: Number(generic), custom: Number(custom) }).toEqual({ generic: 3, custom: 0 })
    const given = types.split(',').map(() => 'null')
    const { rows: lines } = await sql<{ 'QUERY PLAN': string }>`
      explain (costs off) execute ${sql.raw(`${name} (${given.join(', ')})`)}`.execute(db)
    const plan = lines.map((line) => line['QUERY PLAN'])
    // An index scan without a condition reads the whole index.
    const scans = plan.flatMap((line, index) => (/Index.* Scan/.test(line) ? [plan[index + 1]] : []))
    expect(scans.length).toBeGreaterThan(0)
    expect(scans.filter((line) => line?.includes('Index Cond') !== true)).toEqual([])
    expect(plan.filter((line) => line.includes('Seq Scan'))).toEqual([])
  }
})
