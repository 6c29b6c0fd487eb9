// Times that are left out of the clock of a late lead, and changes while one waits.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseLead } from '#core/data/leads/erase-lead.ts'
import { verifyBalances, verifyLateCredits } from '#core/data/operations/verify-rows.ts'
import { readClock } from '#core/data/read-clock.ts'
import { movePlanned } from '#core/data/webhooks/deliveries/move-planned.ts'
import { recordAttempts } from '#core/data/webhooks/deliveries/record-attempts.ts'
import { creditLateLeads, judgeLateLeads } from '#core/use-cases/market/credit-late-leads.ts'
import { attemptRecord, claimAt } from '#tests/support/given/attempt-record.ts'
import { givenConfig, givenLead, startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { releaseDeliveries } from '#worker/housekeeping/endpoints/release-deliveries.ts'
import { givenLate, givenLateBuyer, switchLateCredits } from './late-leads.ts'

let pipeline: TestPipeline
let buyer: Awaited<ReturnType<typeof givenLateBuyer>>
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
  await switchLateCredits(pipeline.db, true)
  buyer = await givenLateBuyer(pipeline)
})
afterAll(() => pipeline.close())

/** A webhook of the client with a delivery that was planned an hour ago, and when that is due. */
async function givenPlanned(
  dueIn: string,
  { turn = 0, source = null }: { turn?: number; source?: string | null } = {},
): Promise<{ webhook: string; lead: string; due: Date }> {
  const { db, context } = pipeline
  const { id: webhook } = await givenConfig(context, buyer.client, {
    endpoint_url: 'https://crm.example.com/',
  })
  const lead = await givenLead(db, buyer.client)
  await sql`update leads set source_id = ${source} where id = ${lead}`.execute(db)
  const { rows } = await sql<{ due: Date }>`
    with told as (
      insert into events (type, lead_id, client_user_id, enqueued_at, planned_at)
      values ('lead.assigned', ${lead}, ${buyer.client}, now(), now()) returning id
    )
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, turn, created_at, next_attempt_at)
    select id, 'lead.assigned', ${webhook}::uuid, ${buyer.client}::uuid, ${lead}::uuid, ${turn}, now() - interval '1 hour',
      date_trunc('milliseconds', now() + ${dueIn}::interval) from told returning next_attempt_at as due`.execute(
    db,
  )
  return { webhook, lead, due: rows[0]?.due ?? new Date(0) }
}

test('a lead of an import is not even noted, and one that its source sent later is', async () => {
  const { db } = pipeline
  const { rows: sources } = await sql<{ id: string }>`
    insert into sources (name, auto_assign, api_key_hash, api_key_prefix)
    values ('Imported', false, ${randomUUID()}, 'lw_test') returning id`.execute(db)
  const source = sources[0]?.id ?? ''
  await sql`
    insert into lead_imports (source_id, created_by, file_name, state, size, started_at)
    values (${source}, ${randomUUID()}, 'leads.csv', 'running', 1, now() - interval '1 hour')`.execute(db)
  const recordLate = async () => {
    const { webhook, lead } = await givenPlanned('-1 minute', { turn: 1, source })
    const [delivery] = await claimAt(db, webhook)
    if (delivery === undefined) throw new Error('Nothing was claimed')
    const late = { due_at: delivery.due_at, turn: delivery.turn }
    await recordAttempts(db, [attemptRecord(delivery, delivery.lease_token, { late })])
    return (await db.selectFrom('late_starts').where('lead_id', '=', lead).execute()).length
  }
  expect(await recordLate()).toBe(0)
  await sql`update lead_imports set state = 'finished', finished_at = now() - interval '1 minute'`.execute(db)
  expect(await recordLate()).toBe(1)
})

test('hours that open, and a pause that ends, while a lead waits: only the time from then is ours', async () => {
  const { db, context } = pipeline
  const before = await readClock(db)
  const opened = await givenPlanned('1 day')
  const moves = [{ from: opened.due, to: new Date(0) }]
  await db.transaction().execute((trx) => movePlanned(trx, opened.webhook, moves))
  const [first] = await claimAt(db, opened.webhook)
  expect(first?.due_at.getTime()).toBeGreaterThanOrEqual(before.getTime())

  const paused = await givenPlanned('-10 minutes')
  const pause = (reason: string | null) =>
    sql`update client_webhook_configs set sending_pause_reason = ${reason} where id = ${paused.webhook}`.execute(
      db,
    )
  await pause('Abuse')
  expect(await claimAt(db, paused.webhook)).toEqual([])
  await pause(null)
  await releaseDeliveries(context)
  const [second] = await claimAt(db, paused.webhook)
  expect(second?.due_at.getTime()).toBeGreaterThanOrEqual(before.getTime())
})

test('a late lead whose person is erased before the credit is credited once', async () => {
  const { db } = pipeline
  const { lead } = await givenLate(pipeline, buyer, { sold: 6000, begun: 7000 })
  await db.transaction().execute((trx) => eraseLead(trx, lead))
  while (await judgeLateLeads(db, 10)) continue
  while (await creditLateLeads(db)) continue
  const late = await db
    .selectFrom('late_leads')
    .select(['credit', 'price'])
    .where('lead_id', '=', lead)
    .execute()
  expect(late).toEqual([{ credit: 'credited', price: '25.00' }])
  expect(await verifyLateCredits(db)).toMatchObject({ wrong: 0 })
  expect(await verifyBalances(db)).toMatchObject({ wrong: 0 })
})
