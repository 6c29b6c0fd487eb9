import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eraseLead } from '#core/data/leads/erase-lead.ts'
import { listFeed } from '#core/data/leads/feed.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { lockLead } from '#core/data/market/settle-return.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { takeLeadBack } from '#core/use-cases/market/take-lead-back.ts'
import { findFeedFaults } from '#scripts/lab/market/find-feed-faults.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { freshState, givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { givenClient, startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'

let pipeline: TestPipeline
let db: Kysely<Database>
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
  db = pipeline.db
})
afterAll(async () => {
  expect(await findFeedFaults(db)).toEqual([])
  await pipeline.close()
})

const feedOf = async (client: string, after = 0) => {
  const entries = await listFeed(db, client, { after, limit: 500 })
  return entries.map(({ number, kind, lead_id, reason }) => ({
    number,
    kind,
    lead_id,
    ...(reason !== null && { reason }),
  }))
}

/** Sells leads to a new client with an order for all of them. */
async function giveSold(count = 1): Promise<{ client: string; leads: string[] }> {
  const state = freshState()
  const client = await givenBuyer(db)
  await givenOrder(db, client, { states: [state] })
  const offers = Array.from({ length: count }, (_none, index) => ({
    state,
    phone: `+1202555${String(1000 + index)}`,
  }))
  const leads = await givenOffers(db, offers)
  await assignLeads(pipeline.context.market, leads)
  return { client, leads }
}

/** Writes events by hand in a transaction that the test ends. */
async function writeEvents(
  trx: Kysely<Database>,
  events: readonly { type: string; lead: string; client: string }[],
): Promise<void> {
  for (const { type, lead, client } of events)
    await sql`insert into events (type, lead_id, client_user_id, enqueued_at, planned_at)
      values (${type}, ${lead}, ${client}, now(), now())`.execute(trx)
}

async function givenLead(isTest = false): Promise<string> {
  const { id } = await db
    .insertInto('leads')
    .values({ lead_type: 'final_expense', is_test: isTest })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

describe('an entry', () => {
  test('is made for each sold lead, and for its return with the reason', async () => {
    const { client, leads } = await giveSold(3)
    const [lead = ''] = leads
    const assignment = await db
      .selectFrom('lead_assignments')
      .select('id')
      .where('lead_id', '=', lead)
      .executeTakeFirstOrThrow()
    await db.transaction().execute(async (trx) => {
      await lockLead(trx, lead)
      const held = { lead_id: lead, assignment_id: assignment.id, client_user_id: client }
      await takeLeadBack(trx, held, { reason: 'language', by: null, state: 'returned' })
    })

    const entries = await feedOf(client)
    expect(
      entries
        .slice(0, 3)
        .map(({ lead_id }) => lead_id)
        .toSorted(),
    ).toEqual(leads.toSorted())
    expect(entries.map(({ number, kind }) => `${number} ${kind}`)).toEqual([
      '1 assigned',
      '2 assigned',
      '3 assigned',
      '4 returned',
    ])
    expect(entries[3]).toEqual({ number: 4, kind: 'returned', lead_id: lead, reason: 'language' })
  })

  test('tells every client that had the lead of an erasure, once', async () => {
    const [past, holder] = [await givenBuyer(db), await givenBuyer(db)]
    const lead = await givenLead()
    for (const [client, state] of [
      [past, 'returned'],
      [holder, 'active'],
    ] as const)
      await sql`
        insert into lead_assignments (lead_id, client_user_id, price, state) values (${lead}, ${client}, 0, ${state})`.execute(
        db,
      )
    await db.transaction().execute(async (trx) => await eraseLead(trx, lead))
    await db.transaction().execute(async (trx) => await eraseLead(trx, lead))

    const told = { number: 1, kind: 'erased', lead_id: lead }
    expect([await feedOf(past), await feedOf(holder)]).toEqual([[told], [told]])
    await sql`delete from lead_assignments where lead_id = ${lead}`.execute(db)
  })

  test('is made of a revoked consent, and of no test lead', async () => {
    const client = await givenClient(db)
    const [lead, trial] = [await givenLead(), await givenLead(true)]
    await writeEvents(db, [
      { type: 'lead.assigned', lead: trial, client },
      { type: 'lead.consent_revoked', lead, client },
      { type: 'lead.viewed', lead, client },
    ])
    expect(await feedOf(client)).toEqual([{ number: 1, kind: 'revoked', lead_id: lead }])
  })
})

test('a reassigned lead is one entry of its former client, whichever events tell of it', async () => {
  const client = await givenClient(db)
  const [lead, other] = [await givenLead(), await givenLead()]
  const moved = (lead_id: string) => ({ type: 'lead.reassigned', lead: lead_id, client })
  await db.transaction().execute(async (trx) => {
    await writeEvents(trx, [{ type: 'lead.returned', lead, client }])
    await writeEvents(trx, [moved(lead)])
  })
  await writeEvents(db, [moved(other)])
  expect(await feedOf(client)).toEqual([
    { number: 1, kind: 'returned', lead_id: lead },
    { number: 2, kind: 'returned', lead_id: other },
  ])
})

describe('a number', () => {
  test('is taken by nothing that is rolled back, not even to a savepoint', async () => {
    const client = await givenClient(db)
    const lead = await givenLead()
    const revoked = { type: 'lead.consent_revoked', lead, client }
    await expect(
      db.transaction().execute(async (trx) => {
        await writeEvents(trx, [revoked])
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    await db.transaction().execute(async (trx) => {
      await sql`savepoint early`.execute(trx)
      await writeEvents(trx, [revoked])
      await sql`rollback to savepoint early`.execute(trx)
      await writeEvents(trx, [revoked])
    })
    expect(await feedOf(client)).toEqual([{ number: 1, kind: 'revoked', lead_id: lead }])
  })

  test('is visible only when all smaller ones are', async () => {
    const client = await givenClient(db)
    const [first, second] = [await givenLead(), await givenLead()]
    const isFirstTaken = Promise.withResolvers<undefined>()
    const mayCommit = Promise.withResolvers<undefined>()
    const slow = db.transaction().execute(async (trx) => {
      await writeEvents(trx, [{ type: 'lead.consent_revoked', lead: first, client }])
      // Takes the number now, as a commit does, and stays in that moment.
      await sql`set constraints all immediate`.execute(trx)
      isFirstTaken.resolve(undefined)
      await mayCommit.promise
    })
    await isFirstTaken.promise
    let isQuickDone = false
    const quick = writeEvents(db, [{ type: 'lead.consent_revoked', lead: second, client }]).then(() => {
      isQuickDone = true
    })
    await waitUntil(
      async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          db,
        )
        return rows.length > 0
      },
      { what: 'the second commit to wait' },
    )
    expect([isQuickDone, await feedOf(client)]).toEqual([false, []])
    mayCommit.resolve(undefined)
    await Promise.all([slow, quick])
    expect(await feedOf(client)).toEqual([
      { number: 1, kind: 'revoked', lead_id: first },
      { number: 2, kind: 'revoked', lead_id: second },
    ])
  })

  test('does not make commits of other clients wait', async () => {
    const [client, other] = [await givenClient(db), await givenClient(db)]
    const lead = await givenLead()
    await db.transaction().execute(async (trx) => {
      await writeEvents(trx, [{ type: 'lead.consent_revoked', lead, client }])
      await sql`set constraints all immediate`.execute(trx)
      await writeEvents(db, [{ type: 'lead.consent_revoked', lead, client: other }])
      expect(await feedOf(other)).toHaveLength(1)
    })
  })

  test('of many clients at once deadlocks nobody, in whichever order their events are written', async () => {
    const clients = await Promise.all(Array.from({ length: 6 }, async () => await givenClient(db)))
    const lead = await givenLead()
    const write = async (index: number) => {
      const turned = [...clients.slice(index % 6), ...clients.slice(0, index % 6)]
      await db.transaction().execute(
        async (trx) =>
          await writeEvents(
            trx,
            turned.map((client) => ({ type: 'lead.consent_revoked', lead, client })),
          ),
      )
    }
    // A deadlock would fail one of them.
    await Promise.all(Array.from({ length: 48 }, async (_none, index) => await write(index)))
    const lengths = await Promise.all(clients.map(async (client) => (await feedOf(client)).length))
    expect(lengths).toEqual(clients.map(() => 48))
  })
})

test('a lead that a test writes for nobody takes no number', async () => {
  const before = await sql<{ n: number }>`select count(*)::int as n from client_feed`.execute(db)
  await sql`insert into events (type, lead_id, data) values ('lead.unassigned', ${await givenLead()}, '{}')`.execute(
    db,
  )
  await sql`insert into events (type, lead_id) values ('lead.erased', ${await givenLead()})`.execute(db)
  const after = await sql<{ n: number }>`select count(*)::int as n from client_feed`.execute(db)
  expect(after.rows[0]?.n).toBe(before.rows[0]?.n)
})
