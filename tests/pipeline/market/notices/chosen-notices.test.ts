import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { tellClient } from '#core/use-cases/market/tell-client.ts'
import { readUnsubscription } from '#core/secrets/unsubscribe-token.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { sendDueMails } from '#tests/support/given/due-mails.ts'
import { givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { startMailServer, type MailServer } from '#tests/support/peers/mail-server.ts'
import { tellCaps } from '#worker/housekeeping/notices/tell-caps.ts'
import { tellNewLeads } from '#worker/housekeeping/notices/tell-new-leads.ts'
import { tellWeeks } from '#worker/housekeeping/notices/tell-weeks.ts'

const STATES = ['WY', 'VT', 'ND', 'SD', 'MT', 'ID', 'NM', 'UT', 'NE']
let server: MailServer
let pipeline: TestPipeline
let db: TestPipeline['db']
let client: string
let state: string
beforeAll(async () => {
  server = await startMailServer()
  pipeline = await startPipeline({ SMTP_URL: server.url, LOG_LEVEL: 'fatal' }, { worker: false })
  ;({ db } = pipeline)
})
afterAll(async () => {
  await pipeline.close()
  await server.close()
})
beforeEach(async () => {
  client = await givenBuyer(db, '900.00')
  state = STATES.pop() ?? ''
})

async function choose(notices: Record<string, boolean>, quietHours: object | null = null): Promise<void> {
  await sql`
    update client_accounts set notices = ${JSON.stringify(notices)}::jsonb, timezone = 'UTC',
      quiet_hours = ${quietHours === null ? null : JSON.stringify(quietHours)}::jsonb
    where user_id = ${client}`.execute(db)
}

/** Sells this many leads to the client. */
async function sell(count: number): Promise<string[]> {
  const leads = await givenOffers(
    db,
    Array.from({ length: count }, () => ({ state })),
  )
  await assignLeads(pipeline.context.market, leads)
  return leads
}

const mailsOf = async (template: string) =>
  await db
    .selectFrom('mails')
    .select(['id', 'data', 'next_try_at'])
    .where('recipient_user_id', '=', client)
    .where('template', '=', template)
    .orderBy('created_at')
    .execute()

/** Runs the chore as three workers at once. */
const tellLeads = async () => {
  await Promise.all([1, 2, 3].map(() => tellNewLeads(pipeline.context)))
}
const received = () => server.mails.filter(({ to }) => to.includes(`${client}@example.com`))

test('each new lead is mailed once, and the outbox keeps no personal data', async () => {
  await choose({ new_leads: true, lead_contacts: true })
  await givenOrder(db, client, { states: [state] })
  const leads = await sell(3)
  await sql`update leads set name = 'Rosa Example', email = 'rosa@example.com' where id = ${leads[0] ?? ''}`.execute(
    db,
  )
  await tellLeads()
  await tellLeads()
  const [mail, ...others] = await mailsOf('new_leads')
  expect(others).toEqual([])
  expect(mail?.data).toEqual({ lead_ids: leads.toSorted().toReversed(), more: 0, with_contacts: true })
  await sendDueMails(pipeline.context)
  const [sent] = received()
  expect(sent?.content).toContain('Subject: 3 new leads')
  expect(sent?.content).toContain('Rosa Example')
  expect(sent?.content).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  const { rows } = await sql`select from mails where data::text ~ 'Rosa|rosa'`.execute(db)
  expect(rows).toEqual([])
})

test('without contact data a mail names type and state only, and later leads share the next mail', async () => {
  await choose({ new_leads: true })
  await givenOrder(db, client, { states: [state] })
  await sell(1)
  await tellLeads()
  await sell(2)
  await tellLeads()
  expect(await mailsOf('new_leads')).toHaveLength(1)
  await sql`update mails set created_at = now() - interval '3 minutes' where recipient_user_id = ${client}`.execute(
    db,
  )
  await tellLeads()
  expect((await mailsOf('new_leads')).map(({ data }) => data)).toMatchObject([
    { more: 0, with_contacts: false },
    { lead_ids: [expect.any(String), expect.any(String)] },
  ])
  await sendDueMails(pipeline.context)
  const [first] = received()
  expect(first?.content).toContain(`, ${state}`)
  expect(first?.content).not.toMatch(/\+1\d{10}/)
})

test('a lead that was returned or whose consent was revoked before the mail left is not named, and a mail without leads is not sent', async () => {
  await choose({ new_leads: true })
  await givenOrder(db, client, { states: [state] })
  const [lead, revoked] = await sell(2)
  await tellLeads()
  await sql`update lead_assignments set state = 'returned' where lead_id = ${lead ?? ''}`.execute(db)
  await sql`
    with taken_back as (
      insert into revocations (reported_by, reach, status, revoked_at) values ('consumer', 'everybody', 'in_force', now()) returning id)
    insert into revocation_holders (revocation_id, lead_id, client_user_id, due_at)
    select id, ${revoked ?? ''}, ${client}, now() from taken_back`.execute(db)
  await sendDueMails(pipeline.context)
  expect(received()).toEqual([])
  expect(await mailsOf('new_leads')).toEqual([])
})

test('contact data that the client turned off while a mail waited is not sent, and a suspended client gets no mail', async () => {
  await choose({ new_leads: true, lead_contacts: true })
  await givenOrder(db, client, { states: [state] })
  const [lead] = await sell(1)
  await sql`update leads set name = 'Rosa Example' where id = ${lead ?? ''}`.execute(db)
  await tellLeads()
  await choose({ new_leads: true })
  await sendDueMails(pipeline.context)
  expect(received()[0]?.content).not.toContain('Rosa')
  await sell(1)
  await sql`update mails set created_at = now() - interval '3 minutes' where recipient_user_id = ${client}`.execute(
    db,
  )
  await sql`update profiles set status = 'suspended' where user_id = ${client}`.execute(db)
  await tellLeads()
  expect(await mailsOf('new_leads')).toHaveLength(1)
})

test('clients who did not choose mails about leads get none, and nothing is written for them', async () => {
  await choose({})
  await givenOrder(db, client, { states: [state] })
  await sell(2)
  await tellLeads()
  expect(await mailsOf('new_leads')).toEqual([])
  expect(
    await db.selectFrom('told_leads').where('client_user_id', '=', client).selectAll().execute(),
  ).toEqual([])
})

test('during quiet hours chosen mails wait for their end, and mails that are always sent do not', async () => {
  const now = new Date()
  const at = (minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString().slice(11, 16)
  await choose({ new_leads: true }, { from: at(-60), to: at(60) })
  await givenOrder(db, client, { states: [state] })
  await sell(1)
  await tellLeads()
  expect(await mailsOf('new_leads'), 'leads gather until the end').toEqual([])
  const low = { template: 'low_balance', data: { balance: '5.00', threshold: '9.00' } } as const
  await tellClient(db, client, low, 'low')
  await tellClient(db, client, { template: 'account_approved', data: {} }, 'approved')
  const [waiting] = await mailsOf('low_balance')
  const [urgent] = await mailsOf('account_approved')
  expect(waiting?.next_try_at?.toISOString().slice(11, 16)).toBe(at(60))
  expect(urgent?.next_try_at?.getTime()).toBeLessThanOrEqual(Date.now())
  await choose({ new_leads: true }, { from: at(60), to: at(120) })
  await tellLeads()
  expect(await mailsOf('new_leads')).toHaveLength(1)
})

test('an order that reaches its daily cap is reported once a day', async () => {
  await choose({ caps: true })
  await givenOrder(db, client, { states: [state], daily_cap: 2, name: 'West' })
  await sell(1)
  await tellCaps(pipeline.context)
  expect(await mailsOf('cap_reached')).toEqual([])
  await sell(1)
  await Promise.all([tellCaps(pipeline.context), tellCaps(pipeline.context)])
  await tellCaps(pipeline.context)
  expect((await mailsOf('cap_reached')).map(({ data }) => data)).toEqual([
    { order_name: 'West', cap: 'daily', limit: '2' },
  ])
})

test('the weekly digest has the figures of the week before, and comes once on Mondays after eight', async () => {
  await choose({ weekly_digest: true })
  await givenOrder(db, client, { states: [state] })
  await sell(2)
  const { rows } = await sql<{
    monday: Date
  }>`select date_trunc('week', now() at time zone 'UTC') at time zone 'UTC' as monday`.execute(db)
  const monday = rows[0]?.monday.getTime() ?? 0
  const at = (hours: number) => new Date(monday + hours * 3_600_000)
  await sql`update leads set created_at = ${at(-1)} where assigned_to = ${client}`.execute(db)
  const { signal } = new AbortController()
  const tell = async (when: Date) => {
    await Promise.all([1, 2].map(() => tellWeeks(pipeline.context, signal, when)))
    return (await mailsOf('weekly_digest')).map(({ data }) => data)
  }
  expect(await tell(at(7.9))).toEqual([])
  const told = [{ leads: 2, spend: '50.00', returned: 0, balance: '850.00' }]
  expect(await tell(at(8))).toMatchObject(told)
  expect(await tell(at(23.9))).toHaveLength(1)
  expect(await tell(at(7 * 24 + 8)), 'the week after').toMatchObject([...told, { leads: 0 }])
})

test('a mail of a kind that was ended after it was queued is not sent, and each link names client and kind', async () => {
  await choose({ new_leads: true })
  await givenOrder(db, client, { states: [state] })
  await sell(1)
  await tellLeads()
  await choose({ new_leads: false })
  await sendDueMails(pipeline.context)
  expect(received()).toEqual([])
  await tellClient(
    db,
    client,
    { template: 'low_balance', data: { balance: '5.00', threshold: '9.00' } },
    'low',
  )
  await sendDueMails(pipeline.context)
  const content = received()[0]?.content.replaceAll(/\r\n[ \t]/g, ' ') ?? ''
  const token = /List-Unsubscribe: +<[^>]*\/api\/v1\/unsubscribe\?token=([^>]+)>/.exec(content)?.[1] ?? ''
  expect(readUnsubscription(pipeline.context.unsubscribeKeys, token)).toEqual({
    user_id: client,
    notice: 'low_balance',
  })
})
