import { globSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SEALED_COLUMNS } from '#core/data/secrets/sealed-columns.ts'
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

describe('the list of sealed columns', () => {
  /** Headers of the log, whose secret values are masked. Its weekly partitions have the same columns. */
  const masked = /^webhook_delivery_log_bodies\w*\.(request|response)_headers$/

  test('names every column of the schema whose name or comment tells of a secret', async () => {
    const { rows } = await client.query<{ name: string; comment: string | null }>(
      `select case table_schema when 'public' then '' else table_schema || '.' end || table_name || '.' || column_name as name,
         col_description((quote_ident(table_schema) || '.' || quote_ident(table_name))::regclass, ordinal_position) as comment
       from information_schema.columns
       where table_schema in ('public', 'auth') and data_type in ('text', 'json', 'jsonb', 'bytea')`,
    )
    const tellsOfSecret = /seal|secret|private|credential|authentication|_headers$|client_key|token$/
    const found = rows.filter(
      ({ name, comment }) =>
        tellsOfSecret.test(name.split('.').at(-1) ?? '') || /SECRETS_KEY|seal/i.test(comment ?? ''),
    )
    const names = found.map(({ name }) => name).filter((name) => !masked.test(name))
    expect(names.toSorted()).toEqual(Object.keys(SEALED_COLUMNS).toSorted())
  })

  test('is asked by everything that seals', () => {
    const files = globSync(['core/**/*.ts', 'server/**/*.ts', 'worker/**/*.ts'])
    const cipher = files.filter((file) => /createCipheriv|\bsealValue\b/.test(readFileSync(file, 'utf8')))
    expect(cipher.toSorted()).toEqual([
      'core/secrets/keyring.ts',
      'core/secrets/secret-box.ts',
      'core/use-cases/secrets/reset-lost-secrets.ts',
      'core/use-cases/secrets/rotate-secrets.ts',
    ])
  })
})
