import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { findPayment, insertPayment } from '#core/data/market/payments/payments.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { creditPayment } from '#core/use-cases/market/money/credit-payment.ts'
import { givenBuyer } from '#tests/support/given/market.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'
import { randomUUIDv7 } from 'node:crypto'

let database: TestDatabase
let db: Kysely<Database>
/** Connections of their own, because the others wait for receipts. */
let killer: Kysely<Database>
let close: () => Promise<void>
beforeAll(async () => {
  database = await createTestDatabase()
  const opened = openDatabase({ url: database.url, poolSize: 10, name: 'receipts-test' }, () => undefined)
  const apart = openDatabase({ url: database.url, poolSize: 2, name: 'receipts-killer' }, () => undefined)
  db = opened.db
  killer = apart.db
  close = async () => void (await Promise.all([opened.close(), apart.close()]))
})
afterAll(async () => {
  await close()
  await database.drop()
})

async function givenPayment(client: string): Promise<string> {
  const id = randomUUIDv7()
  const payment = { id, client_user_id: client, method: 'request' as const, amount: '50.00' }
  await insertPayment(db, { ...payment, saves_method: false })
  return id
}

/** Receives a payment; `fails` undoes it after the credit, before the commit or by killing its connection. */
async function receive(id: string, fails: 'no' | 'rolls back' | 'is killed' = 'no'): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const found = await findPayment(trx, id, { isLocked: true })
    if (found === undefined) throw new Error('no payment')
    await creditPayment(trx, found, { by: null, note: null })
    if (fails === 'rolls back') throw new Error('undone')
    if (fails === 'is killed') {
      // The number is taken here instead of at the commit, so that the killed transaction holds one.
      await sql`set constraints number_receipt immediate`.execute(trx)
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
      await sql`select pg_terminate_backend(${rows[0]?.pid}::int)`.execute(killer)
    }
  })
}

const readNumbers = async (): Promise<(number | null)[]> => {
  const rows = await db
    .selectFrom('payments')
    .select('receipt_number')
    .where('status', '=', 'received')
    .orderBy('receipt_number')
    .execute()
  return rows.map(({ receipt_number }) => receipt_number)
}

test('receipts of payments that are received at once, undone or killed are numbered without a gap', async () => {
  const clients = await Promise.all([1, 2, 3].map(() => givenBuyer(db, '0')))
  const fates = ['no', 'rolls back', 'no', 'is killed', 'no'] as const
  const payments = await Promise.all(
    Array.from({ length: 40 }, async (_none, index) => ({
      id: await givenPayment(clients[index % clients.length] ?? ''),
      fate: fates[index % fates.length] ?? 'no',
    })),
  )
  const ends = await Promise.allSettled(payments.map(({ id, fate }) => receive(id, fate)))
  expect(ends.map(({ status }) => status === 'fulfilled')).toEqual(payments.map(({ fate }) => fate === 'no'))
  expect(await readNumbers()).toEqual(Array.from({ length: 24 }, (_none, index) => index + 1))

  const undone = payments.filter(({ fate }) => fate !== 'no')
  await Promise.all(undone.map(({ id }) => receive(id)))
  expect(await readNumbers()).toEqual(Array.from({ length: 40 }, (_none, index) => index + 1))
})

test('a receipt keeps its number and the seller of its day', async () => {
  const set = (value: string) =>
    sql`insert into marketplace_settings (key, value, reason) values ('seller_name', ${value}, 'Test')
      on conflict (key) do update set value = excluded.value`.execute(db)
  const client = await givenBuyer(db, '0')
  await set('Example Leads Inc.')
  const id = await givenPayment(client)
  await receive(id)
  await set('Example Leads LLC')
  await sql`update payments set status = 'received' where id = ${id}`.execute(db)
  const found = await findPayment(db, id)
  expect(found?.payment).toMatchObject({ receipt_number: 41, seller: { name: 'Example Leads Inc.' } })
})

test('a payment that an older server received, without a word of numbers, has one', async () => {
  const id = await givenPayment(await givenBuyer(db, '0'))
  await sql`update payments set status = 'received', decided_at = now() where id = ${id}`.execute(db)
  expect((await findPayment(db, id))?.payment.receipt_number).toBe(42)
})
