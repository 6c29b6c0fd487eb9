import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { Db } from '#core/data/database.ts'
import { deleteWebhooks, retireWebhooks } from '#core/data/webhooks/delete-webhooks.ts'
import { forgetFailures } from '#core/data/webhooks/health/read-endpoint-health.ts'
import { removeNotices } from '#core/data/webhooks/health/remove-endpoint-history.ts'
import { updateWebhookConfig } from '#core/data/webhooks/webhook-configs.ts'
import { ENDPOINT_RULE } from '#core/domain/webhooks/endpoint-rule.ts'
import { eraseAccount } from '#server/accounts/people/data/erase-account.ts'
import { givenClient, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { mailsOf } from './notice-rows.ts'
import { prepareNotices } from './notice-steps.ts'

const { warnAgainHours } = ENDPOINT_RULE

const { who, both, twice, givenConfigOf, pass, judgeAndSend, fail, failAll, work, switchOff } =
  prepareNotices()
let db: TestPipeline['db']
let admin: string
let client: string
beforeEach(() => {
  ;({ db, admin, client } = who())
})

test('a webhook that fails again within six hours of its warning is warned about when the six hours are over', async () => {
  const config = await givenConfigOf(client)
  await failAll([config])
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

test('a webhook that was switched on meanwhile and fails again is also warned about when the six hours are over', async () => {
  const config = await givenConfigOf(client)
  await failAll([config])
  await db.transaction().execute((trx) => forgetFailures(trx, config, false))
  await fail(config)
  expect(await mailsOf(db, config)).toEqual({ endpoint_failing: both() })

  await pass(warnAgainHours * 60 + 1)
  await judgeAndSend()
  expect(await mailsOf(db, config)).toEqual({ endpoint_failing: twice() })
})

test('a webhook that recovers after months is reported, even if its old notices were removed', async () => {
  const config = await givenConfigOf(client)
  await failAll([config])
  await pass(100 * 24 * 60)
  await removeNotices(db, new Date(Date.now() - 90 * 24 * 60 * 60_000))
  await work(config)
  expect(await mailsOf(db, config)).toEqual({ endpoint_recovered: both() })
})

const deleted = async (trx: Db, config: string) => {
  await retireWebhooks(trx, client, [config])
  await deleteWebhooks(trx, client, [config])
}
const erased = (trx: Db) => eraseAccount(trx, client, admin)
const changedTo = (is_active: boolean) => async (trx: Db, config: string) => {
  await updateWebhookConfig(trx, client, config, { is_active })
  if (is_active) await forgetFailures(trx, config, false)
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
  ['endpoint_failing', 'belongs to an erased client', erased],
  ['endpoint_recovered', 'is switched off by its client', changedTo(false)],
  ['endpoint_recovered', 'is deleted', deleted],
  ['endpoint_recovered', 'belongs to an erased client', erased],
  ['endpoint_switched_off', 'is on again', changedTo(true)],
  ['endpoint_switched_off', 'is deleted', deleted],
  ['endpoint_switched_off', 'belongs to an erased client', erased],
])('%s: a waiting mail does not name a webhook that %s', async (kind, _, change) => {
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

test('a client is warned once in six hours, also if the administrator’s mail was held back', async () => {
  const config = await givenConfigOf(client)
  await failAll([await givenConfigOf(await givenClient(db)), config])
  await work(config)
  await pass(31)
  expect((await mailsOf(db, config))['endpoint_failing']).toEqual([client])

  await fail(config)
  await pass(31)
  expect((await mailsOf(db, config))['endpoint_failing']).toEqual([client])
})

test('the six hours begin when the warning is sent, not when it is written', async () => {
  const [first, config] = [await givenConfigOf(client), await givenConfigOf(client)]
  await failAll([first, config])
  await pass(31)
  await work(config)
  await fail(config)
  await pass(warnAgainHours * 60 - 10)
  await judgeAndSend()
  expect((await mailsOf(db, config))['endpoint_failing']).toEqual(both())
  await pass(10)
  await judgeAndSend()
  expect((await mailsOf(db, config))['endpoint_failing']).toEqual(twice())
})

test('a postponed warning is mailed even if the failures turn out to have begun earlier', async () => {
  const config = await givenConfigOf(client)
  await failAll([config])
  await work(config)
  await fail(config)
  await sql`update webhook_endpoint_health set failing_since = failing_since - interval '1 second'`.execute(
    db,
  )
  await pass(warnAgainHours * 60 + 1)
  await judgeAndSend()
  expect((await mailsOf(db, config))['endpoint_failing']).toEqual(twice())
})

test('a warning still counts if a later mail about the switch-off is not sent', async () => {
  const [first, config] = [await givenConfigOf(client), await givenConfigOf(client)]
  await failAll([config])
  await switchOff(first)
  await switchOff(config)
  await db.transaction().execute((trx) => changedTo(true)(trx, config))
  await pass(31)
  await fail(config)
  expect(await mailsOf(db, config)).toEqual({ endpoint_failing: both() })
})

test('a recipient of a recovery mail is warned later if another of his webhooks fails again', async () => {
  const [first, config] = [await givenConfigOf(client), await givenConfigOf(client)]
  await failAll([first, config])
  await pass(31)
  await work(first)
  const newcomer = await givenClient(db, 'admin')
  await work(config)
  await fail(config)
  await pass(31)
  expect((await mailsOf(db, config))['endpoint_recovered']).toEqual([newcomer])

  await pass(warnAgainHours * 60)
  await judgeAndSend()
  const told = await mailsOf(db, config)
  await work(config)
  expect(told['endpoint_failing']).toEqual([...twice(), newcomer].toSorted())
  expect((await mailsOf(db, config))['endpoint_recovered']).toEqual(
    [...both(), newcomer, newcomer].toSorted(),
  )
  await sql`delete from auth.users where id = ${newcomer}`.execute(db)
})
