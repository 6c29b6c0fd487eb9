import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { conditionsSchema } from '#core/contract/webhooks/conditions.ts'
import { releaseHeldOf } from '#core/data/webhooks/health/breakers.ts'
import { acceptOffered } from '#core/data/webhooks/deliveries/offered-deliveries.ts'
import { switchOffWebhooks } from '#core/data/webhooks/switch-off-webhooks.ts'
import { updateWebhookConfig } from '#core/data/webhooks/webhook-configs.ts'
import { releaseDeliveries } from '#worker/housekeeping/endpoints/release-deliveries.ts'
import { removeOldRows } from '#worker/housekeeping/retention/remove-old-rows.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { openPipeline } from '#tests/support/given/open-pipeline.ts'
import { drain, givenConfig, givenLead, publishEventsOfLead } from '#tests/support/given/pipeline.ts'

const DAY_MS = 24 * 3600 * 1000

const pipeline = openPipeline()
let config: string
beforeEach(async () => {
  config = await listen()
})

const listen = async (fields: Partial<Parameters<typeof givenConfig>[2]> = {}) =>
  (
    await givenConfig(pipeline.context, pipeline.client, {
      endpoint_url: pipeline.crm.url,
      trigger_on_lead_created: true,
      ...fields,
    })
  ).id

async function send(): Promise<string> {
  const lead = await givenLead(pipeline.db, pipeline.client)
  await publishEventsOfLead(pipeline.context, lead)
  await waitUntil(async () => {
    const { rows } = await sql`select from events where lead_id = ${lead} and planned_at is null`.execute(
      pipeline.db,
    )
    return rows.length === 0
  })
  return lead
}
const switchOff = async (by: 'owner' | 'system') =>
  by === 'owner'
    ? await updateWebhookConfig(pipeline.db, pipeline.client, config, { is_active: false })
    : await switchOffWebhooks(pipeline.db, pipeline.client, '410: gone')
/** Switches the webhook on as the server does for every screen. */
const switchOn = async () => {
  const released = await pipeline.db.transaction().execute(async (trx) => {
    await updateWebhookConfig(trx, pipeline.client, config, { is_active: true })
    return await releaseHeldOf(trx, config)
  })
  await pipeline.context.deliveries.publish(released)
}
const deliveries = async (lead?: string) =>
  await pipeline.db
    .selectFrom('webhook_deliveries')
    .select(['lead_id', 'state', 'attempt', 'offered_until'])
    .where('client_user_id', '=', pipeline.client)
    .$if(lead !== undefined, (query) => query.where('lead_id', '=', lead ?? ''))
    .orderBy('created_at')
    .execute()

/** Waits until the worker's automatic work has run several times. */
async function settle(): Promise<void> {
  for (let time = 0; time < 3; time += 1) await releaseDeliveries(pipeline.context)
  await drain(pipeline.context)
}

describe.each(['owner', 'system'] as const)('a webhook that its %s has switched off', (by) => {
  test('has new deliveries held for 30 days, and none of them is sent when the webhook is on again', async () => {
    await switchOff(by)
    const lead = await send()
    const [held] = await deliveries(lead)
    expect(held).toMatchObject({ state: 'held', attempt: 0 })
    expect((held?.offered_until?.getTime() ?? 0) - Date.now()).toBeGreaterThan(29.9 * DAY_MS)

    await switchOn()
    await settle()
    const later = await send()
    await pipeline.crm.waitForCount(1)
    await settle()

    expect(pipeline.crm.requests).toHaveLength(1)
    expect(await deliveries(lead)).toMatchObject([{ state: 'held' }])
    expect(await deliveries(later)).toMatchObject([{ state: 'delivered' }])
  })

  test('has the held deliveries sent once its owner asks for it', async () => {
    await switchOff(by)
    const lead = await send()
    await switchOn()
    const released = await pipeline.db.transaction().execute(async (trx) => {
      expect(await acceptOffered(trx, pipeline.client, { webhook_config_id: config })).toBe(1)
      return await releaseHeldOf(trx, config)
    })
    await pipeline.context.deliveries.publish(released)
    await pipeline.crm.waitForCount(1)
    await drain(pipeline.context)

    expect(await deliveries(lead)).toMatchObject([{ state: 'delivered', offered_until: null }])
  })

  test('has earlier deliveries sent as soon as it is on again', async () => {
    pipeline.crm.answerWith((_request, index) => (index === 0 ? 500 : 200))
    const lead = await send()
    await waitUntil(async () => (await deliveries(lead))[0]?.attempt === 1)
    await switchOff(by)
    await sql`update webhook_deliveries set next_attempt_at = now() where lead_id = ${lead}`.execute(
      pipeline.db,
    )
    await waitUntil(async () => (await deliveries(lead))[0]?.state === 'held')
    await switchOn()
    await pipeline.crm.waitForCount(2)
    await drain(pipeline.context)

    expect(await deliveries(lead)).toMatchObject([{ state: 'delivered', attempt: 2, offered_until: null }])
  })
})

test('an offered delivery is neither used as a probe nor released when the breaker closes', async () => {
  await switchOff('owner')
  const lead = await send()
  await sql`
    insert into webhook_endpoint_health (webhook_config_id, breaker, probe_at) values (${config}, 'open', now())
    on conflict (webhook_config_id) do update set breaker = 'open', probe_at = now()`.execute(pipeline.db)
  await updateWebhookConfig(pipeline.db, pipeline.client, config, { is_active: true })
  await settle()
  await sql`
    update webhook_endpoint_health set breaker = 'closed', probe_at = null, releasing_since = now() - interval '2 minutes'
    where webhook_config_id = ${config}`.execute(pipeline.db)
  await settle()

  expect(pipeline.crm.requests).toEqual([])
  expect(await deliveries(lead)).toMatchObject([{ state: 'held' }])
  // The release has completed.
  const { rows } = await sql`
    select from webhook_endpoint_health where webhook_config_id = ${config} and releasing_since is null`.execute(
    pipeline.db,
  )
  expect(rows).toHaveLength(1)
})

test('a timeline says that a lead does not fit the conditions, also if the webhook is off; an unticked trigger leaves no row', async () => {
  const conditions = conditionsSchema.parse({ match: 'all', rules: [{ field: 'state', is: ['TX'] }] })
  const choosy = await listen({ conditions, is_active: false })
  await listen({ trigger_on_lead_created: false, trigger_on_lead_assigned: false, is_active: false })
  await switchOff('owner')
  const lead = await send()

  expect(await deliveries(lead)).toMatchObject([{ state: 'held' }])
  const { rows } = await sql<{ data: { webhook_config_id: string } }>`
    select data from events where lead_id = ${lead} and type = 'delivery.skipped'`.execute(pipeline.db)
  expect(rows.map(({ data }) => data.webhook_config_id)).toEqual([choosy])
})

test('offered deliveries are cancelled after 30 days without a decision, and the leads’ timelines say so', async () => {
  await switchOff('system')
  const lead = await send()
  await removeOldRows(pipeline.context)
  expect(await deliveries(lead)).toMatchObject([{ state: 'held' }])
  await sql`
    update webhook_deliveries set offered_until = now() - interval '1 second' where lead_id = ${lead}`.execute(
    pipeline.db,
  )
  await removeOldRows(pipeline.context)

  expect(await deliveries(lead)).toMatchObject([{ state: 'cancelled' }])
  const { rows } = await sql<{ data: { cancelled_by: string | null } }>`
    select data from events where lead_id = ${lead} and type = 'delivery.cancelled'`.execute(pipeline.db)
  expect(rows.map(({ data }) => data.cancelled_by)).toEqual([null])
})

test('earlier triggers and conditions are kept as long as an event may be planned by them', async () => {
  const { db } = pipeline
  const lead = await givenLead(db, pipeline.client)
  await sql`update client_webhook_configs set trigger_on_lead_created = false where id = ${config}`.execute(
    db,
  )
  const choices = async () =>
    (await sql`select from webhook_choices where webhook_config_id = ${config}`.execute(db)).rows.length
  await sql`update webhook_choices set until = until - interval '2 hours' where webhook_config_id = ${config}`.execute(
    db,
  )
  await sql`update events set created_at = created_at - interval '2 hours' where lead_id = ${lead}`.execute(
    db,
  )
  await removeOldRows(pipeline.context)
  expect(await choices()).toBe(1)
  await sql`update events set planned_at = now(), enqueued_at = now() where planned_at is null`.execute(db)
  await removeOldRows(pipeline.context)

  expect(await choices()).toBe(0)
})
