import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { COUNT_LIMIT, countDeliveryLogs } from '#core/data/webhooks/logs/delivery-logs.ts'
import { givenClient, givenConfig, givenLead, startPipeline } from '#tests/support/given/pipeline.ts'
import type { TestPipeline } from '#tests/support/given/pipeline.ts'

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())

test('the counts beside a log read a limited number of waiting deliveries, however many there are', async () => {
  const { db, context } = pipeline
  const owner = await givenClient(db)
  const config = await givenConfig(context, owner, { endpoint_url: 'https://crm.example.com' })
  const lead = await givenLead(db, owner)
  await sql`
    insert into webhook_deliveries (id, event_id, event_type, webhook_config_id, client_user_id, lead_id, resend_of, next_attempt_at)
    select new.id, e.id, e.type, ${config.id}, ${owner}, ${lead}, new.id, now() + interval '1 day'
    from events e cross join lateral (select gen_random_uuid() as id from generate_series(1, 60000) where e.id is not null) new
    where e.lead_id = ${lead}`.execute(db)
  await sql`analyze webhook_deliveries`.execute(db)

  const { counts, read } = await db.transaction().execute(async (trx) => {
    // A worker's connections avoid scans, a server's do not.
    await sql`set local enable_seqscan = on`.execute(trx)
    const told = await countDeliveryLogs(trx, owner, config.id)
    const { rows } = await sql<{ read: number }>`
      select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
      where relname = 'webhook_deliveries'`.execute(trx)
    return { counts: told, read: rows[0]?.read }
  })

  expect(counts).toEqual({ logs: COUNT_LIMIT, waiting: COUNT_LIMIT, has_failed: false })
  // The rows of the log, the waiting deliveries, and the oldest of them.
  expect(read).toBeLessThanOrEqual(3 * COUNT_LIMIT)
})
