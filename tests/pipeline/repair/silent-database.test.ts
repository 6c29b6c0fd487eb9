import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { startTcpProxy, type TcpProxy } from '#scripts/lab/start-tcp-proxy.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

let database: TestDatabase
let proxy: TcpProxy

beforeEach(async () => {
  database = await createTestDatabase()
  proxy = await startTcpProxy(database.url)
})
afterEach(async () => {
  await proxy.close()
  await database.drop()
})

test('a connection that falls silent is given up, and the next query opens a new one', async () => {
  const url = new URL(database.url)
  url.port = String(proxy.port)
  const options = { url: url.href, poolSize: 2, name: 'test', silenceMs: 1000 }
  const { db, close } = openDatabase(options, () => undefined)
  const ask = () => sql`select 1`.execute(db)
  await Promise.all([ask(), ask()])

  expect(proxy.forgetAll()).toBe(2)
  const answers = await Promise.allSettled([ask(), ask()])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await ask()

  proxy.forgetAll()
  const begun = db.transaction().execute((trx) => sql`select 1`.execute(trx))
  await expect(begun).rejects.toThrow()
  await ask()
  await close()
})

test('a connection that takes no more bytes is given up, and the next query opens a new one', async () => {
  const name = sql.id(new URL(database.url).pathname.slice(1))
  const others = openDatabase({ url: database.url, poolSize: 1, name: 'others' }, () => undefined)
  const { db, close } = openDatabase({ url: database.url, poolSize: 1, name: 'test' }, () => undefined)
  const write = () => sql`create table written ()`.execute(db)
  // Connections opened meanwhile stay read-only, like those to a standby that had the address for a moment.
  await sql`alter database ${name} set default_transaction_read_only = on`.execute(others.db)
  await sql`select 1`.execute(db)
  await sql`alter database ${name} reset default_transaction_read_only`.execute(others.db)

  await expect(write()).rejects.toMatchObject({ code: '25006' })
  await write()
  await Promise.all([close(), others.close()])
})
