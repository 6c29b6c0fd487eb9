import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimDeliveries } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { forgetPlans } from '#core/data/forget-plans.ts'
import { findDueEndpoints } from '#core/data/webhooks/deliveries/find-due-endpoints.ts'
import type { Database } from '#core/data/schema/tables.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'

const WAITING = 20_000

let pipeline: TestPipeline
let line: Kysely<Database>

beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
  line = pipeline.context.claimDb
})
afterAll(() => pipeline.close())

const claim = (endpoint: string) =>
  claimDeliveries(
    line,
    [{ webhook_config_id: endpoint, most: 5, most_low_priority: 2, low_priority_first: false }],
    30,
  )

async function read(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(line)
  const { rows } = await sql<{ tuples: string }>`
    select sum(idx_tup_fetch + seq_tup_read) as tuples from pg_stat_user_tables where relname = 'webhook_deliveries'`.execute(
    line,
  )
  return Number(rows[0]?.tuples)
}

test('a burst is claimed in order a second after it came, though it is not yet in PostgreSQL’s statistics', async () => {
  const { context, db } = pipeline
  // Autovacuum would update the statistics of waiting deliveries a minute later at best.
  await sql`alter table webhook_deliveries set (autovacuum_enabled = off)`.execute(db)
  const client = await givenClient(db)
  const { id: endpoint } = await givenConfig(context, client, { endpoint_url: 'https://crm.example.com/' })
  const lead = await givenLead(db, client)
  await sql`analyze webhook_deliveries`.execute(db)
  await claim(endpoint)
  await findDueEndpoints(line, null)

  await sql`
    with told as (
      insert into events (type, lead_id, client_user_id, enqueued_at, planned_at)
      select 'lead.assigned', ${lead}, ${client}, now(), now() from generate_series(1, ${WAITING}::int) returning id
    )
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, attempt)
    select id, 'lead.assigned', ${endpoint}::uuid, ${client}::uuid, ${lead}::uuid, (row_number() over ())::int % 2 from told
  `.execute(db)
  await forgetPlans(line)
  const before = await read()
  const [claimed] = await claim(endpoint)
  const { due } = await findDueEndpoints(line, null)

  expect(claimed?.deliveries).toHaveLength(5)
  expect(due).toHaveLength(1)
  expect((await read()) - before).toBeLessThan(200)
})
