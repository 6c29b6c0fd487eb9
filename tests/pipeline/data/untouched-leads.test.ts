import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '#core/data/database.ts'
import { markViewed } from '#core/data/market/lead-assignments.ts'
import { redrivePiece } from '#core/data/operations/dead-letters.ts'
import { recordAttempts } from '#core/data/webhooks/deliveries/record-attempts.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { attemptRecord, claimAt } from '#tests/support/given/attempt-record.ts'
import { createEarlierDatabase } from '#tests/support/services/earlier-database.ts'
import {
  assignLead,
  givenClient,
  givenConfig,
  givenLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())

interface Given {
  client: string
  endpoint: string
  lead: string
}

async function givenDue(count: number): Promise<Given> {
  const { db, context } = pipeline
  const client = await givenClient(db)
  const lead = await givenLead(db, client)
  const { id: endpoint } = await givenConfig(context, client, { endpoint_url: 'https://crm.example.com' })
  await sql`
    with told as (
      insert into events (type, lead_id, client_user_id, enqueued_at, planned_at)
      select 'lead.assigned', ${lead}, ${client}, now(), now() from generate_series(1, ${count}::int) returning id
    )
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id)
    select id, 'lead.assigned', ${endpoint}::uuid, ${client}::uuid, ${lead}::uuid from told`.execute(db)
  return { client, endpoint, lead }
}

test('a delivery is claimed and recorded without a write to its lead', async () => {
  const { db } = pipeline
  const { endpoint, lead } = await givenDue(1)
  const read = async () =>
    (await sql`select xmax::text, ctid::text from leads where id = ${lead}`.execute(db)).rows
  const before = await read()

  const [delivery] = await claimAt(db, endpoint)
  if (delivery === undefined) throw new Error('nothing was claimed')
  await recordAttempts(db, [attemptRecord(delivery, delivery.lease_token)])

  expect(await read()).toEqual(before)
  const { rows: told } = await sql`
    select lead_id from events where type = 'delivery.succeeded' and lead_id = ${lead}`.execute(db)
  expect(told).toHaveLength(1)
})

test('a lease is written beside its delivery, and to no index', async () => {
  // One connection, so that its reads can be counted.
  const { claimDb } = pipeline.context
  const { endpoint } = await givenDue(200)
  const count = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(claimDb)
    const { rows } = await sql<{ written: number; beside: number }>`
      select n_tup_upd::int as written, n_tup_hot_upd::int as beside from pg_stat_user_tables
      where relname = 'webhook_deliveries'`.execute(claimDb)
    return rows[0] ?? { written: 0, beside: 0 }
  }
  const before = await count()

  for (let claimed = 0; claimed < 100; claimed += 1) await claimAt(claimDb, endpoint)

  const after = await count()
  expect(after.written - before.written).toBe(100)
  expect(after.beside - before.beside).toBeGreaterThanOrEqual(90)
})

test('a lead that is deleted by hand takes its events with it, and no other events', async () => {
  const { db } = pipeline
  const client = await givenClient(db)
  const [gone, kept] = [await givenLead(db, client), await givenLead(db, client)]

  await sql`delete from leads where id = ${gone}`.execute(db)

  const { rows } = await sql`select lead_id from events where lead_id in (${gone}, ${kept})`.execute(db)
  expect(rows).toEqual([{ lead_id: kept }])
})

describe('deleting a lead by hand also deletes the event of a concurrent change:', () => {
  const tellings: Array<[string, (trx: Db, given: Given) => Promise<unknown>]> = [
    [
      'a recorded attempt',
      async (trx, { endpoint }) => {
        const [delivery] = await claimAt(trx, endpoint)
        if (delivery === undefined) throw new Error('nothing was claimed')
        await recordAttempts(trx, [attemptRecord(delivery, delivery.lease_token)])
      },
    ],
    [
      'the redrive of a dead letter',
      async (trx, { client, endpoint }) => {
        await trx
          .updateTable('webhook_deliveries')
          .set({ state: 'failed', finished_at: new Date() })
          .where('webhook_config_id', '=', endpoint)
          .execute()
        const redrive = { id: randomUUID(), administrator: client, most: 100 }
        expect((await redrivePiece(trx, { filter: { client } }, redrive)).due).toHaveLength(1)
      },
    ],
    [
      'the client opens the lead',
      async (trx, { client, lead }) => {
        expect(await markViewed(trx, { user_id: client, role: 'client' }, lead)).toBe(true)
      },
    ],
  ]

  test.each(tellings)('%s', async (_name, tell) => {
    const { db } = pipeline
    const given = await givenDue(1)
    await assignLead(db, given.lead)

    const { deleted } = await db.transaction().execute(async (trx) => {
      await tell(trx, given)
      const deleting = sql`delete from leads where id = ${given.lead}`.execute(db)
      await waitUntil(
        async () => {
          const { rows } = await sql`
            select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
              and query like 'delete from leads%'`.execute(db)
          return rows.length > 0
        },
        { what: 'The lead waiting to be deleted' },
      )
      return { deleted: deleting }
    })
    await deleted

    const { rows } = await sql`select type from events where lead_id = ${given.lead}`.execute(db)
    expect(rows).toEqual([])
  })
})

test('the migration waits for writers of leads, and other statements continue meanwhile', async () => {
  const earlier = await createEarlierDatabase('20261122003100-free-leads-of-event-locks')
  const constraints = async () =>
    (await sql`select from pg_constraint where conname = 'events_lead_id_fkey'`.execute(earlier.db)).rows
      .length
  try {
    const client = await givenClient(earlier.db)
    const { migrated } = await earlier.db.transaction().execute(async (trx) => {
      // Like a statement that stores a lead, it locks the two tables until its end.
      await sql`update leads set status = status where id = ${client}`.execute(trx)
      await sql`update events set type = type where id = ${client}`.execute(trx)
      const migrating = earlier.upgrade()
      await waitUntil(
        async () => {
          const { rows } = await sql`
            select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
              and query like '%events_lead_id_fkey%'`.execute(earlier.db)
          return rows.length > 0
        },
        { what: 'The migration waiting for the table of leads' },
      )
      for (let count = 0; count < 20; count += 1) await givenLead(earlier.db, client)
      return { migrated: migrating }
    })
    await migrated

    expect(await constraints()).toBe(0)
    const { rows } = await sql`select from leads`.execute(earlier.db)
    expect(rows).toHaveLength(20)
  } finally {
    await earlier.drop()
  }
})
