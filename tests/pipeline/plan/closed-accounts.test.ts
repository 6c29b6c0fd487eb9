import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { acceptOffered } from '#core/data/webhooks/deliveries/offered-deliveries.ts'
import { releaseHeldOf } from '#core/data/webhooks/health/breakers.ts'
import { updateWebhookConfig } from '#core/data/webhooks/webhook-configs.ts'
import { planDeliveries } from '#core/use-cases/planning/plan-deliveries.ts'
import { eraseAccount } from '#server/accounts/people/data/erase-account.ts'
import { banUser } from '#server/accounts/people/update-user-by-admin.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { openPipeline } from '#tests/support/given/open-pipeline.ts'
import {
  assignLead,
  drain,
  givenConfig,
  givenLead,
  publishEventsOfLead,
} from '#tests/support/given/pipeline.ts'

const pipeline = openPipeline()
let config: string
beforeEach(async () => {
  const fields = { endpoint_url: pipeline.crm.url, trigger_on_lead_created: true }
  config = (await givenConfig(pipeline.context, pipeline.client, fields)).id
})

const deliveries = () =>
  pipeline.db
    .selectFrom('webhook_deliveries')
    .select(['id', 'state', 'attempt'])
    .where('client_user_id', '=', pipeline.client)
    .orderBy('created_at')
    .execute()

async function sendLead(): Promise<string> {
  const lead = await givenLead(pipeline.db, pipeline.client)
  await publishEventsOfLead(pipeline.context, lead)
  return lead
}

/** Creates a lead whose first attempt failed, with a retry in an hour. */
async function sendLeadInVain(): Promise<string> {
  pipeline.crm.answerWith((_request, index) => (index === 0 ? 500 : 200))
  const lead = await sendLead()
  await waitUntil(async () =>
    (await deliveries()).some(({ state, attempt }) => state === 'pending' && attempt === 1),
  )
  return lead
}

/** Moves the retries to now and lets the worker finish. */
async function passAnHour(): Promise<void> {
  await pipeline.db
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: new Date(Date.now() - 6000) })
    .where('client_user_id', '=', pipeline.client)
    .where('state', '=', 'pending')
    .execute()
  await drain(pipeline.context)
}

async function countWaitingForLocks(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
  `.execute(pipeline.db)
  return rows[0]?.count ?? 0
}

const erase = () =>
  pipeline.db.transaction().execute((trx) => eraseAccount(trx, pipeline.client, pipeline.client))

test('the erasure of an account cancels its waiting deliveries, and the lead says so', async () => {
  const lead = await sendLeadInVain()
  await erase()
  await passAnHour()

  expect(pipeline.crm.requests).toHaveLength(1)
  expect(await deliveries()).toMatchObject([{ state: 'cancelled', attempt: 1 }])
  const told = await pipeline.db
    .selectFrom('events')
    .select('type')
    .where('lead_id', '=', lead)
    .where('type', '=', 'delivery.cancelled')
    .execute()
  expect(told).toHaveLength(1)
})

test('an erased account gets no further lead, not even at a webhook that the system had switched off', async () => {
  await pipeline.db
    .updateTable('client_webhook_configs')
    .set({ is_active: false, disabled_at: new Date(), disabled_reason: '410' })
    .where('id', '=', config)
    .execute()
  const early = await givenLead(pipeline.db, pipeline.client)
  await erase()
  const late = await sendLead()
  await drain(pipeline.context)

  expect(await deliveries()).toEqual([])
  for (const lead of [early, late]) {
    expect(await assignLead(pipeline.db, lead)).toMatchObject({
      success: false,
      outcome: 'not_assignable',
      reason: 'client_erased',
    })
    const { status, assigned_to } = await pipeline.db
      .selectFrom('leads')
      .select(['status', 'assigned_to'])
      .where('id', '=', lead)
      .executeTakeFirstOrThrow()
    expect({ status, assigned_to }).toEqual({ status: 'new', assigned_to: null })
  }
})

test('deliveries planned while an account is erased are not kept', async () => {
  const { db } = pipeline
  const lead = await givenLead(db, pipeline.client)
  const events = await db.selectFrom('events').select('id').where('lead_id', '=', lead).execute()
  const isLocked = Promise.withResolvers<undefined>()
  const mayEnd = Promise.withResolvers<undefined>()
  const locking = db.transaction().execute(async (trx) => {
    await trx.selectFrom('events').select('id').where('lead_id', '=', lead).forUpdate().execute()
    isLocked.resolve(undefined)
    await mayEnd.promise
  })
  await isLocked.promise
  // The planning statement has read the account in its old state.
  const planning = planDeliveries(
    db,
    events.map(({ id }) => ({ event_id: id, turn: 0 })),
  )
  try {
    await waitUntil(async () => (await countWaitingForLocks()) > 0, {
      what: 'Planning waiting',
      timeoutMs: 3000,
    })
    await erase()
  } finally {
    mayEnd.resolve(undefined)
    await Promise.all([locking, planning])
  }

  expect(await deliveries()).toEqual([])
})

test('a banned account’s leads wait until the owner is back, switches the webhook on and sends them', async () => {
  await sendLeadInVain()
  await pipeline.db.transaction().execute((trx) => banUser(trx, pipeline.client, 3600))
  await sendLead()
  await passAnHour()

  expect(pipeline.crm.requests).toHaveLength(1)
  expect((await deliveries()).map(({ state }) => state)).toEqual(['held', 'held'])

  await pipeline.db.transaction().execute((trx) => banUser(trx, pipeline.client, null))
  expect(pipeline.crm.requests).toHaveLength(1)
  const released = await pipeline.db.transaction().execute(async (trx) => {
    await updateWebhookConfig(trx, pipeline.client, config, { is_active: true })
    // The leads that came while it was off wait for the client's decision.
    await acceptOffered(trx, pipeline.client, { webhook_config_id: config })
    return await releaseHeldOf(trx, config)
  })
  await pipeline.context.deliveries.publish(released)
  await passAnHour()
  expect((await deliveries()).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
  expect(pipeline.crm.requests).toHaveLength(3)
})
