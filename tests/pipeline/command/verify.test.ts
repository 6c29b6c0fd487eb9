import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { freePort } from '#scripts/services/free-port.ts'
import { givenBuyer, givenOrder } from '#tests/support/given/market.ts'
import {
  assignLead,
  drain,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { readJson, runLeadwire } from './run-leadwire.ts'

let pipeline: TestPipeline
let crm: Receiver
let client: string
let sold: string
beforeAll(async () => {
  pipeline = await startPipeline()
  crm = await startReceiver()
  client = await givenBuyer(pipeline.db)
  await givenOrder(pipeline.db, client)
  await givenConfig(pipeline.context, client, {
    endpoint_url: crm.url,
    trigger_on_lead_created: true,
    trigger_on_lead_assigned: true,
  })
  const own = await givenLead(pipeline.db, client)
  await publishEventsOfLead(pipeline.context, own)
  sold = await givenLead(pipeline.db, null, { email: 'sold@example.com', phone: '+12025550111' })
  await assignLead(pipeline.db, sold)
  await publishEventsOfLead(pipeline.context, sold)
  await drain(pipeline.context)
  await pipeline.stopWorker()
})
afterAll(async () => {
  await crm.close()
  await pipeline.close()
})

const run = (...args: string[]) => runLeadwire(pipeline.environment.env, ...args)

/** Writes past the triggers that keep rows right, and undoes it after the test. */
async function spoil(statement: string, undo: string, work: () => Promise<void>): Promise<void> {
  const write = (text: string) =>
    pipeline.db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx)
      await sql.raw(text).execute(trx)
    })
  await write(statement)
  try {
    await work()
  } finally {
    await write(undo)
  }
}

interface Check {
  check: string
  looked: number
  wrong: number
  ids: string[]
}
const readChecks = async (...args: string[]) => {
  const end = await run('verify', '--json', ...args)
  const { checks } = readJson(end) as { checks: Check[] }
  return { code: end.code, checks, wrong: checks.filter((one) => one.wrong > 0) }
}

test('verify finds nothing in a sound database, without Redis, and says how many rows it looked at', async () => {
  const { code, checks, wrong } = await readChecks()
  expect({ code, wrong }).toEqual({ code: 0, wrong: [] })
  const looked = Object.fromEntries(checks.map((one) => [one.check, one.looked]))
  expect(looked).toEqual({
    balances: 2,
    sales: 1,
    'late credits': 0,
    leads: 2,
    deliveries: expect.any(Number) as number,
    due: 0,
    events: 0,
    partitions: 6,
  })
  expect(looked['deliveries']).toBeGreaterThanOrEqual(2)
  const away = { ...pipeline.environment.env, REDIS_URL: `redis://127.0.0.1:${await freePort()}` }
  // It does not go through a pooler, either.
  const direct = pipeline.environment.databaseUrl
  const past = { ...away, DATABASE_URL: 'postgres://me@127.0.0.1:1/pooler', DATABASE_DIRECT_URL: direct }
  const shown = await runLeadwire(past, 'verify')
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/Nothing is lost\n$/) as string })
})

test.each([
  {
    check: 'balances',
    spoils: () => `update profiles set balance = balance + 1 where user_id = '${client}'`,
    undoes: () => `update profiles set balance = balance - 1 where user_id = '${client}'`,
    id: () => client,
  },
  {
    check: 'leads',
    spoils: () => `update leads set assigned_to = null where id = '${sold}'`,
    undoes: () => `update leads set assigned_to = '${client}' where id = '${sold}'`,
    id: () => sold,
  },
  {
    check: 'sales',
    spoils: () =>
      `update balance_ledger set reference_id = 'x' || reference_id where entry_type = 'lead_purchase'`,
    undoes: () =>
      `update balance_ledger set reference_id = substr(reference_id, 2) where entry_type = 'lead_purchase'`,
    id: () => '',
  },
  {
    // The balance still is the sum of the ledger.
    check: 'sales',
    spoils: () => `
      update balance_ledger set amount = amount + 1 where entry_type = 'lead_purchase';
      update profiles set balance = balance + 1 where user_id = '${client}'`,
    undoes: () => `
      update balance_ledger set amount = amount - 1 where entry_type = 'lead_purchase';
      update profiles set balance = balance - 1 where user_id = '${client}'`,
    id: () => '',
  },
  {
    check: 'deliveries',
    spoils: () => `update webhook_deliveries set finished_at = null where lead_id = '${sold}'`,
    undoes: () => `update webhook_deliveries set finished_at = now() where lead_id = '${sold}'`,
    id: () => '',
  },
  {
    check: 'due',
    spoils: () =>
      `update webhook_deliveries set state = 'pending', next_attempt_at = now() - interval '1 hour' where lead_id = '${sold}'`,
    undoes: () =>
      `update webhook_deliveries set state = 'delivered', next_attempt_at = null where lead_id = '${sold}'`,
    id: () => '',
  },
  {
    check: 'events',
    spoils: () =>
      `update events set planned_at = null, created_at = now() - interval '1 hour' where lead_id = '${sold}'`,
    undoes: () => `update events set planned_at = now() where lead_id = '${sold}'`,
    id: () => '',
  },
])('verify ends with 1 and names the rows of $check', async ({ check, spoils, undoes, id }) => {
  await spoil(spoils(), undoes(), async () => {
    const { code, wrong } = await readChecks()
    expect({ code, checks: wrong.map((one) => one.check) }).toEqual({ code: 1, checks: [check] })
    if (id() !== '') expect(wrong[0]?.ids).toEqual([id()])
  })
})

test('stuck names what waits, what to do, and that no worker runs', async () => {
  const late = `now() - interval '1 hour'`
  const spoils = `update webhook_deliveries set state = 'pending', next_attempt_at = ${late} where lead_id = '${sold}';
    update events set failed_at = ${late}, planned_at = null where lead_id = '${sold}' and type = 'lead.created';
    insert into mails (recipient_user_id, template, data, notice_key, next_try_at) values ('${client}', 'account_approved', '{}', 'late', ${late})`
  const undoes = `update webhook_deliveries set state = 'delivered', next_attempt_at = null where lead_id = '${sold}';
    update events set failed_at = null, planned_at = now() where lead_id = '${sold}';
    delete from mails where notice_key = 'late'`
  await spoil(spoils, undoes, async () => {
    const end = await run('stuck', '--json')
    const { stuck } = readJson(end) as { stuck: { kind: string; ids: string[]; advice: string }[] }
    expect(end.code).toBe(1)
    expect(stuck.map(({ kind }) => kind)).toEqual([
      'deliveries_due',
      'events_failed',
      'mails_waiting',
      'no_worker',
    ])
    expect(stuck.every(({ advice }) => advice !== '')).toBe(true)
    expect((await run('stuck')).stdout).toContain('leadwire retry-failed events')
    const patient = await run('stuck', '--seconds', '7200', '--json')
    expect((readJson(patient) as { stuck: { kind: string }[] }).stuck.map(({ kind }) => kind)).toEqual([
      'events_failed',
      'no_worker',
    ])
  })
  expect(await run('stuck', '--seconds', 'long')).toMatchObject({ code: 2 })
})

test('stuck finds nothing while a worker runs, and names Redis if it is away', async () => {
  await pipeline.startWorker()
  expect(await run('stuck')).toMatchObject({ code: 0, stdout: 'Nothing has waited for more than 60 s\n' })
  const away = { ...pipeline.environment.env, REDIS_URL: `redis://127.0.0.1:${await freePort()}` }
  const end = await runLeadwire(away, 'stuck')
  expect(end).toMatchObject({ code: 1, stdout: expect.stringContaining('redis_away') as string })
})

test('verify joins sales with the ledger once, so twenty thousand take less than 4 s', async () => {
  await pipeline.db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx)
    await sql`
      insert into leads (assigned_to, status, lead_type, name)
      select ${client}, 'assigned', 'final_expense', 'Rosa Example' from generate_series(1, 20000)`.execute(
      trx,
    )
    await sql`
      insert into lead_assignments (lead_id, client_user_id, price)
      select id, ${client}, 0.01 from leads where name = 'Rosa Example'`.execute(trx)
    await sql`
      insert into balance_ledger (id, client_user_id, entry_type, amount, balance_after, reference_id)
      select 1000 + row_number() over (), ${client}, 'lead_purchase', -0.01, 0, id::text
      from lead_assignments where price = 0.01`.execute(trx)
    await sql`update profiles set balance = balance - 200 where user_id = ${client}`.execute(trx)
  })
  await sql`analyze lead_assignments, balance_ledger`.execute(pipeline.db)
  // Little memory, as if there were millions: PostgreSQL then keeps no list of a subquery.
  const url = new URL(pipeline.environment.databaseUrl)
  url.searchParams.set('options', '-c work_mem=64kB')
  const env = { ...pipeline.environment.env, DATABASE_URL: url.href }
  const end = await runLeadwire(env, 'verify', '--json', '--limit', '4')
  const { checks } = readJson(end) as { checks: Check[] }
  expect({ code: end.code, sales: checks.find((one) => one.check === 'sales') }).toMatchObject({
    code: 0,
    sales: { looked: 20_001, wrong: 0 },
  })
})
