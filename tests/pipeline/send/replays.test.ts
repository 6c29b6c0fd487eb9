import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseLead } from '#core/data/leads/erase-lead.ts'
import { stopReplay, stopReplaysOf } from '#core/data/webhooks/deliveries/replays.ts'
import { givenClient, givenConfig, startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { insertDue } from '#tests/support/given/neighbours.ts'
import { givenReplay } from '#tests/support/given/replays.ts'

const FAILED = 1120
const RETRIED = 620
const HELD = 510

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())

/** Creates a client whose deliveries have failed once: for good, with a retry in an hour, or held. */
async function givenFailed(): Promise<{ client: string; webhook_config_id: string; since: Date }> {
  const { db, context } = pipeline
  const client = await givenClient(db)
  const { id } = await givenConfig(context, client, { endpoint_url: 'https://crm.example.com/' })
  await insertDue(db, client, FAILED + RETRIED + HELD)
  await sql`
    with numbered as (
      select id, row_number() over (order by id) as place from webhook_deliveries where client_user_id = ${client}
    )
    update webhook_deliveries d set attempt = 1,
      state = case when place <= ${FAILED} then 'failed' when place <= ${FAILED + RETRIED} then 'pending' else 'held' end,
      finished_at = case when place <= ${FAILED} then now() end,
      next_attempt_at = case when place <= ${FAILED} then null else now() + interval '1 hour' end
    from numbered n where n.id = d.id`.execute(db)
  await sql`
    insert into webhook_delivery_logs (id, webhook_config_id, client_user_id, delivery_id, event_id, event_type, lead_id,
      delivery_status, response_status, attempt_number, processing_time_ms, request_url, request_method)
    select uuidv7(), webhook_config_id, client_user_id, id, event_id, event_type, lead_id,
      'failed', 500, 1, 12, 'https://crm.example.com/', 'POST'
    from webhook_deliveries where client_user_id = ${client}`.execute(db)
  return { client, webhook_config_id: id, since: new Date(0) }
}

test('failed deliveries are resent once each, in chunks of ever lower priority', async () => {
  const { db } = pipeline
  const what = await givenFailed()
  const { resent, hurried, pieces } = await givenReplay(db, what)

  expect(pieces).toEqual([500, 500, 120, 500, 500, 130])
  expect(new Set(resent.map(({ delivery_id: id }) => id)).size).toBe(FAILED)
  expect(new Set(hurried.map(({ delivery_id: id }) => id)).size).toBe(RETRIED + HELD)
  const { rows } = await sql<{ turn: number; count: number }>`
    select turn, count(distinct resend_of)::int as count from webhook_deliveries
    where client_user_id = ${what.client} and resend_of is not null group by turn order by turn`.execute(db)
  expect(rows).toEqual(
    Array.from({ length: Math.ceil(FAILED / 50) }, (_turn, index) => ({
      turn: index + 1,
      count: Math.min(50, FAILED - index * 50),
    })),
  )
  const { rows: states } = await sql`
    select state, count(*)::int as count from webhook_deliveries
    where client_user_id = ${what.client} and attempt = 1 and replay_id is not null and (next_attempt_at > now()) = (state = 'held')
    group by state order by state`.execute(db)
  expect(states).toEqual([
    { state: 'held', count: HELD },
    { state: 'pending', count: RETRIED },
  ])

  expect((await givenReplay(db, what)).resent).toEqual([])
})

const count = async (what: { client: string }, state: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_deliveries
    where client_user_id = ${what.client} and resend_of is not null and state = ${state}`.execute(pipeline.db)
  return rows[0]?.count ?? 0
}

test('a lead that is erased between two chunks of a replay is not sent', async () => {
  const { db } = pipeline
  const what = await givenFailed()
  const { rows } = await sql<{ lead_id: string }>`
    select lead_id from webhook_deliveries where client_user_id = ${what.client} and state = 'failed'
    order by finished_at, id`.execute(db)
  const [first = '', last = ''] = [rows[0]?.lead_id, rows.at(-1)?.lead_id]
  let isErased = false
  await givenReplay(db, what, async () => {
    if (isErased) return
    isErased = true
    for (const lead of [first, last]) await db.transaction().execute((trx) => eraseLead(trx, lead))
  })

  const { rows: sent } = await sql`
    select from webhook_deliveries where lead_id in (${first}, ${last}) and state in ('pending', 'held')`.execute(
    db,
  )
  expect(sent).toEqual([])
  expect(await count(what, 'pending')).toBe(FAILED - 2)
})

test('a replay that is stopped, or whose webhook is switched off, creates no more resends', async () => {
  const { db } = pipeline
  const [stopped, off] = [await givenFailed(), await givenFailed()]
  await givenReplay(db, stopped, async (id) => void (await stopReplay(db, stopped.client, id)))
  await givenReplay(db, off, async () => {
    await sql`update client_webhook_configs set is_active = false where id = ${off.webhook_config_id}`.execute(
      db,
    )
  })

  expect([await count(stopped, 'pending'), await count(off, 'pending')]).toEqual([500, 500])
})

test('a replay creates no more resends once all waiting deliveries are cancelled', async () => {
  const { db } = pipeline
  const what = await givenFailed()
  await givenReplay(db, what, async () => await stopReplaysOf(db, what.client, what.webhook_config_id))
  expect(await count(what, 'pending')).toBe(500)
})

test('resends of a replay that have failed again are not taken by its next chunk', async () => {
  const { db } = pipeline
  const what = await givenFailed()
  const { resent } = await givenReplay(db, what, async (id) => {
    await sql`
      update webhook_deliveries set state = 'failed', attempt = 1, next_attempt_at = null, finished_at = clock_timestamp()
      where replay_id = ${id} and resend_of is not null and state = 'pending'`.execute(db)
  })
  expect(resent).toHaveLength(FAILED)
  expect(await count(what, 'failed')).toBe(FAILED)
})
