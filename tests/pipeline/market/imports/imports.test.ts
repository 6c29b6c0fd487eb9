import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findImport, cancelImport } from '#core/data/imports/lead-imports.ts'
import { listReportedRows } from '#core/data/imports/report-rows.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenImport, writeLeads } from '#tests/support/given/imports.ts'
import { givenBuyer, givenOrder } from '#tests/support/given/market.ts'
import { givenClient, givenConfig, startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'

let pipeline: TestPipeline
let admin: string
beforeAll(async () => {
  // A row that PostgreSQL refuses is logged.
  pipeline = await startPipeline({ LOG_LEVEL: 'silent' })
  admin = await givenClient(pipeline.db, 'admin')
})
afterAll(() => pipeline.close())

const reach = async (id: string, state: string) =>
  await waitUntil(async () => (await findImport(pipeline.db, id))?.state === state, {
    what: `The import ${state}`,
  })

test('rows of a file are sold like leads of a source, and a row that PostgreSQL refuses stops no other', async () => {
  const { db } = pipeline
  const buyer = await givenBuyer(db)
  await givenOrder(db, buyer)
  // Stands for any refusal that the schema cannot foresee.
  await sql`
    create function refuse_lead() returns trigger language plpgsql as $$
    begin raise exception 'refused'; end $$`.execute(db)
  await sql`
    create trigger refuse_lead before insert on leads for each row
    when (new.email = 'lead-7@example.com') execute function refuse_lead()`.execute(db)
  const given = await givenImport(db, writeLeads(30), { owner: null, by: admin })
  await reach(given.id, 'ready')
  await given.start()
  await reach(given.id, 'finished')

  await sql`drop trigger refuse_lead on leads`.execute(db)
  expect(await findImport(db, given.id)).toMatchObject({ rows: 30, taken: 30, accepted: 26, refused: 4 })
  const reported = await listReportedRows(db, given.id, { after: 0, limit: 100 })
  expect(reported.map(({ row, errors }) => [row, errors[0]?.path])).toEqual([
    [9, ''],
    [11, 'email'],
    [21, 'email'],
    [31, 'email'],
  ])
  await waitUntil(
    async () => {
      const { rows } = await sql<{ sold: number }>`
        select count(*)::int as sold from lead_assignments where client_user_id = ${buyer} and price = 25`.execute(
        db,
      )
      return rows[0]?.sold === 26
    },
    { what: 'Every lead sold' },
  )
})

test('a cancelled import ends where it is, and two imports run side by side', async () => {
  const { db } = pipeline
  const owner = await givenClient(db)
  const [one, other] = [
    await givenImport(db, writeLeads(1000), { owner, by: admin }),
    await givenImport(db, writeLeads(100), { owner, by: admin }),
  ]
  await Promise.all([reach(one.id, 'ready'), reach(other.id, 'ready')])
  await one.start()
  await other.start()
  await reach(other.id, 'finished')
  const isCancelled = await cancelImport(db, one.id)
  const left = await findImport(db, one.id)

  expect([isCancelled, left?.state]).toEqual([true, 'cancelled'])
  expect(left?.taken).toBeGreaterThan(0)
  expect(left?.taken).toBeLessThan(1000)
  const { rows } = await sql<{ leads: number }>`
    select count(*)::int as leads from leads where source_id = ${one.source_id}`.execute(db)
  expect(rows[0]?.leads).toBe(left?.accepted)
})

test('leads of a file have low priority, however few they are, so that no other lead waits for them', async () => {
  const { db, context } = pipeline
  const crm = await startReceiver()
  const owner = await givenClient(db)
  await givenConfig(context, owner, { endpoint_url: crm.url, trigger_on_lead_created: true })
  const given = await givenImport(db, writeLeads(10), { owner, by: admin })
  await reach(given.id, 'ready')
  await given.start()
  await reach(given.id, 'finished')
  const { accepted } = (await findImport(db, given.id)) ?? {}
  expect(accepted).toBe(9)
  // One for the creation and one for the assignment.
  const planned = 18
  await waitUntil(() => crm.requests.length >= planned, { what: 'Every row delivered' })
  await crm.close()

  const { rows } = await sql<{ turn: number }>`
    select turn from webhook_deliveries where client_user_id = ${owner}`.execute(db)
  expect(rows).toHaveLength(planned)
  expect(rows.every(({ turn }) => turn > 0)).toBe(true)
})
