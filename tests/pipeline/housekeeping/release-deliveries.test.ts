import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { planDeliveries } from '#core/planning/plan-deliveries.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenClient, givenConfig, givenLead, startPipeline } from '#tests/support/given/pipeline.ts'
import { startPrivateRedis } from '#tests/support/services/redis.ts'
import { releaseDeliveries } from '#worker/housekeeping/endpoints/release-deliveries.ts'

test('what was held is due again while Redis is away, and a probe that nobody rings for holds up no other endpoint', async (context) => {
  const redis = await startPrivateRedis()
  context.onTestFinished(() => redis.close())
  const pipeline = await startPipeline({ REDIS_URL: redis.url }, { worker: false })
  context.onTestFinished(() => pipeline.close())
  const { db } = pipeline
  const client = await givenClient(db)
  const config = { endpoint_url: 'http://127.0.0.1:1/', trigger_on_lead_created: true }
  const broken = await givenConfig(pipeline.context, client, config)
  await givenConfig(pipeline.context, client, config)
  const lead = await givenLead(db, client)
  const { rows } = await sql<{ id: string }>`select id from events where lead_id = ${lead}`.execute(db)
  await planDeliveries(
    db,
    rows.map(({ id }) => ({ event_id: id, turn: 0 })),
  )
  await sql`update webhook_deliveries set state = 'held', next_attempt_at = null`.execute(db)
  await sql`
    insert into webhook_endpoint_health (webhook_config_id, breaker, probe_at)
    values (${broken.id}, 'open', now())`.execute(db)
  await redis.stop()
  await waitUntil(() => pipeline.context.redis.status !== 'ready')

  await releaseDeliveries(pipeline.context)
  const deliveries = await db.selectFrom('webhook_deliveries').select('state').execute()
  expect(deliveries).toEqual([{ state: 'pending' }, { state: 'pending' }])
})
