import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { IS_DEAD } from '#core/data/operations/dead-letters.ts'
import { tallyCompleted, tallyDead, tallyUnfinished } from '#core/data/operations/queue-counts.ts'
import { givenClient, givenLead } from '#tests/support/given/pipeline.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

const DELIVERED = 20_000
const COUNTED = { due: 30, leased: 50, planned: 80, held: 12, dead: 3 }
/** Each counted row once, those that were sent again, and the webhook's row and health. */
const FEW = 400

let database: TestDatabase
let opened: ReturnType<typeof openDatabase>
let webhook: string
beforeAll(async () => {
  database = await createTestDatabase()
  opened = openDatabase({ url: database.url, poolSize: 1, name: 'test' }, () => undefined)
  const { db } = opened
  const client = await givenClient(db)
  const lead = await givenLead(db, client)
  const { rows } = await sql<{ id: string }>`
    insert into client_webhook_configs (client_user_id, webhook_name, endpoint_url, payload_template, signing_secret)
    values (${client}::uuid, 'Example CRM', 'https://crm.example.com/hook', '{}', 'sealed') returning id`.execute(
    db,
  )
  webhook = rows[0]?.id ?? ''
  const insert = (count: number, fields: string, values: string) =>
    sql`
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, ${sql.raw(fields)},
        resend_of)
      select e.id, 'lead.created', ${webhook}::uuid, ${client}::uuid, ${lead}::uuid, ${sql.raw(values)}, gen_random_uuid()
      from events e, generate_series(1, ${count}::int) i where e.lead_id = ${lead}`.execute(db)
  await insert(DELIVERED, 'state, next_attempt_at, finished_at', `'delivered', null, now()`)
  // Statistics of a time in which nothing waits.
  await sql`analyze`.execute(db)
  await insert(COUNTED.due, 'next_attempt_at', `now() - interval '1 minute'`)
  await insert(
    COUNTED.leased,
    'next_attempt_at, lease_until',
    `now() - interval '1 minute', now() + interval '1 hour'`,
  )
  await insert(COUNTED.planned, 'next_attempt_at, attempt', `now() + interval '1 hour', 1`)
  await insert(COUNTED.held, 'state, next_attempt_at', `'held', null`)
  await insert(COUNTED.dead, 'state, next_attempt_at, attempt, finished_at', `'failed', null, 8, now()`)
  // This one was sent again, so it is no dead letter any more.
  await insert(
    1,
    'state, next_attempt_at, attempt, finished_at',
    `'failed', null, 8, now() - interval '1 day'`,
  )
  await sql`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state,
      next_attempt_at, finished_at, resend_of)
    select event_id, event_type, webhook_config_id, client_user_id, lead_id, 'delivered', null, now(), id
    from webhook_deliveries where state = 'failed' and finished_at < now() - interval '1 hour'`.execute(db)
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})

async function readSoFar(): Promise<{ rows: number; scans: number }> {
  await sql`select pg_stat_force_next_flush()`.execute(opened.db)
  const { rows } = await sql<{ rows: number; scans: number }>`
    select (idx_tup_fetch + seq_tup_read)::int as rows, seq_scan::int as scans
    from pg_stat_user_tables where relname = 'webhook_deliveries'`.execute(opened.db)
  return rows[0] ?? { rows: 0, scans: 0 }
}

test('counting reads only the rows of each state, by an index, however many were delivered', async () => {
  const { db } = opened
  const before = await readSoFar()
  const [unfinished, dead, completed] = [
    await tallyUnfinished(db),
    await tallyDead(db),
    await tallyCompleted(db),
  ]
  const after = await readSoFar()

  expect(unfinished).toMatchObject([
    {
      webhook_config_id: webhook,
      waiting: COUNTED.due,
      active: COUNTED.leased,
      planned: COUNTED.planned,
      retrying: COUNTED.planned,
      held: COUNTED.held,
    },
  ])
  expect(dead).toMatchObject([
    { webhook_config_id: webhook, failed: COUNTED.dead, failed_lately: COUNTED.dead },
  ])
  expect(completed).toEqual([])
  expect(after.scans - before.scans).toBe(0)
  expect(after.rows - before.rows).toBeLessThan(FEW)
})

/** Each change that makes a failure no dead letter, or makes it one again. */
const ACTS = {
  'sent again': (id: string) => sql`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, resend_of)
    select event_id, event_type, webhook_config_id, client_user_id, lead_id, id from webhook_deliveries where id = ${id}`,
  'its resend is cancelled': (id: string) =>
    sql`update webhook_deliveries set state = 'cancelled' where resend_of = ${id}`,
  'its client lost the lead': (id: string) => sql`
    update lead_assignments a set state = 'returned' from webhook_deliveries d where d.id = ${id} and a.lead_id = d.lead_id`,
  'its lead was erased': (id: string) => sql`
    update leads l set redacted_at = now() from webhook_deliveries d where d.id = ${id} and l.id = d.lead_id`,
  'it fails': (id: string) =>
    sql`update webhook_deliveries set state = 'failed', finished_at = now() where id = ${id}`,
}
type Act = keyof typeof ACTS

test.each<[Act[], number]>([
  [['it fails'], 1],
  [['it fails', 'sent again'], 0],
  [['it fails', 'sent again', 'its resend is cancelled'], 1],
  [['it fails', 'sent again', 'its resend is cancelled', 'sent again'], 0],
  [['it fails', 'its client lost the lead'], 0],
  [['its client lost the lead', 'it fails'], 0],
  [['it fails', 'its lead was erased'], 0],
  [['its lead was erased', 'it fails'], 0],
  [['it fails', 'sent again', 'its client lost the lead', 'its resend is cancelled'], 0],
])('dead letters are counted as they are listed: %j', async (acts, more) => {
  const { db } = opened
  const count = async () => (await tallyDead(db)).reduce((sum, { failed }) => sum + failed, 0)
  const before = await count()
  const client = await givenClient(db)
  const lead = await givenLead(db, client)
  await sql`insert into lead_assignments (lead_id, client_user_id) values (${lead}, ${client}) on conflict do nothing`.execute(
    db,
  )
  const { rows } = await sql<{ id: string }>`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id)
    select e.id, 'lead.created', ${webhook}::uuid, ${client}::uuid, ${lead}::uuid from events e where e.lead_id = ${lead} limit 1
    returning id`.execute(db)
  const id = rows[0]?.id ?? ''
  for (const act of acts) await ACTS[act](id).execute(db)

  expect((await count()) - before).toBe(more)
  const { rows: listed } =
    await sql`select from webhook_deliveries d where d.id = ${id} and ${IS_DEAD}`.execute(db)
  expect(listed).toHaveLength(more)
})
