import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  booleanArray,
  floatArray,
  intArray,
  momentArray,
  textArray,
  uuidArray,
} from '#core/data/binary-arrays.ts'
import { openDatabase } from '#core/data/database.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

let database: TestDatabase
let opened: ReturnType<typeof openDatabase>
beforeAll(async () => {
  database = await createTestDatabase()
  opened = openDatabase({ url: database.url, poolSize: 1, name: 'binary-arrays' }, () => undefined)
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})

/** Returns PostgreSQL's elements of the array, and whether the text form gives the same array. */
async function ask(binary: Buffer, text: readonly unknown[], type: string) {
  const of = sql.raw(`${type}[]`)
  const { rows } = await sql<{ same: boolean; elements: unknown[] }>`
    select ${binary}::${of} = ${text}::${of} as same, to_json(${binary}::${of}) as elements`.execute(
    opened.db,
  )
  return rows[0]
}

test('texts arrive unchanged, whatever they contain', async () => {
  const texts = ['', 'plain', 'a "quoted", {braced} \\ one', 'Zoë 😀\n\t', null, 'NULL', 'x'.repeat(70_000)]
  const row = await ask(textArray(texts), texts, 'text')
  expect(row?.same).toBe(true)
  expect(JSON.parse(String(row?.elements))).toEqual(texts)
})

test('characters that UTF-8 cannot encode are replaced as in the text form', async () => {
  const texts = ['\ud83d alone']
  expect((await ask(textArray(texts), texts, 'text'))?.same).toBe(true)
})

test('NUL is refused as in the text form', async () => {
  await expect(ask(textArray(['a\0b']), [], 'text')).rejects.toMatchObject({ code: '22021' })
})

test('ids, numbers, booleans and times are those of the text form', async () => {
  const ids = [randomUUID(), '01900000-0000-7000-8000-00000000ABCD']
  expect((await ask(uuidArray(ids), ids, 'uuid'))?.same).toBe(true)
  const numbers = [0, -1, 2_147_483_647, null, -2_147_483_648]
  expect((await ask(intArray(numbers), numbers, 'int'))?.same).toBe(true)
  const fractions = [0.1, -1e300, null, 30]
  expect((await ask(floatArray(fractions), fractions, 'float8'))?.same).toBe(true)
  const truths = [true, false]
  expect((await ask(booleanArray(truths), truths, 'boolean'))?.same).toBe(true)
  const moments = [new Date(), new Date('1969-07-20T20:17:40.123Z'), new Date('2100-02-28T23:59:59.999Z')]
  expect((await ask(momentArray(moments), moments, 'timestamptz'))?.same).toBe(true)
})

test('an array may be empty', async () => {
  expect(await ask(textArray([]), [], 'text')).toEqual({ same: true, elements: '[]' })
})

test.each([
  ['a text that is not an id', () => uuidArray(['not-a-uuid'])],
  ['an id with its hyphens elsewhere', () => uuidArray(['019000000-000-7000-8000-000000000000'])],
  ['an id with a further character', () => uuidArray([`${randomUUID()}0`])],
  ['a number that is too large', () => intArray([2_147_483_648])],
  ['an invalid time', () => momentArray([new Date(Number.NaN)])],
])('an array with %s is refused', (_what, make) => {
  expect(make).toThrow()
})
