import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { findNeighbours } from '#core/data/leads/lists/find-neighbours.ts'
import { listLeads, type LeadFilter } from '#core/data/leads/lists/list-leads.ts'
import { orderLeads } from '#core/data/leads/lists/lead-order.ts'
import { givenClient } from '#tests/support/given/pipeline.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

const MANY = 20_000
/** A page reads its rows several times: to find, to show, and for their related rows. */
const FEW = 1500

/** Id of one of the oldest leads. */
const OLD = '00000000-0000-7000-8000-000000000033'

/** Id of a lead whose name has rare letters. */
const STRANGE = '00000000-0000-7000-8000-000000000034'

let database: TestDatabase
let opened: ReturnType<typeof openDatabase>
let client: string
beforeAll(async () => {
  database = await createTestDatabase()
  // One connection, so that its reads can be counted.
  opened = openDatabase({ url: database.url, poolSize: 1, name: 'test' }, () => undefined)
  const { db } = opened
  client = await givenClient(db)
  const neighbour = await givenClient(db)
  // Only the oldest leads are untouched or unread, so a walk from the newest meets them last.
  await sql`
    insert into leads (id, lead_type, user_id, assigned_to, assigned_at, status, name, state, price_charged, created_at,
      comments)
    select ('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'final_expense', ${client}::uuid,
      case when i % 200 = 0 then ${neighbour}::uuid else ${client}::uuid end, now(),
      case when i = 77 then 'returned' else 'assigned' end, 'Lead ' || md5(i::text), case when i = 99 then 'WY' else 'CA' end,
      i % 60, now() - make_interval(secs => ${MANY} - i), repeat('Please call in the afternoon. ', 14)
    from generate_series(1, ${MANY}::int) i`.execute(db)
  await sql`
    insert into lead_assignments (lead_id, client_user_id, disposition, first_viewed_at)
    select id, assigned_to, case when right(id::text, 4) < '0200' then 'new' else 'sold' end,
      case when right(id::text, 4) >= '0200' then now() end
    from leads`.execute(db)
  const webhook = await db
    .insertInto('client_webhook_configs')
    .values({
      client_user_id: client,
      webhook_name: 'Example CRM',
      endpoint_url: 'https://crm.example.com/leads',
      payload_template: '{}',
      signing_secret: 'none',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    with told as (
      insert into events (type, lead_id, client_user_id, enqueued_at, planned_at)
      select 'lead.assigned', id, assigned_to, now(), now() from leads where right(id::text, 1) in ('1', '6', 'b')
      returning id, lead_id, client_user_id
    )
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, next_attempt_at)
    select id, 'lead.assigned', ${webhook.id}::uuid, client_user_id, lead_id, 'failed', null from told`.execute(
    db,
  )
  // Long ago, so that a search among the newest does not find them.
  await sql`
    update leads set name = 'Ana Quxó', email = 'o_x.qw@example.com', phone = '+15125550143' where id = ${OLD}`.execute(
    db,
  )
  await sql`update leads set name = 'Xzłotowska "Xq", Xqפ' where id = ${STRANGE}`.execute(db)
  await sql`analyze`.execute(db)
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})

async function readSoFar(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(opened.db)
  const { rows } = await sql<{ rows: number }>`
    select sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as rows from pg_stat_user_tables
    where relname in ('leads', 'lead_assignments')`.execute(opened.db)
  return rows[0]?.rows ?? 0
}

/** A time after most leads came in. */
const LATELY = new Date(Date.now() - (MANY / 4) * 1000)

const lists: Array<[string, LeadFilter]> = [
  ['newest first', {}],
  ['of a state that one lead has', { state: 'WY' }],
  ['of returned leads', { status: 'returned' }],
  ['of a disposition that only the oldest leads have', { disposition: 'new' }],
  ['of unread leads, which are old', { unread: true }],
  ['of failed deliveries', { delivery: 'failed' }],
  ['of a type without leads', { lead_type: 'solar' }],
  ['of a type without leads, by name', { lead_type: 'solar', sort: 'name' }],
  ['of a state without leads, by name', { state: 'AK', sort: 'name' }],
  ['of a status without leads', { status: 'duplicate' }],
  ['of test leads, of which there are none, by price', { is_test: true, sort: 'price' }],
]

test.each(lists)(
  'a list %s reads few rows of many, on its first page and on a later one',
  async (_name, filter) => {
    const measure = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
      const before = await readSoFar()
      const answer = await ask()
      expect((await readSoFar()) - before).toBeLessThan(FEW)
      return answer
    }
    await readPages(filter, measure)
  },
)

/** These sort orders have no index, because every lead would pay for it; they take 0.1 s at 100,000 leads. */
const sorted: Array<[string, LeadFilter]> = [
  ['by name', { sort: 'name' }],
  ['by state, last first', { sort: '-state' }],
  ['by price', { sort: 'price' }],
  ['of many failed deliveries, by name', { delivery: 'failed', sort: 'name' }],
  ['of recent leads by state, which all but one share', { sort: 'state', from: LATELY }],
]

test.each(sorted)('a list %s has the same order from page to page', async (_name, filter) => {
  await readPages(filter, (ask) => ask())
})

async function readPages(
  filter: LeadFilter,
  measure: <Answer>(ask: () => Promise<Answer>) => Promise<Answer>,
): Promise<void> {
  const { db } = opened
  const viewer = { user_id: client, role: 'client' } as const
  const first = await measure(() => listLeads(db, viewer, filter, { limit: 25, after: undefined }))
  const last = first.at(-1)
  if (last === undefined) return
  const after = { at: last.position, id: last.id }
  const second = await measure(() => listLeads(db, viewer, filter, { limit: 25, after }))
  expect(second.map(({ id }) => id).filter((id) => first.some((one) => one.id === id))).toEqual([])
  const beside = await measure(() => findNeighbours(db, viewer, filter, last.id))
  expect(beside).toEqual({ previous: first.at(-2)?.id ?? null, next: second[0]?.id ?? null })
}

test('a reversed list is the same list from its end', () => {
  const compile = (turned: boolean, sort: 'name' | '-name') =>
    sql`${orderLeads(sort, undefined, turned).orderBy}`.compile(opened.db).sql
  expect(compile(true, 'name')).toBe(compile(false, '-name'))
})

test.each([
  ['Ana Quxó', true],
  ['quxó', true],
  ['ux', true],
  ['xó', true],
  ['o_x', true],
  ['_x.qw@EXAMPLE', true],
  ['(512) 555-0143', true],
  ['+15125550143', true],
  ['5550143', true],
  ['o%x', false],
  ['zebrowitzki', false],
  ['qz', false],
])('a search for %s finds a very old lead if it matches, and only then', async (search, isThere) => {
  const viewer = { user_id: client, role: 'client' } as const
  const found = await listLeads(opened.db, viewer, { search }, { limit: 5, after: undefined })
  expect(found.some(({ id }) => id === OLD)).toBe(isThere)
})

test.each(['xz', 'xq', 'q"', 'qפ'])('a search for %s finds a name with rare letters', async (search) => {
  const viewer = { user_id: client, role: 'client' } as const
  const found = await listLeads(opened.db, viewer, { search }, { limit: 5, after: undefined })
  expect(found.map(({ id }) => id)).toContain(STRANGE)
})
