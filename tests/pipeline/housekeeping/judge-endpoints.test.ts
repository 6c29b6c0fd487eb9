import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { forgetFailures, readEndpointHealth } from '#core/data/webhooks/health/read-endpoint-health.ts'
import { updateWebhookConfig } from '#core/data/webhooks/webhook-configs.ts'
import { ENDPOINT_RULE } from '#core/domain/webhooks/endpoint-rule.ts'
import { judgeEndpoints } from '#worker/housekeeping/endpoints/judge-endpoints.ts'
import { removeOldRows } from '#worker/housekeeping/retention/remove-old-rows.ts'
import { createEarlierDatabase } from '#tests/support/services/earlier-database.ts'
import { givenClient, givenConfig, startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { configOf, countRows, givenHealth, mailsOf, tellsOf } from './notice-rows.ts'

const { warnAfterFailures } = ENDPOINT_RULE

let pipeline: TestPipeline
let client: string
let admin: string

// Without a running worker, because its judgements would see a half-prepared state.
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
  admin = await givenClient(pipeline.db, 'admin')
})
afterAll(() => pipeline.close())
beforeEach(async () => {
  client = await givenClient(pipeline.db)
})

async function givenConfigOf(owner: string): Promise<string> {
  const { id } = await givenConfig(pipeline.context, owner, { endpoint_url: 'https://crm.example.com/leads' })
  return id
}

const both = () => [client, admin].toSorted()

test('an endpoint that fails again within hours is shown as failing, without another mail', async () => {
  const config = await givenConfigOf(client)
  await givenHealth(pipeline.db, config, { failures: warnAfterFailures, failingHours: 2, failedHoursAgo: [] })
  await judgeEndpoints(pipeline.context)
  await sql`
    update webhook_endpoint_health set failing_since = now() + interval '1 second', failures_in_row = ${warnAfterFailures}
    where webhook_config_id = ${config}`.execute(pipeline.db)
  await judgeEndpoints(pipeline.context)

  expect(await mailsOf(pipeline.db, config)).toEqual({ endpoint_failing: both(), endpoint_recovered: both() })
  const [health] = await readEndpointHealth(pipeline.db, client, config)
  expect(health?.warned_at).toBeInstanceOf(Date)
})

test('an administrator’s own configuration warns each administrator once', async () => {
  const config = await givenConfigOf(admin)
  await givenHealth(pipeline.db, config, { failures: warnAfterFailures, failingHours: 1, failedHoursAgo: [] })
  await judgeEndpoints(pipeline.context)

  expect(await mailsOf(pipeline.db, config)).toEqual({ endpoint_failing: [admin] })
  await sql`delete from client_webhook_configs where id = ${config}`.execute(pipeline.db)
})

const DAILY = [1, 30, 50, 80, 110]

test.each([
  [
    'a webhook that has failed on each of five days, without a success, is switched off',
    { failures: 200, failingHours: 121, failedHoursAgo: DAILY },
    false,
  ],
  [
    'a webhook that has failed for two hours less than five days stays on',
    { failures: 200, failingHours: 119, failedHoursAgo: DAILY },
    true,
  ],
  [
    'a webhook with one old failed lead and no lead since then stays on',
    { failures: 8, failingHours: 200, failedHoursAgo: [] },
    true,
  ],
  [
    'a webhook with many failures five days ago and one lead now stays on',
    { failures: 60, failingHours: 121, failedHoursAgo: [1, 118] },
    true,
  ],
  [
    'a webhook whose endpoint answers but refuses every lead stays on',
    { failures: 200, failingHours: 121, failedHoursAgo: DAILY, errorClass: 'refused_by_body' },
    true,
  ],
  [
    'a webhook with fewer failures than a warning needs stays on',
    { failures: 19, failingHours: 200, failedHoursAgo: DAILY },
    true,
  ],
])('%s', async (_what, health, staysOn) => {
  const config = await givenConfigOf(client)
  await givenHealth(pipeline.db, config, health)
  await judgeEndpoints(pipeline.context)
  const { is_active, disabled_reason, disabled_at } = await configOf(pipeline.db, config)

  expect(is_active).toBe(staysOn)
  expect(disabled_reason).toBe(
    staysOn
      ? null
      : 'No attempt has succeeded for 5 days. The last failure: 503: your endpoint is not available right now.',
  )
  expect(disabled_at === null).toBe(staysOn)
  expect((await mailsOf(pipeline.db, config))['endpoint_switched_off']).toEqual(staysOn ? undefined : both())
})

test('old notices and counts are removed, except a switch-off that still holds', async () => {
  const config = await givenConfigOf(client)
  await givenHealth(pipeline.db, config, {
    failures: 200,
    failingHours: 121,
    failedHoursAgo: [...DAILY, 24 * 40],
  })
  await judgeEndpoints(pipeline.context)
  await sql`update mails set next_try_at = null where ${tellsOf(config)}`.execute(pipeline.db)
  const count = async () => ({
    hours: await countRows(pipeline.db, config, 'webhook_endpoint_hours'),
    notices: await countRows(pipeline.db, config, 'webhook_endpoint_notices'),
    mails: Object.values(await mailsOf(pipeline.db, config)).flat().length,
  })
  await removeOldRows(pipeline.context)
  expect(await count()).toEqual({ hours: DAILY.length, notices: 1, mails: 2 })

  const later = new Date(Date.now() + 200 * 24 * 3_600_000)
  await removeOldRows(pipeline.context, later)
  expect(await count()).toEqual({ hours: 0, notices: 1, mails: 0 })
  await judgeEndpoints(pipeline.context)
  expect(await mailsOf(pipeline.db, config)).toEqual({})

  await updateWebhookConfig(pipeline.db, client, config, { is_active: true })
  await removeOldRows(pipeline.context, later)
  expect((await count()).notices).toBe(0)
})

test('earlier failures of a webhook that was switched on again neither warn nor switch it off', async () => {
  const config = await givenConfigOf(client)
  await givenHealth(pipeline.db, config, { failures: 200, failingHours: 121, failedHoursAgo: DAILY })
  await judgeEndpoints(pipeline.context)
  await pipeline.db.transaction().execute(async (trx) => {
    await updateWebhookConfig(trx, client, config, { is_active: true })
    await forgetFailures(trx, config, true)
  })
  await judgeEndpoints(pipeline.context)

  expect(await configOf(pipeline.db, config)).toEqual({
    is_active: true,
    disabled_reason: null,
    disabled_at: null,
  })
  expect(Object.keys(await mailsOf(pipeline.db, config))).toEqual(['endpoint_switched_off'])
})

test('webhooks that were switched off before notices existed are not reported after the upgrade', async () => {
  const earlier = await createEarlierDatabase('20261121001310')
  try {
    const { db } = earlier
    const owner = await givenClient(db)
    await givenClient(db, 'admin')
    const { rows } = await sql<{ id: string }>`
      insert into client_webhook_configs (client_user_id, webhook_name, endpoint_url, payload_template, signing_secret,
        is_active, disabled_at, disabled_reason)
      values (${owner}, 'Old CRM', 'https://crm.example.com', '{}', 'unused', false, now() - interval '90 days', 'It said 410.'),
        (${owner}, 'CRM', 'https://crm.example.com', '{}', 'unused', true, null, null)
      returning id`.execute(db)
    await earlier.upgrade()
    const judge = () => judgeEndpoints({ db, logger: pipeline.context.logger })
    const told = async () =>
      (
        await db
          .selectFrom('mails')
          .select(sql<string>`data ->> 'webhook_config_id'`.as('of'))
          .execute()
      ).map(({ of }) => of)
    await judge()
    expect(await told()).toEqual([])

    const [, used] = rows
    await sql`update client_webhook_configs set is_active = false, disabled_at = now() where id = ${used?.id}`.execute(
      db,
    )
    await judge()
    expect(await told()).toEqual([used?.id, used?.id])
  } finally {
    await earlier.drop()
  }
})

test('a hundred webhooks that are switched off again and again make two mails for each recipient, which name all of them', async () => {
  const { db } = pipeline
  await sql`delete from mails`.execute(db)
  const ids: string[] = []
  for (let count = 0; count < 100; count += 1) ids.push(await givenConfigOf(client))
  const switchOff = (some: readonly string[]) =>
    sql`update client_webhook_configs set is_active = false, disabled_at = clock_timestamp(), disabled_reason = '410: gone'
      where id = any(${some}::uuid[])`.execute(db)
  // A worker finds a few at first, and the others a moment later.
  await switchOff(ids.slice(0, 3))
  await judgeEndpoints(pipeline.context)
  await sql`update mails set sent_at = now(), next_try_at = null`.execute(db)
  for (let lead = 0; lead < 4; lead += 1) {
    await switchOff(ids)
    await judgeEndpoints(pipeline.context)
    await sql`update client_webhook_configs set is_active = true, disabled_at = null where id = any(${ids}::uuid[])`.execute(
      db,
    )
  }

  const { rows } = await sql<{ reader: string; told: number; waits: boolean }>`
    select recipient_user_id as reader, coalesce(next_try_at > now(), false) as waits,
      1 + coalesce(jsonb_array_length(data -> 'others'), 0) + coalesce((data ->> 'more')::int, 0) as told
    from mails where template = 'endpoint_switched_off' order by recipient_user_id, waits`.execute(db)
  for (const reader of both()) {
    const mails = rows.filter((row) => row.reader === reader)
    expect(mails.map(({ waits }) => waits)).toEqual([false, true])
    expect(mails[0]?.told).toBe(3)
    expect(mails[1]?.told).toBeGreaterThanOrEqual(100)
  }
  expect(rows).toHaveLength(2 * both().length)
  await sql`delete from client_webhook_configs where id = any(${ids}::uuid[])`.execute(db)
})

test('a webhook that is switched off half an hour later is mailed separately, without the earlier ones', async () => {
  const { db } = pipeline
  await sql`delete from mails`.execute(db)
  const [first, second] = [await givenConfigOf(client), await givenConfigOf(client)]
  const warn = async (config: string) => {
    await givenHealth(db, config, { failures: warnAfterFailures, failingHours: 1, failedHoursAgo: [] })
    await judgeEndpoints(pipeline.context)
  }
  await warn(first)
  await sql`update mails set sent_at = now() - interval '31 minutes', next_try_at = null`.execute(db)
  await warn(second)

  expect(await mailsOf(db, first)).toEqual({ endpoint_failing: both() })
  expect(await mailsOf(db, second)).toEqual({ endpoint_failing: both() })
  const { rows } = await sql<{ due: number }>`
    select count(*)::int as due from mails where next_try_at <= now() and ${tellsOf(second)} and not ${tellsOf(first)}`.execute(
    db,
  )
  expect(rows).toEqual([{ due: 2 }])
})
