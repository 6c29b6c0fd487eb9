import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { freePort } from '#scripts/services/free-port.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenBuyer } from '#tests/support/given/market.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { openCommands, WHY } from './open-commands.ts'
import { readJson, runLeadwire } from './run-leadwire.ts'

const commands = openCommands({ WEBHOOK_RETRY_SCHEDULE: '0' })
const { audited, run } = commands

let pipeline: TestPipeline
let crm: Receiver
let admin: string
let by: string[]
let client: string
let webhook: string
beforeAll(async () => {
  ;({ pipeline, admin, by } = commands)
  crm = await startReceiver()
})
afterAll(() => crm.close())
beforeEach(async () => {
  crm.answerWith(200)
  client = await givenBuyer(pipeline.db)
  webhook = (
    await givenConfig(pipeline.context, client, {
      endpoint_url: `${crm.url}/hook`,
      trigger_on_lead_created: true,
    })
  ).id
})

/** Has a lead sent, and returns it once its delivery is in this state. */
async function sendLead(state: string, fields: { email?: string; phone?: string } = {}): Promise<string> {
  const lead = await givenLead(pipeline.db, client, fields)
  await publishEventsOfLead(pipeline.context, lead)
  await waitForState(lead, state)
  return lead
}

async function waitForState(lead: string, state: string): Promise<void> {
  const read = async () => {
    const rows = await pipeline.db
      .selectFrom('webhook_deliveries')
      .select('state')
      .where('lead_id', '=', lead)
      .orderBy('id', 'desc')
      .execute()
    return rows[0]?.state === state
  }
  await waitUntil(read, { what: `The delivery being ${state}` })
}

test('pause and resume a client: its deliveries wait, then go out, and the audit log names the administrator', async () => {
  expect(await run('pause', 'client', `${client}@example.com`, ...by)).toMatchObject({ code: 0 })
  const lead = await sendLead('held')
  expect(await audited('sending_paused')).toMatchObject({
    user_id: client,
    actor: 'admin',
    actor_id: admin,
    user_agent: 'leadwire pause',
    details: { after: { sending_pause: WHY } },
  })
  expect(await run('resume', 'client', client, ...by)).toMatchObject({
    code: 0,
    stdout: `Sending to client ${client} is on\n`,
  })
  await waitForState(lead, 'delivered')
})

test('pause and resume a webhook: what came meanwhile goes out, and a repeat changes nothing', async () => {
  expect(readJson(await run('pause', 'webhook', webhook, '--json', ...by))).toMatchObject({ is_news: true })
  expect(readJson(await run('pause', 'webhook', webhook, '--json', ...by))).toMatchObject({ is_news: false })
  const lead = await sendLead('held')
  expect(await audited('webhook_paused')).toMatchObject({
    user_id: client,
    details: { webhook_config_id: webhook, note: WHY },
  })
  const resumed = readJson(await run('resume', 'webhook', webhook, '--json', ...by))
  expect(resumed).toMatchObject({ is_active: true, sent: 1 })
  await waitForState(lead, 'delivered')
  expect(await run('pause', 'webhook', randomUUID(), ...by)).toMatchObject({
    code: 1,
    stderr: 'Webhook not found\n',
  })
})

test('pause and resume a queue: nothing is sent meanwhile; unknown queues are named, and Redis if it is away', async () => {
  expect(await run('pause', 'queue', 'webhook-deliveries', ...by)).toMatchObject({ code: 0 })
  await waitUntil(async () => (await pipeline.context.redis.hexists(await metaKey(), 'paused')) === 1, {
    what: 'The queue being paused',
  })
  expect(await run('resume', 'queue', 'webhook-deliveries', ...by)).toMatchObject({
    code: 0,
    stdout: 'Queue webhook-deliveries is running\n',
  })
  await sendLead('delivered')
  expect(await audited('queue_resumed')).toMatchObject({ actor_id: admin, details: { note: WHY } })
  expect((await run('pause', 'queue', 'mails', ...by)).stderr).toContain('the queues are lead-market')
  const away = { ...pipeline.environment.env, REDIS_URL: `redis://127.0.0.1:${await freePort()}` }
  const end = await runLeadwire(away, 'pause', 'queue', 'lead-events', ...by)
  expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining('REDIS_URL') as string })
})

const metaKey = async () => `${pipeline.environment.env['QUEUE_PREFIX'] ?? ''}:webhook-deliveries:meta`

test('resend counts first, then sends what failed with this error and time again, without Redis', async () => {
  crm.answerWith(400)
  const lead = await sendLead('failed')
  const filter = ['--client', client, '--webhook', webhook, '--error', 'http_4xx', '--since', '2020-01-01']
  expect(readJson(await run('resend', '--dry-run', '--json', ...filter))).toEqual({
    dry_run: true,
    count: 1,
    switched_off: 0,
  })
  const later = await run('resend', '--dry-run', '--client', client, '--since', '2999-01-01')
  expect(later.stdout).toBe('0 would be sent again\n')
  crm.answerWith(200)
  const away = { ...pipeline.environment.env, REDIS_URL: `redis://127.0.0.1:${await freePort()}` }
  expect(await runLeadwire(away, 'resend', ...filter, ...by)).toMatchObject({
    code: 0,
    stdout: '1 are sent again\n',
  })
  await waitForState(lead, 'delivered')
  expect(await audited('dead_letters_redriven')).toMatchObject({ user_id: client, details: { count: 1 } })
  expect(await run('resend')).toMatchObject({ code: 2 })
  expect(await run('resend', '--error', 'sadness')).toMatchObject({ code: 2 })
  expect(await run('resend', '--since', 'yesterday', ...by)).toMatchObject({ code: 2 })
})

test('retry-failed has failed events planned again, and failed notices sent again', async () => {
  const lead = await givenLead(pipeline.db, client)
  await pipeline.db
    .updateTable('events')
    .set({ failures: 5, failed_at: new Date(), enqueued_at: new Date(Date.now() - 3_600_000) })
    .where('lead_id', '=', lead)
    .execute()
  expect((await run('retry-failed', 'events', '--dry-run')).stdout).toBe('1 events would be tried again\n')
  expect(await run('retry-failed', 'events', ...by)).toMatchObject({ code: 0 })
  await waitForState(lead, 'delivered')
  const given = { recipient_user_id: client, notice_key: randomUUID(), last_failure: 'EENVELOPE 550' }
  const notice = { ...given, template: 'account_approved', data: '{}', next_try_at: null, tries: 9 }
  await pipeline.db
    .insertInto('mails')
    .values([
      notice,
      { ...notice, notice_key: randomUUID(), template: 'magic_link', recipient_address: 'rosa@example.com' },
      { ...notice, notice_key: randomUUID(), last_failure: 'expired' },
    ])
    .execute()
  expect(readJson(await run('retry-failed', 'mails', '--json', ...by))).toMatchObject({ count: 1 })
  const isSent = async () => {
    const row = pipeline.db.selectFrom('mails').select('sent_at').where('notice_key', '=', given.notice_key)
    return (await row.executeTakeFirstOrThrow()).sent_at !== null
  }
  await waitUntil(isSent, { what: 'The mail being sent' })
  expect(await audited('mails_retried')).toMatchObject({ actor_id: admin, details: { count: 1, note: WHY } })
})

test('erase shows what is stored, and erases it everywhere once it is confirmed', async () => {
  const email = `rosa.${randomUUID()}@example.com`
  const lead = await sendLead('delivered', { email })
  const shown = await run('erase', email)
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('Would erase 1 lead(s)') as string })
  expect(shown.stdout).not.toContain(email)
  const named = await run('erase', email, '--confirm', ...by.slice(0, 2), '--reason', `Mail of ${email}`)
  expect(named).toMatchObject({ code: 1, stderr: expect.stringContaining('Leave out') as string })
  expect(await run('erase', email, '--confirm', ...by)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Erased 1 lead(s), 1 attempt(s)') as string,
  })
  expect((await run('trace', lead)).stdout).toMatch(/ erased /)
  expect((await run('erase', email)).stdout).toContain('Would erase 0 lead(s)')
  const row = await audited('person_erased')
  expect(row).toMatchObject({ actor_id: admin, details: { leads: 1 } })
  expect(JSON.stringify(row)).not.toContain(email)
})

test('changes need an administrator whose role allows them, and a reason', async () => {
  const reader = await givenClient(pipeline.db, 'admin')
  await pipeline.db
    .updateTable('profiles')
    .set({ admin_role: 'read_only' })
    .where('user_id', '=', reader)
    .execute()
  const why = ['--reason', WHY]
  const missing = await run('pause', 'client', client, ...why)
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('--as') as string })
  const unreasoned = await run('pause', 'client', client, '--as', `${admin}@example.com`)
  expect(unreasoned).toMatchObject({ code: 2, stderr: expect.stringContaining('--reason') as string })
  for (const [as, refusal] of [
    [`${reader}@example.com`, 'does not include: operations'],
    [`${client}@example.com`, 'No administrator has the address'],
  ] as const) {
    const end = await run('pause', 'client', client, '--as', as, ...why)
    expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining(refusal) as string })
    expect(end.stderr).not.toContain(as)
  }
})

test('verify finds nothing after all of this', async () => {
  expect(await run('verify')).toMatchObject({ code: 0 })
})
