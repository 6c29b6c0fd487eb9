import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { findSuppressed, lockOfferedLeads } from '#core/data/market/sale/offered-leads.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

let database: TestDatabase
let opened: ReturnType<typeof openDatabase>
beforeAll(async () => {
  database = await createTestDatabase()
  const options = { url: database.url, poolSize: 1, name: 'test', byKey: true, pipelined: true }
  opened = openDatabase(options, () => undefined)
  await sql`create table numbers (n integer primary key)`.execute(opened.db)
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})

async function readNumbers(): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`select n from numbers order by n`.execute(opened.db)
  return rows.map(({ n }) => n)
}

test('statements that are called together run in order, and are committed or rolled back together, whichever of them fails', async () => {
  const { transact } = opened
  const added = await transact(async (trx) => {
    const add = (n: number) =>
      sql`insert into numbers select ${n}::integer + count(*) from numbers`.execute(trx)
    await Promise.all([add(10), add(20), add(30)])
    return await sql<{ n: number }>`select n from numbers order by n`.execute(trx)
  })
  expect(added.rows).toEqual([{ n: 10 }, { n: 21 }, { n: 32 }])

  // The original failure is reported, not the refusals that follow it; later statements are refused.
  const failing = transact(async (trx) => {
    const put = (n: number) => sql`insert into numbers values (${n}::integer)`.execute(trx)
    await Promise.allSettled([put(1), put(10), put(2)])
    await put(3).catch(() => undefined)
  })
  await expect(failing).rejects.toMatchObject({ code: '23505' })
  await expect(
    transact(async (trx) => {
      await sql`insert into numbers values (4)`.execute(trx)
      throw new Error('the work failed')
    }),
  ).rejects.toThrow('the work failed')
  // Neither a statement that was queued beside the failed one, nor one after the end, runs.
  const put = (trx: typeof opened.db, n: number) =>
    sql`insert into numbers values (${n}::integer)`.execute(trx)
  const kept: (typeof opened.db)[] = []
  await expect(
    transact(async (trx) => {
      const fail = () => Promise.reject(new Error('the work failed'))
      await Promise.all([put(trx, 5), put(trx, 6).then(() => put(trx, 7)), fail()])
    }),
  ).rejects.toThrow('the work failed')
  await transact((trx) => {
    kept.push(trx)
    return put(trx, 40)
  })
  for (const trx of kept) await expect(put(trx, 50)).rejects.toThrow('after the end of its transaction')
  expect(await readNumbers()).toEqual([10, 21, 32, 40])
})

test('reads of offered leads and their persons use keys, even with plans that were made for an empty table', async () => {
  const { db } = opened
  const id = '01920000-0000-7000-8000-000000000001'
  await lockOfferedLeads(db, { leads: [], events: [id] }, { days: 90, hadDays: 90, holdHours: 24 })
  await findSuppressed(db, [{ id, phones: ['\\x00'], emails: ['\\x00'] }])
  const { rows: prepared } = await sql<{ name: string; count: number; statement: string }>`
    select name, cardinality(parameter_types) as count, statement from pg_prepared_statements
    where statement ~ 'from suppressions|had_by' and statement !~ 'pg_prepared'`.execute(db)
  expect(prepared).toHaveLength(2)
  const plans: string[] = []
  for (const { name, count } of prepared) {
    const nulls = Array.from({ length: count }, () => 'null').join(', ')
    const { rows } = await sql<{
      'QUERY PLAN': string
    }>`explain execute ${sql.raw(`${name}(${nulls})`)}`.execute(db)
    plans.push(...rows.map((row) => row['QUERY PLAN']))
  }
  const plan = plans.join('\n')
  const keys = ['pkey', 'bought_phone', 'bought_email', 'left_phone', 'left_email']
  for (const key of keys) expect(plan).toContain(`leads_${key}`)
  expect(plan).not.toMatch(/leads_listed|hashed SubPlan/)
})

test('a pool that ran only pipelined transactions closes at once, without waiting for idle connections', async () => {
  const other = openDatabase(
    { url: database.url, poolSize: 1, name: 'test', pipelined: true },
    () => undefined,
  )
  await other.transact((trx) => sql`select 1`.execute(trx))
  const startedAt = performance.now()
  await other.close()
  expect(performance.now() - startedAt).toBeLessThan(5000)
})
