import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteWebhooks, deleteWebhooksOf, retireWebhooks } from '#core/data/webhooks/delete-webhooks.ts'
import { recordAttempts } from '#core/data/webhooks/deliveries/record-attempts.ts'
import { updateWebhookConfig } from '#core/data/webhooks/webhook-configs.ts'
import { setWebhookMember } from '#core/data/webhooks/webhook-members.ts'
import { deleteAccount, eraseAccount } from '#server/accounts/people/data/erase-account.ts'
import { removeOldRows } from '#worker/housekeeping/retention/remove-old-rows.ts'
import { attemptRecord, claimAt } from '#tests/support/given/attempt-record.ts'
import { givenBuyer, topUp } from '#tests/support/given/market.ts'
import { assignLead, givenClient, givenConfig, givenLead } from '#tests/support/given/pipeline.ts'
import { planDeliveries } from '#core/use-cases/planning/plan-deliveries.ts'
import { setUpFeeds, type Heard } from './support/follow-feed.ts'

const feeds = setUpFeeds()
const URL = 'https://crm.example.com/leads'

test('a configuration is told when it is made, changed and deleted; header values stay masked', async () => {
  const { context, db } = feeds.pipeline
  const [client, stranger] = [await givenClient(db), await givenClient(db)]
  const table = ['client_webhook_configs'] as const
  const [heard, others] = [
    await feeds.follow(client, { tables: table }),
    await feeds.follow(stranger, { tables: table }),
  ]

  const headers = { 'X-Api-Key': 'sesame-open-1234', 'X-Team': 'west' }
  const { id } = await givenConfig(context, client, { endpoint_url: URL, custom_headers: headers })
  const [made] = await heard.count(1)
  expect(made).toMatchObject({
    type: 'INSERT',
    record: { id, endpoint_url: URL, is_active: true, payload_template: { lead_id: '{{id}}' } },
    old_record: null,
  })
  expect(JSON.stringify(made)).not.toContain('sesame')
  expect(JSON.stringify(made)).not.toMatch(/signing_secret|authentication|client_key/)

  await updateWebhookConfig(db, client, id, { is_active: false })
  await heard.count(2)
  expect(heard.changes[1]).toMatchObject({
    type: 'UPDATE',
    record: { id, is_active: false },
    old_record: { id },
  })

  await db.transaction().execute((trx) => retireWebhooks(trx, client, [id]))
  await db.transaction().execute((trx) => deleteWebhooks(trx, client, [id]))
  await heard.count(3)
  expect(heard.changes.at(-1)).toMatchObject({ type: 'DELETE', record: null, old_record: { id } })
  expect(others.changes).toEqual([])
})

test('a configuration whose headers cannot be read keeps no change from anybody else', async () => {
  const { context, db } = feeds.pipeline
  const [client, stranger] = [await givenClient(db), await givenClient(db)]
  const table = ['client_webhook_configs'] as const
  const [heard, others] = [
    await feeds.follow(client, { tables: table }),
    await feeds.follow(stranger, { tables: table }),
  ]
  await db.transaction().execute(async (trx) => {
    const { id } = await givenConfig({ ...context, db: trx }, client, { endpoint_url: URL })
    await sql`update client_webhook_configs set custom_headers = '{"X-Team": "unreadable"}' where id = ${id}`.execute(
      trx,
    )
  })
  const { id } = await givenConfig(context, stranger, { endpoint_url: URL })
  const own = await givenConfig(context, client, { endpoint_url: URL })
  await others.count(1)
  await heard.count(2)
  expect(others.of('client_webhook_configs')).toEqual([`INSERT ${id}`])
  expect(heard.changes.map(({ record }) => record?.['custom_headers'])).toEqual([{ 'X-Team': '••••' }, {}])
  expect(heard.of('client_webhook_configs')[1]).toEqual(`INSERT ${own.id}`)
})

test('a configuration of an agent is told to that agent, and as a deletion when it is another’s', async () => {
  const { context, db } = feeds.pipeline
  const account = await givenClient(db)
  const [first, second] = [randomUUID(), randomUUID()]
  const { id } = await givenConfig(context, account, { endpoint_url: URL })
  const table = ['client_webhook_configs'] as const
  const follow = (member?: string): Promise<Heard> =>
    feeds.follow(account, { tables: table, ...(member !== undefined && { member }) })
  const [whole, one, two] = [await follow(), await follow(first), await follow(second)]
  const giveTo = (member: string | null): Promise<void> =>
    db
      .transaction()
      .execute((trx) => setWebhookMember(trx, { client: account, webhook_config_id: id }, member, account))

  await giveTo(first)
  await one.count(1)
  await giveTo(second)
  await two.count(1)
  await db.transaction().execute((trx) => deleteWebhooksOf(trx, account))
  await two.count(2)
  await whole.count(3)

  expect(whole.of('client_webhook_configs')).toEqual([`UPDATE ${id}`, `UPDATE ${id}`, `DELETE ${id}`])
  expect(one.of('client_webhook_configs').toSorted()).toEqual([`DELETE ${id}`, `UPDATE ${id}`])
  expect(two.of('client_webhook_configs')).toEqual([`UPDATE ${id}`, `DELETE ${id}`])
})

test('the keys of deleted configurations are removed after a day', async () => {
  const { context, db } = feeds.pipeline
  const client = await givenClient(db)
  const made = [
    await givenConfig(context, client, { endpoint_url: URL }),
    await givenConfig(context, client, { endpoint_url: URL }),
  ]
  await db.transaction().execute((trx) => deleteWebhooksOf(trx, client))
  const [old] = made
  await db
    .updateTable('lost_webhooks')
    .set({ lost_at: new Date(Date.now() - 25 * 3_600_000) })
    .where('webhook_config_id', '=', old?.id ?? '')
    .execute()
  await removeOldRows(context)
  const left = await db
    .selectFrom('lost_webhooks')
    .select('webhook_config_id')
    .where('client_user_id', '=', client)
    .execute()
  expect(left.map((row) => row.webhook_config_id)).toEqual([made[1]?.id])
})

test('the keys of deleted configurations go with their account', async () => {
  const { context, db } = feeds.pipeline
  const [erased, deleted] = [await givenClient(db), await givenClient(db)]
  for (const client of [erased, deleted]) {
    await givenConfig(context, client, { endpoint_url: URL })
    await db.transaction().execute((trx) => deleteWebhooksOf(trx, client))
  }
  await givenConfig(context, deleted, { endpoint_url: URL })
  await db.transaction().execute((trx) => eraseAccount(trx, erased, erased))
  await db.transaction().execute((trx) => deleteAccount(trx, deleted))
  const left = db.selectFrom('lost_webhooks').select('id').where('client_user_id', 'in', [erased, deleted])
  expect(await left.execute()).toEqual([])
})

test('an attempt is told to its client and to the agent whose lead it sent, also if it is recorded late', async () => {
  const { context, db } = feeds.pipeline
  const [client, stranger] = [await givenClient(db), await givenClient(db)]
  const agent = randomUUID()
  const { id: endpoint } = await givenConfig(context, client, { endpoint_url: URL })
  const table = ['webhook_delivery_logs'] as const
  const listeners = [
    await feeds.follow(client, { tables: table }),
    await feeds.follow(client, { tables: table, member: agent }),
    await feeds.follow(client, { tables: table, member: randomUUID() }),
    await feeds.follow(stranger, { tables: table }),
  ] as const
  const record = async (fields: Parameters<typeof attemptRecord>[2]): Promise<string> => {
    const [delivery] = await claimAt(db, endpoint)
    if (delivery === undefined) throw new Error('nothing was claimed')
    const made = attemptRecord(delivery, delivery.lease_token, fields)
    await recordAttempts(db, [made])
    return made.log_id
  }
  const lead = await givenLead(db, client)
  await db.updateTable('leads').set({ member_user_id: agent }).where('id', '=', lead).execute()
  await assignLead(db, lead)
  const events = await db.selectFrom('events').select('id').where('lead_id', '=', lead).execute()
  await planDeliveries(
    db,
    events.map(({ id }) => ({ event_id: id, turn: 0 })),
  )

  const failed = {
    state: 'pending',
    retry_in_seconds: 0,
    response_status: 503,
    error_class: 'http_5xx',
  } as const
  const first = await record({ ...failed, error_message: 'HTTP 503', processing_time_ms: 12 })
  const [told] = await listeners[0].count(1)
  expect(told).toMatchObject({
    type: 'INSERT',
    record: {
      id: first,
      webhook_config_id: endpoint,
      lead_id: lead,
      delivery_status: 'failed',
      response_status: 503,
    },
    old_record: null,
    member_user_id: agent,
  })
  // Its exchange took long: the time of the attempt is that of its begin.
  const late = await record({ attempt: 2, created_at: new Date(Date.now() - 25_000) })
  await listeners[0].count(2)
  await listeners[1].count(2)
  for (const heard of [listeners[0], listeners[1]])
    expect(heard.of('webhook_delivery_logs')).toEqual([`INSERT ${first}`, `INSERT ${late}`])
  expect([...listeners[2].changes, ...listeners[3].changes]).toEqual([])
})

test('a balance is told with each entry of its ledger, to nobody but its client and to no agent', async () => {
  const { db } = feeds.pipeline
  const [client, stranger] = [await givenBuyer(db, '10.00'), await givenBuyer(db)]
  const table = ['client_balances'] as const
  const heard = await feeds.follow(client, { tables: table })
  const others = [
    await feeds.follow(stranger, { tables: table }),
    await feeds.follow(client, { tables: table, member: randomUUID() }),
  ]
  await topUp(db, client, '5.25')
  await heard.count(1)
  expect(heard.changes).toMatchObject([
    {
      table: 'client_balances',
      type: 'UPDATE',
      record: { client_user_id: client, balance: 15.25 },
      old_record: { client_user_id: client },
      // The time of the entry.
      commit_timestamp: heard.changes[0]?.record?.['updated_at'],
      columns: [
        { name: 'client_user_id', type: 'uuid' },
        { name: 'balance', type: 'numeric' },
        { name: 'updated_at', type: 'timestamptz' },
      ],
    },
  ])
  expect(others.flatMap(({ changes }) => changes)).toEqual([])
})

test('a listener hears of the tables that it asked for, and of nothing after it left', async () => {
  const { context, db } = feeds.pipeline
  const client = await givenClient(db)
  const [leads, hooks] = [
    await feeds.follow(client, { tables: ['leads'] }),
    await feeds.follow(client, { tables: ['client_webhook_configs'] }),
  ]
  const lead = await givenLead(db, client)
  await leads.count(1)
  leads.close()
  await givenLead(db, client)
  const { id } = await givenConfig(context, client, { endpoint_url: URL })
  await hooks.count(1)
  expect(leads.of('leads')).toEqual([`INSERT ${lead}`])
  expect(hooks.changes.map(({ table }) => table)).toEqual(['client_webhook_configs'])
  expect(hooks.of('client_webhook_configs')).toEqual([`INSERT ${id}`])
})
