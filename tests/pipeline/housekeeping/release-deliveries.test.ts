import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startProbes } from '#core/data/webhooks/health/breakers.ts'
import { planDeliveries } from '#core/use-cases/planning/plan-deliveries.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenClient, givenConfig, givenLead, startPipeline } from '#tests/support/given/pipeline.ts'
import { startPrivateRedis } from '#tests/support/services/redis.ts'
import { releaseDeliveries } from '#worker/housekeeping/endpoints/release-deliveries.ts'

test('held deliveries become due again while Redis is away; a probe without a wake-up delays no other endpoint', async (context) => {
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

test('the probe is a delivery with few attempts, chosen from those that have waited longest', async (context) => {
  const pipeline = await startPipeline({}, { worker: false })
  context.onTestFinished(() => pipeline.close())
  const { db } = pipeline
  const client = await givenClient(db)
  const { id } = await givenConfig(pipeline.context, client, {
    endpoint_url: 'http://127.0.0.1:1/',
    trigger_on_lead_created: true,
  })
  for (let index = 0; index < 5; index += 1) await givenLead(db, client)
  const { rows } = await sql<{ id: string }>`select id from events where type = 'lead.created'`.execute(db)
  await planDeliveries(
    db,
    rows.map((event) => ({ event_id: event.id, turn: 0 })),
  )
  // The three oldest have been tried before.
  await sql`
    update webhook_deliveries d set state = 'held', next_attempt_at = null, created_at = now() - make_interval(hours => 5 - place),
      attempt = case when place < 3 then 3 - place else 0 end
    from (select id, (row_number() over (order by id) - 1)::int as place from webhook_deliveries) o where o.id = d.id`.execute(
    db,
  )
  const chosen: number[] = []
  for (let probe = 0; probe < 5; probe += 1) {
    await sql`
      insert into webhook_endpoint_health (webhook_config_id, breaker, probe_at) values (${id}, 'open', now())
      on conflict (webhook_config_id) do update set probe_at = now(), probe_delivery_id = null`.execute(db)
    const [{ delivery_id, attempt } = { delivery_id: '', attempt: 0 }] = await startProbes(db, 30)
    chosen.push(attempt)
    await sql`update webhook_deliveries set state = 'delivered', finished_at = now() where id = ${delivery_id}`.execute(
      db,
    )
  }
  expect(chosen).toEqual([1, 1, 2, 3, 4])
})
