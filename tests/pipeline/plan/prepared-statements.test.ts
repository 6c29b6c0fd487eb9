import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  await database.drop()
})

test('a connection keeps a limited number of prepared statements, and runs any number of statements', async () => {
  const { db, close } = openDatabase(
    { url: database.url, poolSize: 1, name: 'test', byKey: true },
    () => undefined,
  )
  for (let index = 0; index < 400; index += 1) {
    const { rows } = await sql<{ sum: number }>`select ${sql.raw(String(index))} + ${1}::int as sum`.execute(
      db,
    )
    expect(rows).toEqual([{ sum: index + 1 }])
  }

  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from pg_prepared_statements`.execute(db)
  expect(rows).toEqual([{ count: 300 }])
  await close()
})
