import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { tallyByAgent } from '#core/data/market/figures/agent-figures.ts'
import { tallyLeads } from '#core/data/market/figures/analytics.ts'
import { tallyByEndpoint, tallyDeliveries } from '#core/data/market/figures/delivery-figures.ts'
import { readClock } from '#core/data/read-clock.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { uuidAt } from '#core/domain/uuid-at.ts'
import { createSecretBox } from '#core/secrets/secret-box.ts'
import type { Periods } from '#core/use-cases/retention/old-rows.ts'
import { previewRetention } from '#core/use-cases/retention/preview-retention.ts'
import { removeByAge } from '#core/use-cases/retention/remove-by-age.ts'
import { givenClient, givenConfig, givenLead } from '#tests/support/given/pipeline.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

const DAY_MS = 86_400_000
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS)
const NONE = {
  soldLeadDays: undefined,
  unsoldLeadDays: undefined,
  decisionDays: undefined,
  auditDays: undefined,
}
const config: Periods = { logs: { keepDays: 180, keepBodiesDays: 30 }, retention: NONE }

let database: TestDatabase
let db: Kysely<Database>
let close: () => Promise<void>
beforeAll(async () => {
  database = await createTestDatabase()
  ;({ db, close } = openDatabase({ url: database.url, poolSize: 4, name: 'retention-test' }, () => undefined))
})
beforeEach(async () => {
  await sql`truncate retention_progress`.execute(db)
})
afterAll(async () => {
  await close()
  await database.drop()
})

const removeAged = async (periods: Periods = config) =>
  await removeByAge({ db, periods, now: await readClock(db), signal: new AbortController().signal, rest: 0 })
const previewOf = async (what: string, periods: Periods = config) =>
  (await previewRetention(db, periods)).find((row) => row.what === what)

describe('records that have a period', () => {
  const periods = {
    logs: { keepDays: 180, keepBodiesDays: 30 },
    retention: { soldLeadDays: 400, unsoldLeadDays: 90, decisionDays: 90, auditDays: 400 },
  }
  const given = { name: 'Rosa Marked', email: 'rosa@example.com', phone: '+15125550143', comments: 'Rosa' }

  /** A lead that came some days ago, sold for $ 21.50 to a client or to nobody. */
  async function givenOldLead(client: string | null, days: number): Promise<string> {
    const lead = await givenLead(db, null, { ...given, state: 'TX', source: 'form' })
    const id = uuidAt(daysAgo(days), lead)
    await sql`delete from events where lead_id = ${lead}`.execute(db)
    await sql`
      update leads set id = ${id}, created_at = ${daysAgo(days)}, assigned_to = ${client}, price_charged = 21.5,
        status = ${client === null ? 'expired' : 'assigned'} where id = ${lead}`.execute(db)
    await sql`
      insert into assignment_decisions (lead_id, outcome, decided_at) values (${id}, ${client === null ? 'expired' : 'assigned'}, ${daysAgo(days)})`.execute(
      db,
    )
    if (client !== null)
      await sql`
        insert into lead_assignments (lead_id, client_user_id, price, notes, assigned_at)
        values (${id}, ${client}, 21.5, 'Rosa called', ${daysAgo(days)})`.execute(db)
    return id
  }
  const read = async (id: string) => {
    const { rows } = await sql<{ text: string; price: string; status: string; state: string }>`
      select l::text || coalesce((select string_agg(a::text, '') from lead_assignments a where a.lead_id = l.id), '') as text,
        l.price_charged as price, l.status, l.state from leads l where id = ${id}`.execute(db)
    return { ...rows[0], has_person: /rosa/i.test(rows[0]?.text ?? '') }
  }
  const actionsOf = async () =>
    await db
      .selectFrom('auth.audit_log')
      .select('details')
      .where('action', '=', 'old_records_removed')
      .orderBy('id')
      .execute()

  test('old leads lose their person and keep price, status and state; one row tells of all', async () => {
    const client = await givenClient(db)
    const sold = await givenOldLead(client, 500)
    const disputed = await givenOldLead(client, 490)
    await sql`
      insert into lead_returns (assignment_id, lead_id, client_user_id, reason, note)
      select id, lead_id, client_user_id, 'wrong_state', 'Rosa moved' from lead_assignments where lead_id = ${disputed}`.execute(
      db,
    )
    const younger = await givenOldLead(client, 300)
    const unsold = await givenOldLead(null, 100)
    const recent = await givenOldLead(null, 80)
    expect(await previewOf('sold_leads', periods)).toMatchObject({ rows: 1, days: 400 })
    expect(await previewOf('unsold_leads', periods)).toMatchObject({ rows: 1, days: 90 })
    // Without periods nothing happens.
    await removeAged()
    expect((await read(sold)).has_person).toBe(true)

    await removeAged(periods)

    const figures = { price: '21.50', state: 'TX' }
    expect(await read(sold)).toMatchObject({ ...figures, status: 'assigned', has_person: false })
    expect(await read(unsold)).toMatchObject({ ...figures, status: 'expired', has_person: false })
    for (const id of [disputed, younger, recent]) expect((await read(id)).has_person).toBe(true)
    expect(await actionsOf()).toEqual([{ details: { sold_leads: 1, unsold_leads: 1, decisions: 4 } }])

    // A lead that was in dispute is not forgotten.
    await sql`update lead_returns set status = 'denied' where lead_id = ${disputed}`.execute(db)
    await removeAged(periods)
    expect((await read(disputed)).has_person).toBe(false)
    expect(await actionsOf()).toHaveLength(2)
    expect(await previewOf('sold_leads', periods)).toMatchObject({ rows: 0 })
  })

  test('a lead that came now stays, though a server whose clock is wrong gave it an old id', async () => {
    const lead = await givenOldLead(null, 450)
    await sql`update leads set created_at = now() where id = ${lead}`.execute(db)
    const event = uuidAt(daysAgo(450), randomUUID())
    await sql`insert into events (id, type, lead_id, planned_at) values (${event}, 'lead.created', ${lead}, now())`.execute(
      db,
    )
    expect(await previewOf('unsold_leads', periods)).toMatchObject({ rows: 0 })

    await removeAged(periods)

    expect((await read(lead)).has_person).toBe(true)
    const kept = await db.selectFrom('events').select('id').where('lead_id', '=', lead).execute()
    expect(kept).toEqual([{ id: event }])
    // It goes once it is as old as its id says.
    await sql`update leads set created_at = ${daysAgo(450)} where id = ${lead}`.execute(db)
    await sql`update events set created_at = ${daysAgo(450)} where id = ${event}`.execute(db)
    await removeAged(periods)
    expect((await read(lead)).has_person).toBe(false)
    expect(await db.selectFrom('events').select('id').where('lead_id', '=', lead).execute()).toEqual([])
  })

  test('figures of leads, deliveries and agents are the same before and after', async () => {
    const client = await givenClient(db)
    const { id: webhook } = await givenConfig(
      { db, secrets: createSecretBox(Buffer.alloc(32).toString('base64')) },
      client,
      { endpoint_url: 'https://crm.example.com' },
    )
    for (const [index, state] of ['delivered', 'failed', 'delivered', 'cancelled'].entries()) {
      const at = daysAgo(500 + index)
      const lead = await givenOldLead(client, 500 + index)
      if (index === 2)
        await sql`update lead_assignments set state = 'returned' where lead_id = ${lead}`.execute(db)
      if (index === 2) await sql`update leads set status = 'returned' where id = ${lead}`.execute(db)
      const event = uuidAt(at, lead)
      await sql`
        insert into events (id, type, lead_id, client_user_id, created_at, enqueued_at, planned_at)
        values (${event}, 'lead.assigned', ${lead}, ${client}, ${at}, now(), now())`.execute(db)
      await sql`
        insert into webhook_deliveries (id, event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt, next_attempt_at, created_at, finished_at)
        values (${event}, ${event}, 'lead.assigned', ${webhook}, ${client}, ${lead}, ${state}, 1, null, ${at}, ${at})`.execute(
        db,
      )
    }
    const of = { client, zone: 'UTC', begins: daysAgo(600), ends: daysAgo(400) }
    const read = async () => ({
      leads: await tallyLeads(db, of, { contacted: ['contacted'], sold: ['sold'] }),
      deliveries: await tallyDeliveries(db, of),
      // Times and single webhooks are known of the deliveries that are there.
      endpoints: (await tallyByEndpoint(db, of)).flatMap(({ median_ms: _took, ...row }) =>
        row.group === 'webhook' ? [] : row,
      ),
      agents: await tallyByAgent(db, of),
    })
    const before = await read()
    expect(before.deliveries).toEqual({ attempted: 3, delivered: 2 })
    expect(before.agents).toMatchObject([{ leads: 4, delivered: 2, failed: 1, spend: '86.00' }])

    await removeAged(periods)

    const left = await db.selectFrom('webhook_deliveries').where('client_user_id', '=', client).execute()
    expect(left).toEqual([])
    expect(await read()).toEqual(before)
  })

  test('late leads without a credit go; those that were credited, or wait for it, stay', async () => {
    const kept: string[] = []
    for (const [credit, days] of [
      ['none', 100],
      ['none', 80],
      ['waiting', 100],
      ['unclear', 100],
      ['credited', 100],
    ] as const) {
      const id = uuidAt(daysAgo(days), randomUUID())
      if (credit !== 'none' || days === 80) kept.push(id)
      const at = daysAgo(days)
      await sql`
        insert into late_leads (assignment_id, lead_id, client_user_id, lead_type, received_at, sold_at, planned_at, begun_at, parts,
          ours_ms, price, credit, judged_at, wait_until, credited_at)
        values (${id}, ${id}, ${id}, 'final_expense', ${at}, ${at}, ${at}, ${at}, '[]', 6000, 25, ${credit}, ${at},
          ${credit === 'waiting' ? at : null}, ${credit === 'credited' ? at : null})`.execute(db)
    }
    expect(await previewOf('late_leads', periods)).toMatchObject({ rows: 1, days: 90 })
    expect(await previewOf('late_leads')).toMatchObject({ rows: 0, days: null })

    await removeAged(periods)

    const { rows } = await sql<{ id: string }>`select assignment_id as id from late_leads`.execute(db)
    expect(rows.map(({ id }) => id).toSorted()).toEqual(kept.toSorted())
    // Once it is decided, it goes as well.
    await sql`update late_leads set credit = 'none' where credit = 'unclear'`.execute(db)
    await removeAged(periods)
    expect(await previewOf('late_leads', periods)).toMatchObject({ rows: 0 })
    expect((await sql`select from late_leads`.execute(db)).rows).toHaveLength(3)
  })

  test('old rows of the audit log go, and nobody removes those of the last year', async () => {
    const add = async (days: number) => {
      const at = daysAgo(days)
      const { id } = await db
        .insertInto('auth.audit_log')
        .values({
          id: uuidAt(at, '00000000-0000-7000-8000-000000000001'),
          at,
          action: 'signed_in',
          details: '{}',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    }
    const [old, young] = [await add(401), await add(399)]

    await removeAged(periods)

    const kept = await db.selectFrom('auth.audit_log').select('id').where('id', 'in', [old, young]).execute()
    expect(kept).toEqual([{ id: young }])
    await add(10)
    await expect(
      removeAged({ ...periods, retention: { ...periods.retention, auditDays: 1 } }),
    ).rejects.toThrow('older than a year')
    await expect(db.deleteFrom('auth.audit_log').execute()).rejects.toThrow('only grows')
  })
})
