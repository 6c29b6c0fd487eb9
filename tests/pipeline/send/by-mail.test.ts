// A delivery to a mail address goes through the same claim, log and schedule as one to an endpoint.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findLeadsOfPerson } from '#core/data/leads/revocations/find-revocable.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { applyRevocation } from '#core/use-cases/revocations/apply-revocation.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { freshState, givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import {
  assignLead,
  givenClient,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { startMailServer, type MailServer, type ReceivedMail } from '#tests/support/peers/mail-server.ts'

/** More than five connections send within the time of an attempt. */
const BURST = 40
let server: MailServer
let pipeline: TestPipeline
let client: string
let address: string

beforeAll(async () => {
  server = await startMailServer()
  const url = server.url.replace('//', '//leadwire:example-password@')
  pipeline = await startPipeline({
    SMTP_URL: url,
    WEBHOOK_TIMEOUT_MS: '1500',
    WEBHOOK_RETRY_SCHEDULE: '1,3600',
    WEBHOOK_RETRY_JITTER: '0',
    MAIL_LEADS_PER_HOUR: '60000',
  })
})
afterAll(async () => {
  await pipeline.close()
  await server.close()
})
beforeEach(async () => {
  server.answer()
  server.mails.length = 0
  client = await givenClient(pipeline.db)
  address = `${client}@example.com`
  await confirm(client)
})

const confirm = (id: string) =>
  pipeline.db.updateTable('auth.users').set({ email_confirmed_at: new Date() }).where('id', '=', id).execute()

/** An agent of the account. */
async function givenMember(): Promise<string> {
  const member = await givenClient(pipeline.db)
  await confirm(member)
  await pipeline.db
    .insertInto('account_members')
    .values({ user_id: member, account_id: client, role: 'agent', added_by: client })
    .execute()
  return member
}

/** Assigns a lead, which goes to all webhooks of its owner. */
async function giveLead(owner: string, fields: Parameters<typeof givenLead>[2] = {}): Promise<string> {
  const lead = await givenLead(pipeline.db, owner, { name: 'Rosa Example', ...fields })
  await assignLead(pipeline.db, lead)
  await publishEventsOfLead(pipeline.context, lead)
  return lead
}

async function sendLead(to: string, template?: string) {
  const config = await givenConfig(pipeline.context, client, {
    endpoint_url: `mailto:${to}`,
    custom_headers: { 'X-Api-Key': 'never-in-a-mail' },
    success_rule: { rejected: { contains: 'kept' } },
    ...(template !== undefined && { payload_template: template }),
  })
  await giveLead(client)
  return config.id
}
/** The server also gets notices about webhooks. */
const leadMails = () => server.mails.filter(({ content }) => /^leadwire-delivery:/im.test(content))
const idsOf = (mails: readonly ReceivedMail[]) =>
  mails.map(({ content }) => /^Message-ID: (.*)$/im.exec(content)?.[1])
const readDelivery = (config: string) =>
  pipeline.db
    .selectFrom('webhook_deliveries')
    .select(['id', 'event_id', 'state', 'attempt'])
    .where('webhook_config_id', '=', config)
    .executeTakeFirstOrThrow()
async function readLog(config: string, rows: number) {
  const read = () =>
    pipeline.db
      .selectFrom('webhook_delivery_logs as log')
      .innerJoin('webhook_delivery_log_bodies as bodies', (join) =>
        join.onRef('bodies.id', '=', 'log.id').onRef('bodies.created_at', '=', 'log.created_at'),
      )
      .selectAll()
      .where('webhook_config_id', '=', config)
      .where('delivery_status', '<>', 'pending')
      .orderBy('attempt_number')
      .execute()
  await waitUntil(async () => (await read()).length >= rows, { what: `${rows} attempts` })
  return await read()
}

type LogRow = Awaited<ReturnType<typeof readLog>>[number]
const secondsUntilNext = (row: LogRow | undefined) =>
  ((row?.next_attempt_at?.getTime() ?? 0) -
    (row?.created_at.getTime() ?? 0) -
    (row?.processing_time_ms ?? 0)) /
  1000

test('sends the payload’s fields to a confirmed address, and logs the mail server’s reply', async () => {
  const config = await sendLead(address, '{"Full name": "{{name}}", "state": "{{state}}", "price": 1.50}')
  const [row] = await readLog(config, 1)
  const { id, event_id, state } = await readDelivery(config)

  expect(state).toBe('delivered')
  const [mail, ...others] = leadMails()
  expect(others).toEqual([])
  expect(mail?.to).toEqual([address])
  const [head = '', text = ''] = mail?.content.split(/\r\n\r\n(.*)/s) ?? []
  const unfolded = head.replaceAll(/\r\n[ \t]/g, ' ')
  expect(unfolded).toMatch(new RegExp(`^Message-ID: <${id}@[^>]+>$`, 'm'))
  expect(unfolded).toMatch(/^Subject: New lead: Final expense, CA \[[0-9a-f]{8}\]\r?$/m)
  expect(unfolded).toMatch(new RegExp(`^webhook-id: ${event_id}\r?$`, 'im'))
  expect(unfolded).toMatch(/^leadwire-attempt: 1\r?$/im)
  expect(unfolded).not.toMatch(/signature|never-in-a-mail|Rosa/i)
  expect(text).toContain('Full name: Rosa Example\r\nstate: CA\r\nprice: 1.50\r\n')
  expect(row).toMatchObject({
    delivery_status: 'delivered',
    response_status: 250,
    error_class: null,
    response_body: '250 kept',
    request_url: `mailto:${address}`,
  })
  expect(row?.request_headers).toContain(`"message-id":"<${id}@`)
  expect(row?.request_body).toContain('Full name: Rosa Example')
})

test('tries again after a temporary refusal', async () => {
  server.answer({ at: 'RCPT', says: '450 4.2.1 la\0ter', to: address })
  const config = await sendLead(address)
  const [refused] = await readLog(config, 1)
  server.answer()
  await readLog(config, 2)

  expect(refused).toMatchObject({
    response_status: 450,
    error_class: 'http_other',
    // PostgreSQL keeps no NUL.
    response_body: '450 4.2.1 later',
  })
  expect(refused?.error_message).toMatch(/^450 4\.2\.1: /)
  expect(await readDelivery(config)).toMatchObject({ state: 'delivered', attempt: 2 })
})

test('ends at once when the mail server refuses the address for good', async () => {
  server.answer({ at: 'RCPT', says: `550 5.1.1 <${address}> is nobody`, to: address })
  const config = await sendLead(address)
  const [row] = await readLog(config, 1)

  expect(row).toMatchObject({
    response_status: 550,
    response_body: `550 5.1.1 <${address}> is nobody`,
    next_attempt_at: null,
  })
  expect(row?.error_message).toMatch(/^550 5\.1\.1: .* not sent again by itself/)
  expect(await readDelivery(config)).toMatchObject({ state: 'failed', attempt: 1 })
})

test('keeps what the mail server says about the installation out of the log, and tries again', async () => {
  server.hangUp()
  server.answer({ at: 'AUTH', says: '535 5.7.8 leadwire is not welcome' })
  const config = await sendLead(address)
  const [row] = await readLog(config, 1)
  server.answer()
  await readLog(config, 2)

  expect(row).toMatchObject({ response_status: 535, error_class: 'mail_server', response_body: null })
  expect(row?.error_message).toBe(
    'Our mail server took no mail just then (535). This is our failure, not yours. It counts neither as an attempt nor against this webhook, and the mail is tried again.',
  )
  expect(await readDelivery(config)).toMatchObject({ state: 'delivered', attempt: 2 })
})

test('a mail whose reply was lost is sent again under the same Message-ID', async () => {
  server.answer({ at: 'content', says: 'nothing', to: address })
  const config = await sendLead(address)
  const [lost] = await readLog(config, 1)
  server.release()
  server.answer()
  await readLog(config, 2)

  expect(lost).toMatchObject({ response_status: null, error_class: 'mail_server' })
  expect(lost?.error_message).toBe(
    'Our mail server did not answer in time. This is our failure, not yours. It does not count against this webhook, and the mail is tried again.',
  )
  // It may have arrived, so it is an attempt of the schedule, whose first pause is a second.
  expect(secondsUntilNext(lost)).toBeCloseTo(1, 0)
  const ids = idsOf(leadMails())
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
})

describe('a mail server that takes no mail from us', () => {
  // The schedule has three attempts, and the breaker opens after ten without an answer.
  test.each([
    ['refuses our password', 11, { at: 'AUTH', says: '535 5.7.8 not welcome' }],
    ['is full', 4, { at: 'RCPT', says: '452 4.3.1 no storage' }],
    ['is out of its quota', 4, { at: 'content', says: '451 4.7.1 quota' }],
    ['hangs up', 4, { at: 'MAIL', says: '421 4.3.2 closing' }],
  ] as const)(
    '%s: ends no delivery, %i times, and is not held against the webhook',
    async (_what, times, no) => {
      server.hangUp()
      server.answer(no)
      const config = await sendLead(address)
      for (let rows = 1; rows <= times; rows += 1) {
        await readLog(config, rows)
        await pipeline.db
          .updateTable('webhook_deliveries')
          .set({ next_attempt_at: new Date(Date.now() - 1000) })
          .where('webhook_config_id', '=', config)
          .execute()
      }
      server.answer({ at: 'RCPT', says: '450 4.2.1 busy', to: address })
      const busy = (await readLog(config, times + 1)).find(({ error_class: name }) => name === 'http_other')
      // The first attempt of the schedule: its pause is a second, and another one would follow.
      expect(busy?.next_attempt_at?.getTime()).toBeLessThan((busy?.created_at.getTime() ?? 0) + 60_000)
      server.answer()
      await waitUntil(async () => (await readDelivery(config)).state === 'delivered', { what: 'the mail' })

      await pipeline.context.outcomes.tell(pipeline.db)
      const health = await pipeline.db
        .selectFrom('webhook_endpoint_health')
        .select(['breaker', 'failures_in_row', 'unanswered_in_row'])
        .where('webhook_config_id', '=', config)
        .executeTakeFirst()
      expect(health ?? { breaker: 'closed', failures_in_row: 0, unanswered_in_row: 0 }).toEqual({
        breaker: 'closed',
        failures_in_row: 0,
        unanswered_in_row: 0,
      })
      const { rows: late } =
        await sql`select from late_starts s join webhook_deliveries d on d.id = s.delivery_id
      where d.webhook_config_id = ${config}`.execute(pipeline.db)
      expect(late).toEqual([])
    },
  )
})

test('a burst at a slow mail server is sent once each, and its wait uses up no attempt', async () => {
  server.answer({ at: 'content', says: 'nothing', to: address })
  const releasing = setInterval(() => server.release(), 300)
  const { id } = await givenConfig(pipeline.context, client, { endpoint_url: `mailto:${address}` })
  const leads = await Promise.all(Array.from({ length: BURST }, () => givenLead(pipeline.db, client)))
  for (const lead of leads) await assignLead(pipeline.db, lead)
  for (const lead of leads) await publishEventsOfLead(pipeline.context, lead)
  const log = await readLog(id, BURST)
  clearInterval(releasing)
  server.release()

  expect(
    new Set(log.map(({ delivery_status, attempt_number }) => [delivery_status, attempt_number].join(' '))),
  ).toEqual(new Set(['delivered 1']))
  expect(new Set(idsOf(leadMails())).size).toBe(BURST)
  expect(leadMails()).toHaveLength(BURST)
})

test('leads above the mails of an hour wait, each client’s in a line of its own, and count as put off', async () => {
  const { db } = pipeline
  const other = await givenClient(db)
  await confirm(other)
  const HOUR_MS = 3_600_000
  const lead = async (owner: string, config: string) => {
    const id = await giveLead(owner)
    const read = () =>
      db
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('webhook_config_id', '=', config)
        .where('lead_id', '=', id)
        .executeTakeFirst()
    const waits = async () => ((await read())?.next_attempt_at?.getTime() ?? 0) > Date.now() + HOUR_MS / 2
    await waitUntil(waits, { what: 'the lead to wait' })
    return await read()
  }
  const givenWebhook = async (owner: string) =>
    (await givenConfig(pipeline.context, owner, { endpoint_url: `mailto:${owner}@example.com` })).id
  const [own, others] = [await givenWebhook(client), await givenWebhook(other)]
  await sql`update lead_mail_lines set free_at = now() + interval '1 hour' where id = '00000000-0000-0000-0000-000000000000'`.execute(
    db,
  )

  const [first, second] = [await lead(client, own), await lead(client, own)]
  const neighbour = await lead(other, others)
  const at = (row: typeof first) => row?.next_attempt_at?.getTime() ?? 0
  expect(at(second) - at(first)).toBeGreaterThan(50)
  // Nobody waits behind another client's line.
  expect(Math.abs(at(neighbour) - at(first))).toBeLessThan(5)
  expect(first).toMatchObject({ state: 'pending', attempt: 0, lease_token: null })
  expect(leadMails()).toEqual([])

  await sql`update lead_mail_lines set free_at = now()`.execute(db)
  await db
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: new Date() })
    .where('webhook_config_id', 'in', [own, others])
    .execute()
  const log = [...(await readLog(own, 2)), ...(await readLog(others, 1))]
  expect(log.map(({ delivery_status, attempt_number }) => `${delivery_status} ${attempt_number}`)).toEqual(
    Array.from({ length: 3 }, () => 'delivered 1'),
  )
})

test('refuses test mails above their number for good, and no leads', async () => {
  const { id } = await givenConfig(pipeline.context, client, { endpoint_url: `mailto:${address}` })
  await giveLead(client, { is_test: true })
  await readLog(id, 1)
  expect(leadMails()).toHaveLength(1)
  await sql`update test_mail_counts set in_hour = 20 where counted like 'address:%' and in_hour = 1`.execute(
    pipeline.db,
  )

  await giveLead(client, { is_test: true })
  const refused = (await readLog(id, 2)).find(({ error_class: name }) => name !== null)
  expect(refused).toMatchObject({
    error_class: 'invalid_request',
    response_status: null,
    next_attempt_at: null,
  })
  expect(refused?.error_message).toMatch(
    /^Nothing was sent: there can be 30 test mails an hour .* Try again in \d+ minutes?\.$/,
  )
  await giveLead(client)
  await readLog(id, 3)
  expect(leadMails()).toHaveLength(2)
})

test('a revocation that waits for a webhook is not mailed once the webhook sends mail', async () => {
  const { db, context } = pipeline
  const state = freshState()
  const buyer = await givenBuyer(db)
  await confirm(buyer)
  await givenOrder(db, buyer, { states: [state] })
  const phone = '+12025550179'
  const [lead = ''] = await givenOffers(db, [{ state, phone }])
  await assignLeads(context.market, [lead])
  const { id } = await givenConfig(context, buyer, {
    endpoint_url: `mailto:${buyer}@example.com`,
    trigger_on_lead_assigned: false,
    events: ['lead.consent_revoked'],
  })
  const contacts = { phones: [phone], emails: [] }
  const leads = await findLeadsOfPerson(db, contacts, { everybody: true })
  const origin = { reported_by: 'consumer', reach: 'everybody', proof: 'sms' } as const
  const revoked = await db
    .transaction()
    .execute((trx) => applyRevocation(context.market, trx, origin, { contacts, leads, foundAt: new Date() }))
  await context.events.publish(revoked?.events ?? [])

  const [row] = await readLog(id, 1)
  expect(row).toMatchObject({ response_status: null, error_class: 'invalid_request' })
  expect(row?.error_message).toMatch(/^Nothing was sent: a mail is no receipt/)
  expect(leadMails()).toEqual([])
})

describe('an address that is nobody’s of the account', () => {
  async function expectRefused(config: string): Promise<void> {
    const [row] = await readLog(config, 1)
    expect(row).toMatchObject({ response_status: null, error_class: 'gone', next_attempt_at: null })
    expect(row?.error_message).toMatch(/^Nothing was sent: the address .* is not, or no longer/)
    // The log shows no lead as if it had been sent there.
    const bodies = await pipeline.db
      .selectFrom('webhook_delivery_log_bodies')
      .select('request_body')
      .where('id', '=', row?.id ?? '')
      .execute()
    expect(bodies).toEqual([{ request_body: '' }])
    const { is_active, disabled_reason } = await pipeline.db
      .selectFrom('client_webhook_configs')
      .select(['is_active', 'disabled_reason'])
      .where('id', '=', config)
      .executeTakeFirstOrThrow()
    expect({ is_active, disabled_reason }).toEqual({ is_active: false, disabled_reason: row?.error_message })
    expect(leadMails()).toEqual([])
  }

  test('gets nothing, and the webhook is switched off', async () => {
    await expectRefused(await sendLead('stranger@example.com'))
  })

  test('gets nothing if it is not confirmed', async () => {
    await pipeline.db
      .updateTable('auth.users')
      .set({ email_confirmed_at: null })
      .where('id', '=', client)
      .execute()
    await expectRefused(await sendLead(address))
  })

  test('gets nothing if it is another client’s', async () => {
    const other = await givenClient(pipeline.db)
    await confirm(other)
    await expectRefused(await sendLead(`${other}@example.com`))
  })

  test('gets nothing while its person is suspended', async () => {
    const member = await givenMember()
    await pipeline.db
      .updateTable('profiles')
      .set({ status: 'suspended' })
      .where('user_id', '=', member)
      .execute()
    await expectRefused(await sendLead(`${member}@example.com`))
  })

  test('gets leads while its person belongs to the account, and none after that', async () => {
    const member = await givenMember()
    await readLog(await sendLead(`${member}@example.com`), 1)
    expect(leadMails().map(({ to }) => to)).toEqual([[`${member}@example.com`]])

    server.mails.length = 0
    await pipeline.db.deleteFrom('account_members').where('user_id', '=', member).execute()
    await expectRefused(await sendLead(`${member}@example.com`))
  })
})
