import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { redriveResultSchema, type RedriveResult } from '#core/contract/operations/dead-letter.ts'
import { eraseLead } from '#core/data/leads/erase-lead.ts'
import { pauseSending } from '#core/data/webhooks/pause-sending.ts'
import { givenConfig } from '#tests/support/given/pipeline.ts'
import { insertDue } from '#tests/support/given/neighbours.ts'
import { readAudit } from '../../market/read-audit.ts'
import { startApp, type TestApp } from '../../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Creates a client with this many dead letters. */
async function givenDeadLetters(count: number): Promise<string> {
  const { context } = app
  const { id } = await app.newClient()
  await givenConfig(context, id, { endpoint_url: 'https://crm.example.com/' })
  await insertDue(context.db, id, count)
  await sql`
    update webhook_deliveries set state = 'failed', attempt = 8, next_attempt_at = null, failure_class = 'timeout',
      finished_at = now() - floor(random() * 3) * interval '1 hour'
    where client_user_id = ${id}`.execute(context.db)
  return id
}

const post = (client: string, headers = {}) =>
  app.call('POST', '/api/v1/admin/dead-letters/redrive', {
    token: app.admin.token,
    body: { filter: { client } },
    headers,
  })

async function redrive(client: string): Promise<RedriveResult> {
  return redriveResultSchema.parse((await post(client)).json)
}

interface Made {
  turn: number
  /** time at which the resent delivery had failed */
  failed_at: Date
  resend_of: string
}

async function madeFor(client: string): Promise<Made[]> {
  const { rows } = await sql<Made>`
    select r.turn, d.finished_at as failed_at, r.resend_of from webhook_deliveries r join webhook_deliveries d on d.id = r.resend_of
    where r.client_user_id = ${client} order by d.finished_at desc, d.id desc`.execute(app.context.db)
  return rows
}

test('many dead letters are sent once each, even by two administrators, and all at low priority', async () => {
  const client = await givenDeadLetters(1120)

  const both = await Promise.all([redrive(client), redrive(client)])
  expect(both.reduce((sum, { count }) => sum + count, 0)).toBe(1120)

  const made = await madeFor(client)
  expect(new Set(made.map(({ resend_of: id }) => id)).size).toBe(1120)
  expect(made.every(({ turn }) => turn > 0)).toBe(true)
  expect(await redrive(client)).toEqual({ count: 0, switched_off: 0 })
})

test('the newest dead letters are sent first, in chunks of fifty, and those of a webhook that is off stay', async () => {
  const { db } = app.context
  const client = await givenDeadLetters(1120)
  await givenConfig(app.context, client, { endpoint_url: 'https://off.example.com/', is_active: false })
  await sql`
    update webhook_deliveries set webhook_config_id = (
      select id from client_webhook_configs where client_user_id = ${client} and not is_active)
    where id in (select id from webhook_deliveries where client_user_id = ${client} order by finished_at desc, id limit 20)
  `.execute(db)

  expect(await redrive(client)).toEqual({ count: 1100, switched_off: 20 })
  const made = await madeFor(client)
  expect(made.map(({ turn }) => turn)).toEqual(made.map((_one, index) => 1 + Math.floor(index / 50)))
})

test('a client whose sending is paused is refused alone, and skipped among others', async () => {
  const { db } = app.context
  const [paused, other] = [await givenDeadLetters(3), await givenDeadLetters(2)]
  await pauseSending(db, paused, 'Invoice open')
  const { rows } = await sql<{ id: string }>`
    select id from webhook_deliveries where client_user_id in (${paused}, ${other})`.execute(db)
  const ask = (body: object) =>
    app.call('POST', '/api/v1/admin/dead-letters/redrive', { token: app.admin.token, body })

  for (const body of [{ filter: { client: paused } }, { filter: { client: paused }, dry_run: true }]) {
    const { status, json } = await ask(body)
    expect([status, json.detail]).toEqual([409, 'Sending to this client is paused. Resume it first.'])
  }
  const ids = rows.map(({ id }) => id)
  expect((await ask({ ids, dry_run: true })).json).toEqual({ count: 2, switched_off: 0 })
  expect((await ask({ ids })).json).toEqual({ count: 2, switched_off: 0 })
  expect([await madeFor(paused), await madeFor(other)]).toMatchObject([[], [{}, {}]])
  expect(await readAudit(app, 'dead_letters_redriven', paused)).toEqual([])
})

test('an interrupted redrive continues when it is repeated, without deliveries that have failed again meanwhile', async () => {
  const { db } = app.context
  const client = await givenDeadLetters(1120)
  const key = { 'Idempotency-Key': `broken off ${client}` }
  await sql`
    create function refuse_redrive() returns trigger language plpgsql as
      $$ begin raise exception 'away' using errcode = '57P01'; end $$`.execute(db)
  await sql`
    create trigger refuse_redrive before insert on webhook_deliveries for each row
    when (new.turn > 10) execute function refuse_redrive()`.execute(db)
  const broken = await post(client, key)
  await sql`drop function refuse_redrive() cascade`.execute(db)
  const made = (await madeFor(client)).length
  await sql`
    update webhook_deliveries set state = 'failed', finished_at = now(), next_attempt_at = null
    where client_user_id = ${client} and resend_of is not null`.execute(db)

  expect([broken.status, made]).toEqual([503, 500])
  expect((await post(client, key)).json).toEqual({ count: 1120, switched_off: 0 })
  expect(new Set((await madeFor(client)).map(({ resend_of: id }) => id)).size).toBe(1120)
  expect((await post(client, key)).json).toEqual({ count: 1120, switched_off: 0 })
})

test('a lead that is erased during a redrive is not sent', async () => {
  const { db } = app.context
  const client = await givenDeadLetters(3)
  const { rows } = await sql<{ lead_id: string }>`
    select lead_id from webhook_deliveries where client_user_id = ${client} limit 1`.execute(db)
  const lead = rows[0]?.lead_id ?? ''
  let redriving: Promise<RedriveResult> | undefined
  await db.transaction().execute(async (trx) => {
    await eraseLead(trx, lead)
    redriving = redrive(client)
    await waitUntilSomebodyWaits()
  })

  expect(await redriving).toEqual({ count: 2, switched_off: 0 })
})

async function waitUntilSomebodyWaits(): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(app.context.db)
      return rows[0]?.waiting
    })
    .toBeGreaterThan(0)
}
