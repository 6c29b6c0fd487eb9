import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { markEnqueued, type EventToEnqueue } from '#core/data/outbox/events.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { NO_TRACING } from '#core/telemetry/tracing.ts'
import { openAnnouncements } from '#server/open-announcements.ts'
import { openStores } from '#server/open-stores.ts'
import { createMetrics } from '#server/operations/metrics.ts'
import { createQueueCounter } from '#server/operations/queue-tallies.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenClient, givenLead, startPipeline } from '#tests/support/given/pipeline.ts'

test('the server marks enqueued events by key, even if the planner believes that the table is small', async () => {
  const { context, db, close } = await startPipeline({}, { worker: false })
  const client = await givenClient(db)
  const lead = await givenLead(db, client)
  const { rows: events } = await sql<EventToEnqueue>`
    insert into events (type, lead_id, client_user_id)
    select 'lead.created', ${lead}::uuid, ${client}::uuid from generate_series(1, 12500) returning id, type, client_user_id
  `.execute(db)
  const countScans = async (): Promise<number> => {
    const { rows } = await sql<{ scans: number }>`
      select seq_scan::int as scans from pg_stat_user_tables where relname = 'events'`.execute(db)
    return rows[0]?.scans ?? -1
  }
  const before = await countScans()
  const given = { config: context.config, logger: createLogger('test', 'silent'), tracing: NO_TRACING }
  const stores = openStores(given)
  const { part, close: closeAnnouncements } = openAnnouncements(
    given,
    stores.part,
    createMetrics(stores.part, context.config, createQueueCounter(stores.part)),
  )
  await waitUntil(() => part.isReady(), { what: 'Redis' })

  part.events(events)
  await closeAnnouncements()
  // PostgreSQL's counts of these connections are complete only after they have closed.
  await stores.close()

  expect(await countScans()).toBe(before)
  const { rows } = await sql<{ marked: number }>`
    select count(*)::int as marked from events where enqueued_at is not null`.execute(db)
  expect(rows).toEqual([{ marked: 12_500 }])
  await close()
})

test('marking skips events that are being planned, and marks the others', async () => {
  const { db, close } = await startPipeline({}, { worker: false })
  const client = await givenClient(db)
  await givenLead(db, client)
  const other = await givenLead(db, client)
  const { rows: events } = await sql<{
    id: string
  }>`select id from events order by lead_id = ${other}, id`.execute(db)
  const ids = events.map(({ id }) => id)

  await db.transaction().execute(async (planning) => {
    await sql`update events set planned_at = now(), enqueued_at = now() where id = ${ids[0]}`.execute(
      planning,
    )
    await markEnqueued(db, ids)
    const { rows } = await sql<{ id: string }>`select id from events where enqueued_at is not null`.execute(
      db,
    )
    expect(rows.map(({ id }) => id)).toEqual(ids.slice(1))
  })

  const { rows } = await sql<{ unmarked: number }>`
    select count(*)::int as unmarked from events where enqueued_at is null`.execute(db)
  expect(rows).toEqual([{ unmarked: 0 }])
  await close()
})
