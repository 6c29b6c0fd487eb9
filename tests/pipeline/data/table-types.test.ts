import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'
import { isTrue, kindOfColumn } from '#tests/support/statements/kind-of-column.ts'
import { listSignatures, readMembers } from '#tests/support/statements/read-row-type.ts'

interface Column {
  name: string
  type: string
  is_nullable: boolean
}

const tables = listSignatures('Database', 'core/data/schema/tables.ts')

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

test.each(tables)('the table $name has the columns that its type declares', async ({ name, node, file }) => {
  const { rows } = await client.query<Column>(
    `select a.attname as name, t.typname as type, not a.attnotnull as is_nullable
     from pg_attribute a join pg_type t on t.oid = a.atttypid
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped`,
    [name],
  )
  const declared = await readMembers(node, file)
  const found = rows.filter((column) => declared.has(column.name))

  expect([...declared.keys()].filter((key) => !rows.some((column) => column.name === key))).toEqual([])
  for (const { name: column, type, is_nullable } of found) {
    const kinds = declared.get(column) ?? new Set()
    expect(isTrue(kinds, kindOfColumn(type)), `${column} is ${type}, not ${[...kinds].join(' or ')}`).toBe(
      true,
    )
    if (!kinds.has('unknown')) expect(kinds.has('null'), `${column} can be null`).toBe(is_nullable)
  }
})
