import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { lockOfferedLeads } from '#core/data/market/sale/offered-leads.ts'
import { givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { givenClient } from '#tests/support/given/pipeline.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

const OWN = 20_000
const PHONE = '+13035550199'
const EMAIL = 'none@example.com'

let database: TestDatabase
let opened: ReturnType<typeof openDatabase>
beforeAll(async () => {
  database = await createTestDatabase()
  // One connection, so that its reads can be counted.
  opened = openDatabase({ url: database.url, poolSize: 1, name: 'test' }, () => undefined)
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})

async function readSoFar(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(opened.db)
  const { rows } = await sql<{ rows: number }>`
    select (coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as rows from pg_stat_user_tables where relname = 'leads'`.execute(
    opened.db,
  )
  return rows[0]?.rows ?? 0
}

test('the search for earlier sales to a person reads sold leads, and not the many that a client posted for itself', async () => {
  const { db } = opened
  const [owner, buyer] = [await givenClient(db), await givenBuyer(db)]
  const order = await givenOrder(db, buyer)
  await sql`
    insert into leads (lead_type, user_id, assigned_to, assigned_at, status, phone, email, state, price_charged)
    select 'final_expense', ${owner}::uuid, ${owner}::uuid, now(), 'assigned', ${PHONE}, ${EMAIL}, 'CA', 0
    from generate_series(1, ${OWN}::int)`.execute(db)
  const { rows } = await sql<{ id: string }>`
    insert into leads (lead_type, assigned_to, assigned_at, status, phone, state, order_id, price_charged)
    values ('final_expense', ${buyer}, now() - interval '1 day', 'assigned', ${PHONE}, 'CA', ${order}, 25)
    returning id`.execute(db)
  await sql`analyze leads`.execute(db)
  const leads = await givenOffers(db, [{ phone: PHONE, email: EMAIL }, { phone: PHONE }, { email: EMAIL }])

  const before = await readSoFar()
  const offered = await lockOfferedLeads(db, { leads, events: [] }, { days: 90, hadDays: 90, holdHours: 24 })
  expect((await readSoFar()) - before).toBeLessThan(100)
  const sold = [{ lead_id: rows[0]?.id, client_user_id: buyer }]
  const bySale = new Map(offered.map(({ id, sales }) => [id, sales]))
  expect(leads.map((id) => bySale.get(id))).toMatchObject([sold, sold, null])
})
