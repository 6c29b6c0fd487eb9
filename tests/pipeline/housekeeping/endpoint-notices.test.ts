import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readEndpointHealth } from '#core/data/webhooks/health/read-endpoint-health.ts'
import { ENDPOINT_RULE } from '#core/domain/webhooks/endpoint-rule.ts'
import { judgeEndpoints } from '#worker/housekeeping/endpoints/judge-endpoints.ts'
import { waitUntil } from '#tests/support/condition.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { configOf, givenHealth, mailsOf, sendNow, waitForMails } from './notice-rows.ts'

const { warnAfterFailures } = ENDPOINT_RULE

let pipeline: TestPipeline
let crm: Receiver
let client: string
let admin: string

beforeAll(async () => {
  pipeline = await startPipeline({ WEBHOOK_RETRY_SCHEDULE: '1', LOG_LEVEL: 'error' })
  admin = await givenClient(pipeline.db, 'admin')
})
afterAll(() => pipeline.close())
beforeEach(async () => {
  crm = await startReceiver()
  client = await givenClient(pipeline.db)
  return () => crm.close()
})

async function givenConfigOf(owner: string): Promise<string> {
  const { id } = await givenConfig(pipeline.context, owner, {
    endpoint_url: crm.url,
    trigger_on_lead_created: true,
    trigger_on_lead_assigned: false,
  })
  return id
}

async function sendLeads(count: number, owner: string | null = client): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await publishEventsOfLead(pipeline.context, await givenLead(pipeline.db, owner))
}

const both = () => [client, admin].toSorted()

test('twenty failures in a row warn the client and administrators once, and the first success is mailed as well', async () => {
  crm.answerWith(500)
  const config = await givenConfigOf(client)
  await sendLeads(warnAfterFailures / 2)
  await waitForMails(pipeline.db, config, 'endpoint_failing')
  await sendLeads(3)
  await judgeEndpoints(pipeline.context)
  // An owner who has not had the warning yet would get neither mail.
  await sendNow(pipeline.db, config)
  expect(await mailsOf(pipeline.db, config)).toEqual({ endpoint_failing: both() })
  const [health] = await readEndpointHealth(pipeline.db, client, config)
  expect(health?.warned_at).toBeInstanceOf(Date)

  crm.answerWith(200)
  await sendLeads(1)
  await waitForMails(pipeline.db, config, 'endpoint_recovered')
  await judgeEndpoints(pipeline.context)
  expect(await mailsOf(pipeline.db, config)).toEqual({ endpoint_failing: both(), endpoint_recovered: both() })
  const [after] = await readEndpointHealth(pipeline.db, client, config)
  expect(after).toMatchObject({ warned_at: null, failing_since: null, failures_in_row: 0 })
}, 90_000)

test('a warning that waits for an earlier one is not mailed after the first success', async () => {
  const [first, second] = [await givenConfigOf(client), await givenConfigOf(client)]
  const failing = { failures: warnAfterFailures, failingHours: 1, failedHoursAgo: [] }
  await givenHealth(pipeline.db, first, failing)
  await waitForMails(pipeline.db, first, 'endpoint_failing')
  await sendNow(pipeline.db, first)
  await givenHealth(pipeline.db, second, failing)
  await waitForMails(pipeline.db, second, 'endpoint_failing')
  await sendLeads(1)
  await waitForMails(pipeline.db, second, 'endpoint_recovered')
  await sendNow(pipeline.db, second)

  expect(await mailsOf(pipeline.db, second)).toEqual({ endpoint_recovered: both() })

  // Nobody was warned, so the next warning is not a repetition.
  await pipeline.db
    .updateTable('webhook_endpoint_health')
    .set({ failures_in_row: warnAfterFailures, failing_since: new Date() })
    .where('webhook_config_id', '=', second)
    .execute()
  await waitForMails(pipeline.db, second, 'endpoint_failing')
}, 90_000)

test('no mail says that a webhook works again if it has failed again or was switched off', async () => {
  const { db } = pipeline
  const [first, second] = [await givenConfigOf(client), await givenConfigOf(client)]
  const change = async (config: string, failures: number) => {
    const failing_since = failures === 0 ? null : new Date()
    await db
      .updateTable('webhook_endpoint_health')
      .set({ failures_in_row: failures, failing_since })
      .where('webhook_config_id', '=', config)
      .execute()
  }
  for (const config of [first, second]) {
    await givenHealth(db, config, { failures: warnAfterFailures, failingHours: 1, failedHoursAgo: [] })
    await waitForMails(db, config, 'endpoint_failing')
    await sendNow(db, config)
    await change(config, 0)
    await waitForMails(db, config, 'endpoint_recovered')
    if (config === first) await sendNow(db, config)
  }
  const judge = async () => {
    await judgeEndpoints(pipeline.context)
    await sendNow(db, second)
  }

  await change(second, warnAfterFailures)
  await judge()
  expect(await mailsOf(db, second)).toEqual({ endpoint_failing: both() })
  await change(second, 0)
  await waitForMails(db, second, 'endpoint_recovered')
  await db
    .updateTable('client_webhook_configs')
    .set({ is_active: false, disabled_at: new Date(), disabled_reason: '410' })
    .where('id', '=', second)
    .execute()
  await waitForMails(db, second, 'endpoint_switched_off')
  await judge()
  expect(await mailsOf(db, second)).toEqual({ endpoint_failing: both(), endpoint_switched_off: both() })
}, 90_000)

test('a waiting warning is not mailed after the system has switched its webhook off', async () => {
  const { db } = pipeline
  const [first, old, gone] = [
    await givenConfigOf(client),
    await givenConfigOf(client),
    await givenConfigOf(client),
  ]
  const days = [0, 1, 2, 3, 4].map((day) => day * 24 + 1)
  for (const [config, failedHoursAgo] of [
    [first, []],
    [old, days],
    [gone, []],
  ] as const) {
    await givenHealth(db, config, { failures: warnAfterFailures, failingHours: 1, failedHoursAgo })
    await waitForMails(db, config, 'endpoint_failing')
    if (config === first) await sendNow(db, config)
  }

  await sql`
    update webhook_endpoint_health set failing_since = now() - interval '6 days' where webhook_config_id = ${old}`.execute(
    db,
  )
  await waitForMails(db, old, 'endpoint_switched_off')
  expect(await mailsOf(db, gone)).toEqual({ endpoint_failing: both() })

  crm.answerWith(410)
  await sendLeads(1)
  await waitForMails(db, gone, 'endpoint_switched_off')
  await sendNow(db, gone)
  for (const config of [old, gone])
    expect(await mailsOf(db, config)).toEqual({ endpoint_switched_off: both() })
}, 90_000)

test('a success without an earlier warning sends no mail', async () => {
  const config = await givenConfigOf(client)
  await givenHealth(pipeline.db, config, {
    failures: warnAfterFailures - 1,
    failingHours: 1,
    failedHoursAgo: [],
  })
  await judgeEndpoints(pipeline.context)
  await sendLeads(1)
  await waitUntil(
    async () => (await readEndpointHealth(pipeline.db, client, config))[0]?.failures_in_row === 0,
  )
  await judgeEndpoints(pipeline.context)

  expect(await mailsOf(pipeline.db, config)).toEqual({})
})

test('an answer of 410 switches the webhook off with its reason, and a mail says so', async () => {
  crm.answerWith(410)
  const config = await givenConfigOf(client)
  await sendLeads(1)
  await waitForMails(pipeline.db, config, 'endpoint_switched_off')
  await judgeEndpoints(pipeline.context)

  expect(await mailsOf(pipeline.db, config)).toEqual({ endpoint_switched_off: both() })
  expect((await configOf(pipeline.db, config)).disabled_reason).toMatch(/^410/)
})
