import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#core/data/schema/tables.ts'
import { hashSourceKey } from '#server/identity/find-source.ts'
import { createSourceHints } from '#server/identity/source-hints.ts'
import { newLead, startApp, type TestApp } from '../../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ DATABASE_POOL_SIZE: '2' })
})
afterAll(() => app.close())

/** Wraps the database and counts its queries. */
function count(db: Kysely<Database>): { db: Kysely<Database>; asked: () => number } {
  let asked = 0
  return {
    db: db.withPlugin({
      transformQuery: ({ node }) => {
        asked += 1
        return node
      },
      transformResult: async ({ result }) => await Promise.resolve(result),
    }),
    asked: () => asked,
  }
}

test('simultaneous leads look up their keys in one query', async () => {
  const sources = [await app.newSource(), await app.newSource(), await app.newSource()]
  const { db, asked } = count(app.context.dbByKey)
  const hints = createSourceHints(db)
  const keys = sources.flatMap(({ key }) => Array.from({ length: 12 }, () => hashSourceKey(key)))
  const nobodys = hashSourceKey('lw_src_nobody')
  const found = await Promise.all([nobodys, ...keys].map((key) => hints.find(key)))

  expect(asked()).toBe(1)
  expect(found.map((source) => source?.source_id)).toEqual([
    undefined,
    ...sources.flatMap(({ id }) => Array.from({ length: 12 }, () => id)),
  ])
})

test('a look-up from before the revocation of a key is not cached', async () => {
  const { key } = await app.newSource()
  const { db, asked } = count(app.context.dbByKey)
  const hints = createSourceHints(db)
  const before = hints.find(hashSourceKey(key))
  hints.forget()
  await before
  const askedBefore = asked()
  await hints.find(hashSourceKey(key))

  expect(asked()).toBeGreaterThan(askedBefore)
})

test('a lead does not wait for a lock on its source', async () => {
  const { key, id } = await app.newSource()
  const answer = await app.context.db.transaction().execute(async (trx) => {
    await trx.selectFrom('sources').select('id').where('id', '=', id).forNoKeyUpdate().execute()
    return await app.call('POST', '/api/v1/leads', { token: key, body: newLead() })
  })

  expect(answer.status).toBe(201)
})

test('a lead with an unknown key is stored while all connections for screens are in use', async () => {
  const { key } = await app.newSource()
  const { db } = app.context
  const answer = await db
    .connection()
    .execute(
      async () =>
        await db
          .connection()
          .execute(() => app.call('POST', '/api/v1/leads', { token: key, body: newLead() })),
    )

  expect(answer.status).toBe(201)
})
