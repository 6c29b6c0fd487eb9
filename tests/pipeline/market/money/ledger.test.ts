import fc from 'fast-check'
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isOverdrawn, postEntries, type NewEntry } from '#core/data/market/ledger.ts'
import { openDatabase } from '#core/data/database.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { findBreak, type ChainLink } from '#tests/support/given/check-chain.ts'
import { formatCents } from '#core/domain/market/cents.ts'
import { givenClient } from '#tests/support/given/pipeline.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

let database: TestDatabase
let db: Kysely<Database>
let close: () => Promise<void>
beforeAll(async () => {
  database = await createTestDatabase()
  const opened = openDatabase({ url: database.url, poolSize: 8, name: 'ledger-test' }, () => undefined)
  db = opened.db
  close = opened.close
})
afterAll(async () => {
  await close()
  await database.drop()
})

/** Odd cents off a balance are paid out, so that each history has both. */
const debitOf = (cents: number) => (cents % 2 === 0 ? 'manual_debit' : 'refund_out')
const entryOf = (client_user_id: string, cents: number): NewEntry => ({
  client_user_id,
  entry_type: cents > 0 ? 'manual_credit' : debitOf(cents),
  amount: formatCents(cents),
  note: 'Test',
})

async function readChain(
  client: string,
): Promise<{ entries: (ChainLink & { entry_type: string; note: string | null })[]; balance: string }> {
  const entries = await db
    .selectFrom('balance_ledger')
    .select(['amount', 'balance_after', 'entry_type', 'reference_type', 'note'])
    .where('client_user_id', '=', client)
    .orderBy('id')
    .execute()
  const { balance } = await db
    .selectFrom('profiles')
    .select('balance')
    .where('user_id', '=', client)
    .executeTakeFirstOrThrow()
  return { entries, balance }
}

test('with many concurrent writers each chain holds, nothing deadlocks and nobody is overdrawn', async () => {
  const clients = await Promise.all([1, 2, 3].map(() => givenClient(db)))
  const sets = fc.array(
    fc.array(
      fc.tuple(
        fc.nat({ max: 2 }),
        fc.integer({ min: -3000, max: 3000 }).filter((cents) => cents !== 0),
      ),
      {
        minLength: 1,
        maxLength: 5,
      },
    ),
    { minLength: 40, maxLength: 60 },
  )
  let refused = 0
  await fc.assert(
    fc.asyncProperty(sets, async (given) => {
      const outcomes = await Promise.all(
        given.map(async (set) => {
          const entries = set.map(([who, cents]) => entryOf(clients[who] ?? '', cents))
          // Any other failure, including a deadlock, fails the test.
          return await postEntries(db, entries).then(
            (posted) => posted.length === entries.length,
            (error: unknown) => {
              if (!isOverdrawn(error)) throw error
              return false
            },
          )
        }),
      )
      refused += outcomes.filter((isPosted) => !isPosted).length
      for (const client of clients) {
        const { entries, balance } = await readChain(client)
        expect([findBreak(entries), entries.at(-1)?.balance_after ?? '0.00']).toEqual([undefined, balance])
      }
    }),
    { numRuns: 12 },
  )
  expect(refused).toBeGreaterThan(0)
})

test('a set of entries that would overdraw one client is not written for any client', async () => {
  const [rich, poor] = [await givenClient(db), await givenClient(db)]
  await postEntries(db, [entryOf(rich, 1000)])
  const posting = postEntries(db, [entryOf(rich, 500), entryOf(poor, -1)])
  await expect(posting).rejects.toSatisfy(isOverdrawn)
  expect([(await readChain(rich)).balance, (await readChain(poor)).entries]).toEqual(['10.00', []])
})

test('a balance that is set by hand adds an explanatory entry, and the chain holds', async () => {
  const client = await givenClient(db)
  await postEntries(db, [entryOf(client, 5000)])
  for (const balance of ['20.00', '20.00', '75.50'])
    await db.updateTable('profiles').set({ balance }).where('user_id', '=', client).execute()
  await postEntries(db, [entryOf(client, -50)])
  const { entries, balance } = await readChain(client)
  expect(entries.map(({ entry_type, amount, note }) => [entry_type, amount, note])).toEqual([
    ['manual_credit', '50.00', 'Test'],
    ['correction', '-30.00', 'Set by hand in the database'],
    ['correction', '55.50', 'Set by hand in the database'],
    ['manual_debit', '-0.50', 'Test'],
  ])
  expect([findBreak(entries), balance]).toEqual([undefined, '75.00'])
  const overdrawing = db
    .updateTable('profiles')
    .set({ balance: '-1' })
    .where('user_id', '=', client)
    .execute()
  await expect(overdrawing).rejects.toSatisfy(isOverdrawn)
})

test('a debit by the payment provider may leave a debt, which only credits reduce', async () => {
  const client = await givenClient(db)
  const take = (entry_type: string, amount: string) =>
    postEntries(db, [{ client_user_id: client, entry_type, amount, reference_type: 'payment' }])
  await postEntries(db, [entryOf(client, 1000)])
  await take('chargeback', '-25.00')
  await take('refund_out', '-5.00')
  await expect(postEntries(db, [entryOf(client, -1)])).rejects.toSatisfy(isOverdrawn)
  const paidOut: NewEntry = { client_user_id: client, entry_type: 'refund_out', amount: '-1.00' }
  await expect(postEntries(db, [paidOut])).rejects.toSatisfy(isOverdrawn)
  await expect(take('lead_purchase', '-1.00')).rejects.toSatisfy(isOverdrawn)
  await postEntries(db, [entryOf(client, 500)])
  await db.updateTable('profiles').set({ balance: '-10.00' }).where('user_id', '=', client).execute()
  const worse = db.updateTable('profiles').set({ balance: '-10.01' }).where('user_id', '=', client).execute()
  await expect(worse).rejects.toSatisfy(isOverdrawn)
  const { entries, balance } = await readChain(client)
  expect(entries.map(({ balance_after }) => balance_after)).toEqual([
    '10.00',
    '-15.00',
    '-20.00',
    '-15.00',
    '-10.00',
  ])
  expect([findBreak(entries), balance]).toEqual([undefined, '-10.00'])
})

test('an entry is never changed, deleted or written twice', async () => {
  const client = await givenClient(db)
  const bought: NewEntry = {
    client_user_id: client,
    entry_type: 'lead_purchase',
    amount: '-5.00',
    reference_type: 'assignment',
    reference_id: '01900000-0000-7000-8000-0000000000aa',
  }
  await postEntries(db, [entryOf(client, 5000), bought])
  const refusals = [
    sql`update balance_ledger set amount = 1 where client_user_id = ${client}`,
    sql`delete from balance_ledger where client_user_id = ${client}`,
    sql`truncate balance_ledger`,
  ]
  for (const refusal of refusals) await expect(refusal.execute(db)).rejects.toMatchObject({ code: '23001' })
  await expect(postEntries(db, [bought])).rejects.toMatchObject({ code: '23505' })
  await expect(
    postEntries(db, [{ ...entryOf(client, 100), entry_type: 'lead_purchase' }]),
  ).rejects.toMatchObject({
    code: '23514',
  })
  const { entries, balance } = await readChain(client)
  expect([findBreak(entries), entries.length, balance]).toEqual([undefined, 2, '45.00'])
})
