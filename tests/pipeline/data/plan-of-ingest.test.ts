import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { findEarlierLeads } from '#core/data/leads/find-earlier-leads.ts'
import { insertLeads } from '#core/data/leads/receive-leads.ts'
import { findSourcesByKeys } from '#core/data/leads/sources/source-keys.ts'
import { givenClient } from '#tests/support/given/pipeline.ts'
import { givenSourceOf, makeLeadRow, type GivenSource } from '#tests/support/given/posted-leads.ts'
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

const makeRow = (source: GivenSource) =>
  makeLeadRow(
    source,
    { lead_type: 'auto', name: 'Rosa Example', email: 'rosa@example.com' },
    { idempotencyKey: randomUUIDv7() },
  )

test('statements that store leads, find earlier leads and look up keys are planned once, and find every row by key', async () => {
  const { db } = opened
  const client = await givenClient(db)
  const source = await givenSourceOf(db, client)
  const rows = [1, 2, 3].map((count) => Array.from({ length: count }, () => makeRow(source)))
  for (const some of rows) {
    expect((await insertLeads(db, some, 250)).size).toBe(some.length)
    expect(await findEarlierLeads(db, some)).toHaveLength(some.length)
    const others = some.map(() => randomBytes(32))
    expect(await findSourcesByKeys(db, [source.keyHash, ...others])).toEqual([
      { source_id: source.id, key_id: source.keyId },
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
