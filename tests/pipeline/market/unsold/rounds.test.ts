import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimDueTypes } from '#core/data/market/sale/unsold-leads.ts'
import { readWorkToDo } from '#core/data/operations/work-to-do.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'

const TYPE = 'final_expense'

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())

const settle = () =>
  sql`update lead_types set offer_again_at = now() + interval '1 hour', rounds_until = null`.execute(
    pipeline.db,
  )
/** Returns true if a type's leads have become due for another offer since the last call. */
async function isOffered(): Promise<boolean | undefined> {
  const { rows } = await sql<{ is_due: boolean }>`
    select offer_again_at <= now() as is_due from lead_types where code = ${TYPE}`.execute(pipeline.db)
  await settle()
  return rows[0]?.is_due
}

test('an order that changes repeatedly has its type offered three times at once, and then every ten seconds', async () => {
  const { db } = pipeline
  const order = await givenOrder(db, await givenBuyer(db))
  await settle()
  const claimTypes = async () => (await claimDueTypes(db, 300)).map(({ code }) => code)
  const claim = async () => {
    await sql`update orders set paused_by = 'client' where id = ${order}`.execute(db)
    await sql`update orders set paused_by = null where id = ${order}`.execute(db)
    return await claimTypes()
  }
  const isToDo = async () => (await readWorkToDo(db, { types: [], unplannedSeconds: 30 })).unsold
  expect([await claim(), await claim(), await claim(), await claim()]).toEqual([[TYPE], [TYPE], [TYPE], []])
  expect(await isToDo()).toBe(false)

  // Nothing is forgotten meanwhile.
  await sql`update lead_types set rounds_until = rounds_until - interval '10 seconds'`.execute(db)
  expect(await isToDo()).toBe(true)
  expect([await claimTypes(), await claim()]).toEqual([[TYPE], []])
  await sql`update lead_types set rounds_until = rounds_until - interval '1 hour'`.execute(db)
  expect([await claim(), await claim(), await claim(), await claim()]).toEqual([[TYPE], [TYPE], [TYPE], []])
})

test.each([
  ['states', `states = '{CA,TX,NY}'`, `states = '{TX}'`],
  ['all states', `states = '{}'`, undefined],
  ['ages', `age_min = 40`, `age_min = 60`],
  ['no oldest age', `age_max = null`, `age_max = 70`],
  ['unknown ages', `accept_unknown_age = true`, `accept_unknown_age = false`],
  ['older leads', `max_lead_age_minutes = 60`, `max_lead_age_minutes = 5`],
  ['leads of every age', `max_lead_age_minutes = null`, `max_lead_age_minutes = 5`],
  ['sources', `excluded_sources = '{}'`, `excluded_sources = excluded_sources || uuid_v7()`],
  ['a daily cap', `daily_cap = 20`, `daily_cap = 5`],
  ['no weekly cap', `weekly_cap = null`, `weekly_cap = 5`],
  ['a monthly cap', `monthly_cap = 20`, `monthly_cap = 5`],
  ['a total cap', `total_cap = 20`, `total_cap = 5`],
  ['a daily budget', `daily_budget = 200`, `daily_budget = 50`],
  ['no monthly budget', `monthly_budget = null`, `monthly_budget = 50`],
  ['another price', `price = 12`, `name = 'Another name'`],
  ['other hours', `schedule = '{}'`, `when_undelivered = 'return'`],
  ['a start', `starts_at = now() + interval '1 minute'`, `priority = 1, weight = 2`],
  ['an end', `ends_at = now() + interval '1 day'`, `paused_by = 'admin'`],
  ['a zone', `timezone = 'America/Chicago'`, `deleted_at = now()`],
])(
  '%s: unsold leads are offered again when an order accepts more, and not when it accepts less',
  async (_what, more, less) => {
    const { db } = pipeline
    const order = await givenOrder(db, await givenBuyer(db))
    await sql`
    update orders set states = '{CA,TX}', age_min = 50, age_max = 80, accept_unknown_age = false, max_lead_age_minutes = 15, excluded_sources = array[uuid_v7()],
      daily_cap = 10, weekly_cap = 10, monthly_cap = 10, total_cap = 10, daily_budget = 100, monthly_budget = 100
    where id = ${order}`.execute(db)
    await settle()
    const change = (what: string) => sql`update orders set ${sql.raw(what)} where id = ${order}`.execute(db)
    await change(more)
    expect(await isOffered()).toBe(true)
    await change(more)
    expect(await isOffered()).toBe(more.includes('now()'))
    if (less === undefined) return
    await change(less)
    expect(await isOffered()).toBe(false)
  },
)

test('a paused order causes no new offer until it is resumed, and a new order only if it is active', async () => {
  const { db } = pipeline
  const client = await givenBuyer(db)
  await settle()
  const order = await givenOrder(db, client, { paused_by: 'client' })
  expect(await isOffered()).toBe(false)
  await sql`update orders set daily_cap = 10, states = '{CA}' where id = ${order}`.execute(db)
  expect(await isOffered()).toBe(false)
  await sql`update orders set paused_by = null where id = ${order}`.execute(db)
  expect(await isOffered()).toBe(true)
  await givenOrder(db, client)
  expect(await isOffered()).toBe(true)
})

test('a lead that again finds no buyer is left unchanged', async () => {
  const { db, context } = pipeline
  const [lead = ''] = await givenOffers(db, [{ state: 'AK' }])
  await sql`update orders set deleted_at = now()`.execute(db)
  const read = async () =>
    (
      await sql<{ row: string; tries: number }>`
        select l.updated_at::text || l.status as row, d.tries
        from leads l join assignment_decisions d on d.lead_id = l.id where l.id = ${lead}`.execute(db)
    ).rows[0]
  await assignLeads(context.market, [lead])
  const before = await read()
  await assignLeads(context.market, [lead])
  expect(before?.row).toContain('unassigned')
  expect(await read()).toEqual({ row: before?.row, tries: 2 })
})
