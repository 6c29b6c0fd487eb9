import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Db } from '#core/data/database.ts'
import { deleteWebhook, retireWebhook } from '#core/data/webhooks/delete-webhooks.ts'
import { forgetFailures } from '#core/data/webhooks/health/read-endpoint-health.ts'
import { updateWebhookConfig } from '#core/data/webhooks/webhook-configs.ts'
import { ENDPOINT_RULE } from '#core/domain/webhooks/endpoint-rule.ts'
import { eraseAccount } from '#server/accounts/people/data/erase-account.ts'
import { judgeEndpoints } from '#worker/housekeeping/endpoints/judge-endpoints.ts'
import { sendDueMails } from '#tests/support/given/due-mails.ts'
import { givenClient, givenConfig, startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { givenHealth, mailsOf } from './notice-rows.ts'

const { warnAfterFailures, warnAgainHours } = ENDPOINT_RULE
const FAILING = { failures: warnAfterFailures, failingHours: 1, failedHoursAgo: [] }

let pipeline: TestPipeline
let db: TestPipeline['db']
let admin: string
let client: string

beforeAll(async () => {
  pipeline = await startPipeline({ LOG_LEVEL: 'error' }, { worker: false })
  db = pipeline.db
  admin = await givenClient(db, 'admin')
})
afterAll(() => pipeline.close())
beforeEach(async () => {
  await sql`delete from client_webhook_configs`.execute(db)
  await sql`delete from mails`.execute(db)
  client = await givenClient(db)
})

const both = () => [client, admin].toSorted()
const twice = () => [client, client, admin, admin].toSorted()

async function givenConfigOf(owner: string): Promise<string> {
  const { id } = await givenConfig(pipeline.context, owner, { endpoint_url: 'https://crm.example.com/leads' })
  return id
}

/** What the worker does in its next minute. */
async function judgeAndSend(): Promise<void> {
  await judgeEndpoints(pipeline.context)
  await sendDueMails(pipeline.context)
}

/** Everything that was written happened so long ago. */
async function pass(minutes: number): Promise<void> {
  const ago = sql`make_interval(mins => ${minutes})`
  await sql`update mails set created_at = created_at - ${ago}, sent_at = sent_at - ${ago}, next_try_at = next_try_at - ${ago}`.execute(
    db,
  )
  await sql`update webhook_endpoint_notices set created_at = created_at - ${ago}, spell_at = spell_at - ${ago}`.execute(
    db,
  )
  await sql`update webhook_endpoint_health set failing_since = failing_since - ${ago}, warned_at = warned_at - ${ago}`.execute(
    db,
  )
  await sql`update client_webhook_configs set disabled_at = disabled_at - ${ago}`.execute(db)
  await sendDueMails(pipeline.context)
}

async function fail(config: string): Promise<void> {
  await sql`update webhook_endpoint_health set failures_in_row = ${warnAfterFailures}, failing_since = now()
    where webhook_config_id = ${config}`.execute(db)
  await judgeAndSend()
}

async function work(config: string): Promise<void> {
  await sql`update webhook_endpoint_health set failures_in_row = 0, failing_since = null, last_success_at = now()
    where webhook_config_id = ${config}`.execute(db)
  await judgeAndSend()
}

async function switchOff(config: string): Promise<void> {
  await sql`update client_webhook_configs set is_active = false, disabled_at = now(), disabled_reason = '410: gone'
    where id = ${config}`.execute(db)
  await judgeAndSend()
}

test('a webhook that fails again within six hours of its warning is mailed of when they are over', async () => {
  const config = await givenConfigOf(client)
  await givenHealth(db, config, FAILING)
  await judgeAndSend()
  await pass(40)
  await work(config)
  await pass(40)
  await fail(config)
  const mails = { endpoint_failing: both(), endpoint_recovered: both() }
  expect(await mailsOf(db, config)).toEqual(mails)

  await pass(warnAgainHours * 60 - 100)
  await judgeAndSend()
  expect(await mailsOf(db, config)).toEqual(mails)
  await pass(30)
  await judgeAndSend()
  expect(await mailsOf(db, config)).toEqual({ ...mails, endpoint_failing: twice() })

  await pass(warnAgainHours * 60)
  await judgeAndSend()
  expect(await mailsOf(db, config)).toEqual({ ...mails, endpoint_failing: twice() })
  await work(config)
  expect(await mailsOf(db, config)).toEqual({ endpoint_failing: twice(), endpoint_recovered: twice() })
})

test('so is one that was switched on meanwhile', async () => {
  const config = await givenConfigOf(client)
  await givenHealth(db, config, FAILING)
  await judgeAndSend()
  await db.transaction().execute((trx) => forgetFailures(trx, config, false))
  await fail(config)
  expect(await mailsOf(db, config)).toEqual({ endpoint_failing: both() })

  await pass(warnAgainHours * 60 + 1)
  await judgeAndSend()
  expect(await mailsOf(db, config)).toEqual({ endpoint_failing: twice() })
})

const deleted = async (trx: Db, config: string) => {
  await retireWebhook(trx, client, config)
  await deleteWebhook(trx, client, config)
}
const erased = (trx: Db) => eraseAccount(trx, client, admin)
const changedTo = (is_active: boolean) => async (trx: Db, config: string) => {
  await updateWebhookConfig(trx, client, config, { is_active })
  if (is_active) await forgetFailures(trx, config, false)
}

const failAll = async (configs: readonly string[]) => {
  for (const config of configs) {
    await givenHealth(db, config, FAILING)
    await judgeAndSend()
  }
}
const REACHED = {
  endpoint_failing: failAll,
  endpoint_recovered: async (configs: readonly string[]) => {
    await failAll(configs)
    await pass(31)
    for (const config of configs) await work(config)
  },
  endpoint_switched_off: async (configs: readonly string[]) => {
    for (const config of configs) await switchOff(config)
  },
}

test.each<[keyof typeof REACHED, string, (trx: Db, config: string) => Promise<unknown>]>([
  ['endpoint_failing', 'is switched off by its client', changedTo(false)],
  ['endpoint_failing', 'is deleted', deleted],
  ['endpoint_failing', 'is an erased client’s', erased],
  ['endpoint_recovered', 'is switched off by its client', changedTo(false)],
  ['endpoint_recovered', 'is deleted', deleted],
  ['endpoint_recovered', 'is an erased client’s', erased],
  ['endpoint_switched_off', 'is on again', changedTo(true)],
  ['endpoint_switched_off', 'is deleted', deleted],
  ['endpoint_switched_off', 'is an erased client’s', erased],
])('%s: what waits to be told of a webhook is not sent once it %s', async (kind, _, change) => {
  const neighbour = await givenClient(db)
  const [first, config] = [await givenConfigOf(client), await givenConfigOf(client)]
  const other = await givenConfigOf(neighbour)
  await REACHED[kind]([first, config, other])
  expect((await mailsOf(db, config))[kind]).toEqual(both())

  await db.transaction().execute((trx) => change(trx, config))
  await pass(31)
  expect((await mailsOf(db, config))[kind]).toBeUndefined()
  expect((await mailsOf(db, other))[kind]).toEqual([neighbour, admin].toSorted())
})

test('a client is warned once in six hours, also where the administrator’s own mail was kept back', async () => {
  const config = await givenConfigOf(client)
  await failAll([await givenConfigOf(await givenClient(db)), config])
  await work(config)
  await pass(31)
  expect((await mailsOf(db, config))['endpoint_failing']).toEqual([client])

  await fail(config)
  await pass(31)
  expect((await mailsOf(db, config))['endpoint_failing']).toEqual([client])
})
