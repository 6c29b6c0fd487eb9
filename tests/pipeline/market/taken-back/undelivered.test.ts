import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countRecentReturns } from '#core/data/market/lead-returns.ts'
import { redrivePiece } from '#core/data/operations/dead-letters.ts'
import { insertResend } from '#core/data/webhooks/deliveries/resend-deliveries.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { settleUndelivered } from '#core/use-cases/market/settle-undelivered.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { findContradictions } from '#scripts/lab/market/find-contradictions.ts'
import { freshState } from '#tests/support/given/market.ts'
import {
  drain,
  givenClient,
  givenConfig,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { givenReplay } from '#tests/support/given/replays.ts'
import { undeliveredLeads, type Policy } from './undelivered-leads.ts'

let pipeline: TestPipeline
let crm: Receiver
beforeAll(async () => {
  pipeline = await startPipeline({ WEBHOOK_RETRY_SCHEDULE: '1' })
  crm = await startReceiver(({ path }) => {
    if (path === '/no') return { status: 200, body: '{"result":"no"}' }
    return path === '/down' ? 500 : 200
  })
})
afterAll(async () => {
  await crm.close()
  await pipeline.close()
})

const { givenBuyerOf, offer, read, settle, waitForStatus } = undeliveredLeads(
  () => pipeline,
  () => crm,
)

describe('a lead that reached none of its client’s webhooks', () => {
  test('is returned and credited once if the CRM refuses it or does not answer, and one event says so', async () => {
    const state = freshState()
    const client = await givenBuyerOf(state, 'return', ['/no', '/down'])
    const lead = await offer(state)
    await waitForStatus(lead, 'returned')
    await settle()
    expect(await read(lead)).toEqual({
      status: 'returned',
      assigned_to: client,
      had: [[client, 'returned', '1000.00']],
      told: ['lead.returned'],
    })
    const { rows } = await sql`
      select r.reason, r.status, r.asked_by, r.held_for_review, r.decided_by, e.data ->> 'reason' as told
      from lead_returns r join events e on e.lead_id = r.lead_id and e.type = 'lead.returned' where r.lead_id = ${lead}`.execute(
      pipeline.db,
    )
    const system = { asked_by: 'system', held_for_review: false, decided_by: null }
    expect(rows).toEqual([
      { reason: 'delivery_failed', status: 'approved', told: 'delivery_failed', ...system },
    ])
  })

  test('goes with the money to the next client, never to the same client again, and to nobody if all refuse it', async () => {
    const state = freshState()
    const first = await givenBuyerOf(state, 'reoffer', ['/no'], { priority: 1 })
    const second = await givenBuyerOf(state, 'reoffer', ['/no'], { priority: 2 })
    const third = await givenBuyerOf(state, 'keep', ['/yes'], { priority: 3, total_cap: 1 })
    const lead = await offer(state)
    await waitUntil(async () => (await read(lead))?.assigned_to === third, {
      what: 'The third',
      timeoutMs: 30_000,
    })
    const passedOn = [
      [first, 'revoked', '1000.00'],
      [second, 'revoked', '1000.00'],
    ]
    expect(await read(lead)).toMatchObject({ had: [...passedOn, [third, 'active', '975.00']] })

    const next = await offer(state)
    await waitUntil(async () => (await read(next))?.told?.length === 2, { what: 'Both', timeoutMs: 30_000 })
    await waitForStatus(next, 'unassigned')
    await settle()
    expect(await read(next)).toMatchObject({ assigned_to: null, had: passedOn })
    const { rows } = await sql`
      select outcome, refused from assignment_decisions where lead_id = ${next}`.execute(pipeline.db)
    expect(rows).toMatchObject([{ outcome: 'no_buyer', refused: { sold_to_client_before: 2, total_cap: 1 } }])
  })

  test('is not sent to that client again by any kind of resend', async () => {
    const { db } = pipeline
    const state = freshState()
    const client = await givenBuyerOf(state, 'reoffer', ['/no'])
    const lead = await offer(state)
    await waitForStatus(lead, 'unassigned')
    await settle()
    const failed = await db
      .selectFrom('webhook_deliveries')
      .select(['id', 'webhook_config_id'])
      .where('lead_id', '=', lead)
      .executeTakeFirstOrThrow()
    const { id, webhook_config_id } = failed
    expect(await insertResend(db, client, id, crypto.randomUUID())).toBeUndefined()
    const since = new Date(0)
    const replayed = await givenReplay(db, { client, webhook_config_id, since })
    expect([replayed.resent, replayed.hurried]).toEqual([[], []])
    const admin = await givenClient(db, 'admin')
    const redrive = { id: crypto.randomUUID(), administrator: admin, most: 100 }
    expect((await redrivePiece(db, { ids: [id] }, redrive)).due).toEqual([])
  })

  test('is settled once, however many workers check it at the same moment', async () => {
    const { context, db } = pipeline
    await pipeline.stopWorker()
    const state = freshState()
    const client = await givenBuyerOf(state, 'return', [])
    const lead = await offer(state)
    await assignLeads(context.market, [lead])
    const { id: config } = await givenConfig(context, client, { endpoint_url: `${crm.url}/no` })
    const { id: assignment_id } = await db
      .selectFrom('lead_assignments')
      .select('id')
      .where('lead_id', '=', lead)
      .executeTakeFirstOrThrow()
    await sql`update events set planned_at = now() where lead_id = ${lead}`.execute(db)
    await sql`
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id)
      select id, type, ${config}, ${client}, ${lead} from events where lead_id = ${lead} and type = 'lead.assigned'`.execute(
      db,
    )
    await sql`
      update webhook_deliveries set state = 'failed', next_attempt_at = null, finished_at = now() where lead_id = ${lead}`.execute(
      db,
    )
    const notes = await db
      .selectFrom('undelivered_leads')
      .select(['id', 'assignment_id'])
      .where('assignment_id', '=', assignment_id)
      .execute()
    expect(notes).toMatchObject([{ assignment_id }])
    const settled = await Promise.all(
      Array.from({ length: 8 }, () =>
        settleUndelivered(context.market, notes[0] ?? { id: '', assignment_id }),
      ),
    )
    expect(settled.map(({ verdict }) => verdict).toSorted()).toEqual([
      ...Array.from({ length: 7 }, () => 'leave'),
      'return',
    ])
    await pipeline.startWorker()
    expect(await read(lead)).toMatchObject({ had: [[client, 'returned', '1000.00']] })
  })
})

describe('a lead stays with its client', () => {
  test.each<[string, Policy, string[]]>([
    ['whose order keeps such leads', 'keep', ['/no']],
    ['whose other webhook took it', 'return', ['/no', '/yes']],
    ['who has no webhook', 'return', []],
  ])('%s', async (_whose, policy, paths) => {
    const state = freshState()
    const client = await givenBuyerOf(state, policy, paths)
    const lead = await offer(state)
    await waitForStatus(lead, 'assigned')
    await settle()
    expect(await read(lead)).toMatchObject({ status: 'assigned', had: [[client, 'active', '975.00']] })
  })

  test('but goes back if the only other webhook is switched off by the client: held deliveries there do not count', async () => {
    const state = freshState()
    const client = await givenBuyerOf(state, 'return', ['/no'])
    await givenConfig(pipeline.context, client, {
      endpoint_url: `${crm.url}/yes`,
      trigger_on_lead_assigned: true,
      is_active: false,
    })
    const lead = await offer(state)
    await waitForStatus(lead, 'returned')
    await settle()

    // The lead is no longer sent to that client, whatever the client presses.
    const { rows } = await sql<{ state: string }>`
      select state from webhook_deliveries where lead_id = ${lead} order by state`.execute(pipeline.db)
    expect(rows.map((row) => row.state)).toEqual(['cancelled', 'failed'])
  })

  test('while another webhook may still take it, and goes back as soon as none can', async () => {
    const { db } = pipeline
    const state = freshState()
    const client = await givenBuyerOf(state, 'return', ['/no'])
    const { id: off } = await givenConfig(pipeline.context, client, {
      endpoint_url: `${crm.url}/yes`,
      trigger_on_lead_assigned: true,
    })
    await sql`
      update client_webhook_configs set is_active = false, disabled_at = now(), disabled_reason = 'gone' where id = ${off}`.execute(
      db,
    )
    const lead = await offer(state)
    await waitForStatus(lead, 'assigned')
    await drain(pipeline.context)
    const notes = () =>
      db
        .selectFrom('undelivered_leads')
        .select(sql<boolean>`due_at > now()`.as('waits'))
        .where('assignment_id', 'in', (of) =>
          of.selectFrom('lead_assignments').select('id').where('lead_id', '=', lead),
        )
        .execute()
    await waitUntil(async () => (await notes()).some(({ waits }) => waits), { what: 'The wait' })
    expect(await read(lead)).toMatchObject({ status: 'assigned', told: null })

    await sql`
      update webhook_deliveries set state = 'cancelled', finished_at = now() where lead_id = ${lead} and state = 'held'`.execute(
      db,
    )
    await sql`update undelivered_leads set due_at = now()`.execute(db)
    await waitForStatus(lead, 'returned')
    await settle()
  })

  test('if the client has asked for a return; a suspended client is still credited for an undelivered lead', async () => {
    const { db } = pipeline
    const [state, otherState] = [freshState(), freshState()]
    const client = await givenBuyerOf(state, 'return', ['/no'])
    await pipeline.stopWorker()
    const lead = await offer(state)
    await sql`
      create or replace function ask_first() returns trigger language plpgsql as $$
      begin
        insert into lead_returns (assignment_id, lead_id, client_user_id, reason) values (new.id, new.lead_id, new.client_user_id, 'language');
        return null;
      end $$`.execute(db)
    await sql`
      create or replace trigger ask_first after insert on lead_assignments for each row
      when (new.client_user_id = ${sql.lit(client)}::uuid) execute function ask_first()`.execute(db)
    const suspended = await givenBuyerOf(otherState, 'return', ['/down'])
    const other = await offer(otherState)
    await pipeline.startWorker()
    await waitForStatus(other, 'assigned')
    await sql`update profiles set status = 'suspended' where user_id = ${suspended}`.execute(db)
    await waitForStatus(other, 'returned')
    await settle()
    expect(await read(other)).toMatchObject({ had: [[suspended, 'returned', '1000.00']] })
    expect(await read(lead)).toMatchObject({ status: 'assigned', had: [[client, 'active', '975.00']] })
  })
})

test('undelivered leads cause no contradiction, and do not count as returns by the client', async () => {
  const { db } = pipeline
  expect(await findContradictions(db)).toEqual([])
  const { rows } = await sql<{ client: string }>`
    select client_user_id as client from lead_assignments where state = 'returned'`.execute(db)
  expect(rows.length).toBeGreaterThan(1)
  for (const { client } of rows)
    expect(await countRecentReturns(db, client)).toEqual({ leads: 1, returned: 0 })
})
