import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { findUnenqueuedEvents, markEnqueued } from '#core/data/outbox/events.ts'
import { noteOverdueEvents } from '#core/data/outbox/open-events.ts'
import { planDeliveries } from '#core/planning/plan-deliveries.ts'
import { CONSUMED_EVENTS } from '#core/queue/event-consumers.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { createEarlierDatabase } from '#tests/support/services/earlier-database.ts'
import { givenClient, givenLead } from '#tests/support/given/pipeline.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

let database: TestDatabase
let opened: ReturnType<typeof openDatabase>
let client: string
beforeAll(async () => {
  database = await createTestDatabase()
  opened = openDatabase({ url: database.url, poolSize: 2, name: 'test' }, () => undefined)
  client = await givenClient(opened.db)
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})

/** As old as an event that has waited for so long. Ids say when their events came. */
const AN_HOUR_AGO = sql`uuid_floor(now() - interval '1 hour')`

/** An event of a lead of which its own transaction says that it came an hour ago. */
async function givenOld(): Promise<string> {
  const { db } = opened
  const lead = await givenLead(db, client)
  const { rows } = await sql<{ id: string }>`
    update events set id = overlay(id::text placing left(${AN_HOUR_AGO}::text, 13) from 1 for 13)::uuid,
      created_at = now() - interval '1 hour'
    where lead_id = ${lead} returning id`.execute(db)
  return rows[0]?.id ?? ''
}

async function findIds(limit = 500): Promise<string[]> {
  const found = await findUnenqueuedEvents(opened.db, { types: CONSUMED_EVENTS, limit })
  return found.map(({ id }) => id)
}

const noted = async () =>
  (
    await sql<{ event_id: string }>`select event_id from overdue_events order by 1`.execute(opened.db)
  ).rows.map(({ event_id: id }) => id)

/** As if nobody had noted anything for two hours. */
const forget = () =>
  sql`
    update event_marks set noted_until = past.id, proved_until = past.id, asked_until = past.id,
      asked_xmax = pg_snapshot_xmin(pg_current_snapshot())
    from uuid_floor(now() - interval '2 hours') past (id)`.execute(opened.db)

test('an event that waits is found before it is noted, afterwards, and not once it is planned', async () => {
  const { db } = opened
  await forget()
  const event = await givenOld()
  expect(await findIds()).toEqual([event])

  await noteOverdueEvents(db)
  expect(await noted()).toEqual([event])
  expect(await findIds()).toEqual([event])

  await markEnqueued(db, [event])
  expect(await findIds()).toEqual([])
  await planDeliveries(db, [{ event_id: event, turn: 0 }])
  await noteOverdueEvents(db)
  expect(await noted()).toEqual([])
})

test('an event that is committed late is noted, however long its transaction takes', async () => {
  const { db } = opened
  const event = await db.transaction().execute(async (trx) => {
    const late = await givenOldWithin(trx)
    await forget()
    for (let times = 0; times < 5; times += 1) await noteOverdueEvents(db)
    expect(await noted()).toEqual([])
    return late
  })

  await noteOverdueEvents(db)

  expect(await noted()).toEqual([event])
  await planDeliveries(db, [{ event_id: event, turn: 0 }])
  await noteOverdueEvents(db)
})

async function givenOldWithin(trx: Parameters<typeof planDeliveries>[0]): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into events (id, type, subject_type, subject_id, created_at)
    select ${AN_HOUR_AGO}, 'lead.created', 'other', gen_random_uuid(), now() returning id`.execute(trx)
  return rows[0]?.id ?? ''
}

test('once every transaction of its time has ended, an event is not looked at again', async () => {
  const { db } = opened
  await forget()
  // A transaction of any database of the server is waited for.
  await waitUntil(
    async () => {
      await noteOverdueEvents(db)
      const { rows } = await sql<{ is_proved: boolean }>`
        select proved_until > uuid_floor(now() - interval '1 hour') as is_proved from event_marks`.execute(db)
      return rows[0]?.is_proved === true
    },
    { what: 'The end of all transactions' },
  )

  const event = await givenOld()
  await noteOverdueEvents(db)

  expect(await noted()).not.toContain(event)
})

test('an event that is planned is written beside itself, and into no index', async () => {
  const { db, close } = openDatabase({ url: database.url, poolSize: 1, name: 'test' }, () => undefined)
  const count = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db)
    const { rows } = await sql<{ written: number; beside: number }>`
      select n_tup_upd::int as written, n_tup_hot_upd::int as beside from pg_stat_user_tables where relname = 'events'`.execute(
      db,
    )
    return rows[0] ?? { written: 0, beside: 0 }
  }
  const events: string[] = []
  for (let times = 0; times < 50; times += 1) {
    const lead = await givenLead(db, client)
    const { id } = await db
      .selectFrom('events')
      .select('id')
      .where('lead_id', '=', lead)
      .executeTakeFirstOrThrow()
    events.push(id)
  }
  const before = await count()

  for (const id of events) await planDeliveries(db, [{ event_id: id, turn: 0 }])

  const after = await count()
  expect(after.written - before.written).toBe(50)
  expect(after.beside - before.beside).toBeGreaterThanOrEqual(40)
  await close()
})

test('what waits when the schema changes is noted, and found by its age', async () => {
  const earlier = await createEarlierDatabase('20261128110000-note-overdue-events')
  try {
    const owner = await givenClient(earlier.db)
    const leads = [await givenLead(earlier.db, owner), await givenLead(earlier.db, owner)]
    await sql`update events set created_at = created_at - interval '1 minute'`.execute(earlier.db)

    await earlier.upgrade()

    const found = await findUnenqueuedEvents(earlier.db, { types: CONSUMED_EVENTS, limit: 10 })
    expect(found).toHaveLength(leads.length)
  } finally {
    await earlier.drop()
  }
})
