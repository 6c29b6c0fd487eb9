import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { claimMail } from '#core/data/outbox/due-mails.ts'
import { queueMails } from '#core/data/outbox/mails.ts'
import { deleteWebhooksOf } from '#core/data/webhooks/delete-webhooks.ts'
import { dropOutdatedNotices } from '#core/data/webhooks/health/drop-outdated-notices.ts'
import { updateWebhookConfig } from '#core/data/webhooks/webhook-configs.ts'
import { deleteAccount } from '#server/accounts/people/data/erase-account.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { sendDueMails } from '#tests/support/given/due-mails.ts'
import { givenClient, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { mailsOf } from './notice-rows.ts'
import { prepareNotices } from './notice-steps.ts'

const { who, both, givenConfigOf, age, pass, fail, failAll, work } = prepareNotices()
let pipeline: TestPipeline
let db: TestPipeline['db']
let client: string
beforeEach(() => {
  ;({ pipeline, db, client } = who())
})

test('a mail describes a webhook as it is when the mail is sent', async () => {
  const [first, config] = [await givenConfigOf(client), await givenConfigOf(client)]
  await failAll([first, config])
  await work(config)
  await fail(config)
  await sql`update webhook_endpoint_health set last_error_message = 'The name does not resolve.'`.execute(db)
  await updateWebhookConfig(db, client, config, { webhook_name: 'Renamed' })
  await pass(31)
  const { rows } = await sql<{ data: object }>`
    select m.data from mails m join webhook_endpoint_health h on h.webhook_config_id::text = m.data ->> 'webhook_config_id'
    where m.recipient_user_id = ${client} and m.template = 'endpoint_failing' and h.webhook_config_id = ${config}`.execute(
    db,
  )
  expect(rows[0]?.data).toMatchObject({
    webhook_name: 'Renamed',
    last_failure: 'The name does not resolve.',
  })
})

test.each([
  ['no worker ran', sql`tries = 0`],
  [
    'the mail server took nothing',
    sql`tries = 7, last_failure = 'ECONNECTION', next_try_at = now() + interval '3 hours'`,
  ],
])(
  'a failure after a time in which %s is reported together with waiting failures, in one mail',
  async (_, state) => {
    const [first, second, third] = [
      await givenConfigOf(client),
      await givenConfigOf(client),
      await givenConfigOf(client),
    ]
    await failAll([first, second])
    await age(60)
    await sql`update mails set ${state} where sent_at is null`.execute(db)
    await failAll([third])
    await pass(31)
    const { rows } = await sql`
    select recipient_user_id from mails where sent_at is not null and template = 'endpoint_failing'`.execute(
      db,
    )
    expect(rows).toHaveLength(4)
    expect([await mailsOf(db, second), await mailsOf(db, third)]).toEqual([
      { endpoint_failing: both() },
      { endpoint_failing: both() },
    ])
  },
)

test('a mail that is due too soon after another of its kind is postponed', async () => {
  const [first, config] = [await givenConfigOf(client), await givenConfigOf(client)]
  await failAll([first, config])
  await sql`update mails set next_try_at = now() where sent_at is null`.execute(db)
  const unsent = async () => (await sql`select from mails where sent_at is null`.execute(db)).rows.length
  await sendDueMails(pipeline.context)
  expect(await unsent()).toBe(2)
  await pass(31)
  expect(await unsent()).toBe(0)
})

test.each(['role', 'status'])(
  'an administrator whose %s is no longer valid gets no mail about clients’ webhooks',
  async (column) => {
    const leaver = await givenClient(db, 'admin')
    await failAll([await givenConfigOf(await givenClient(db)), await givenConfigOf(client)])
    const value = column === 'role' ? 'client' : 'suspended'
    await sql`update profiles set ${sql.ref(column)} = ${value} where user_id = ${leaver}`.execute(db)
    await pass(31)
    const { rows } = await sql`select from mails where recipient_user_id = ${leaver}`.execute(db)
    expect(rows).toHaveLength(1)
  },
)

test('a mail about an account that was handed over goes to its owner, and one about the founder to the founder', async () => {
  const owner = await givenClient(db)
  const members = [
    { user_id: client, account_id: client, role: 'manager' as const },
    { user_id: owner, account_id: client, role: 'owner' as const },
  ]
  await db.insertInto('account_members').values(members).execute()
  const about = { recipient_user_id: client, notice_key: 'one' }
  const claim = { leaseSeconds: 60, busy: [], withNotices: true }
  const addressOf = async (id: string) =>
    (await db.selectFrom('profiles').select('email').where('user_id', '=', id).executeTakeFirst())?.email
  await queueMails(db, [{ ...about, template: 'order_paused', data: { order_name: 'Texas', reason: null } }])
  expect((await claimMail(db, claim))?.email).toBe(await addressOf(owner))
  await queueMails(db, [{ ...about, template: 'second_factor_reset', data: {} }])
  expect((await claimMail(db, claim))?.email).toBe(await addressOf(client))
})

test('sending waiting mails and deleting their recipient do not wait for each other', async () => {
  const [first, config, off] = [
    await givenConfigOf(client),
    await givenConfigOf(client),
    await givenConfigOf(client),
  ]
  await failAll([first, config, off])
  await updateWebhookConfig(db, client, off, { is_active: false })
  await sql`delete from mails where recipient_user_id <> ${client}`.execute(db)
  await age(31)
  const claimed = await claimMail(db, { leaseSeconds: 60, busy: [], withNotices: true })
  const told = await db.transaction().execute(async (trx) => {
    await deleteWebhooksOf(trx, client)
    const sending = claimed && dropOutdatedNotices(db, claimed).catch((error: unknown) => error)
    await waitUntil(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        db,
      )
      return rows.length > 0
    })
    await deleteAccount(trx, client)
    return { sending }
  })
  expect(await told.sending).not.toBeInstanceOf(Error)
})
