// Rows that were changed on purpose are not lost: returned, recalled, moved, erased, and removed by age.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RECALLED, TAKEN_BACK } from '#core/contract/market/lead-return.ts'
import { eraseLead } from '#core/data/leads/erase-lead.ts'
import { creditLateLeads } from '#core/use-cases/market/credit-late-leads.ts'
import { removeByAge } from '#core/use-cases/retention/remove-by-age.ts'
import { takeLeadBack, type TakingBack } from '#core/use-cases/market/take-lead-back.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenBuyer, givenOrder } from '#tests/support/given/market.ts'
import {
  assignLead,
  drain,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { readCost } from '../market/late/late-leads.ts'
import { readJson, runLeadwire } from './run-leadwire.ts'

const DAY_MS = 86_400_000

let pipeline: TestPipeline
let crm: Receiver
let client: string
let given = 0
beforeAll(async () => {
  pipeline = await startPipeline()
  crm = await startReceiver()
  client = await givenBuyer(pipeline.db)
  await givenOrder(pipeline.db, client)
  await givenConfig(pipeline.context, client, {
    endpoint_url: crm.url,
    trigger_on_lead_created: true,
    trigger_on_lead_assigned: true,
  })
})
afterAll(async () => {
  await crm.close()
  await pipeline.close()
})

/** A lead that was sold and delivered. */
async function givenSold(): Promise<string> {
  given += 1
  const lead = await givenLead(pipeline.db, null, {
    email: `${randomUUID()}@example.com`,
    phone: `+120255501${10 + given}`,
  })
  await assignLead(pipeline.db, lead)
  await publishEventsOfLead(pipeline.context, lead)
  return lead
}

async function takeBack(lead: string, how: Omit<TakingBack, 'by'>): Promise<void> {
  const { id } = await pipeline.db
    .selectFrom('lead_assignments')
    .select('id')
    .where('lead_id', '=', lead)
    .executeTakeFirstOrThrow()
  const held = { lead_id: lead, assignment_id: id, client_user_id: client }
  const taken = await pipeline.db
    .transaction()
    .execute((trx) => takeLeadBack(trx, held, { ...how, by: null }))
  expect(taken).toMatchObject({ credited: expect.any(String) as string })
}

const erase = async (lead: string) =>
  expect(await pipeline.db.transaction().execute((trx) => eraseLead(trx, lead))).toMatchObject({
    is_news: true,
  })

/** Has these leads credited because they came late. */
async function creditLate(leads: readonly string[]): Promise<void> {
  await sql`
    insert into late_leads (assignment_id, lead_id, client_user_id, lead_type, received_at, sold_at, planned_at, begun_at, parts, ours_ms,
      price, credit, wait_until)
    select id, lead_id, client_user_id, 'final_expense', assigned_at, assigned_at, assigned_at, assigned_at, '[]', 6000, price, 'waiting', now()
    from lead_assignments where lead_id = any(${[...leads]}::uuid[])`.execute(pipeline.db)
  await creditLateLeads(pipeline.db)
}

async function verify() {
  const end = await runLeadwire(pipeline.environment.env, 'verify', '--json')
  const { checks } = readJson(end) as { checks: { check: string; wrong: number; looked: number }[] }
  return {
    code: end.code,
    wrong: checks.filter((one) => one.wrong > 0),
    leads: checks.find(({ check }) => check === 'leads')?.looked,
    late: checks.find(({ check }) => check === 'late credits')?.looked,
  }
}

test('verify finds nothing wrong with leads that were returned, credited, recalled, moved on and erased, nor after old rows were removed', async () => {
  const [returned, recalled, moved, erased, both, kept] = [
    await givenSold(),
    await givenSold(),
    await givenSold(),
    await givenSold(),
    await givenSold(),
    await givenSold(),
  ]
  const countSold = async () => {
    const query = pipeline.db
      .selectFrom('lead_assignments')
      .select((row) => row.fn.countAll<string>().as('sold'))
    return Number((await query.executeTakeFirstOrThrow()).sold)
  }
  await waitUntil(async () => (await countSold()) === 6, { what: 'The sale of six leads' })
  await drain(pipeline.context)
  const held = await givenLead(pipeline.db, null, { email: 'held@example.com', phone: '+13025550199' })
  const own = await givenLead(pipeline.db, client)
  await publishEventsOfLead(pipeline.context, own)
  await creditLate([recalled, moved, erased, kept])
  await takeBack(returned, { reason: 'language', state: 'returned' })
  await takeBack(recalled, { reason: RECALLED, state: 'returned' })
  await takeBack(moved, { reason: TAKEN_BACK, state: 'revoked' })
  await takeBack(both, { reason: 'language', state: 'returned' })
  for (const lead of [erased, both, held, own]) await erase(lead)
  await drain(pipeline.context)
  await pipeline.stopWorker()
  expect(await verify()).toEqual({ code: 0, wrong: [], leads: 8, late: 4 })
  const { figures, ledger } = await readCost(pipeline.db, client)
  expect(figures).toBe(ledger)

  const { db } = pipeline
  const removed = await removeByAge({
    db,
    periods: {
      logs: { keepDays: 180, keepBodiesDays: 30 },
      retention: { soldLeadDays: 400, unsoldLeadDays: 90, decisionDays: 90, auditDays: undefined },
    },
    now: new Date(Date.now() + 1000 * DAY_MS),
    signal: new AbortController().signal,
    rest: 0,
  })
  expect(removed).toMatchObject({
    deliveries: expect.any(Number) as number,
    sold_leads: expect.any(Number) as number,
  })
  const emptied = db.selectFrom('leads').select('redacted_at').where('id', '=', kept)
  expect((await emptied.executeTakeFirstOrThrow()).redacted_at).not.toBeNull()
  expect(await verify()).toEqual({ code: 0, wrong: [], leads: 8, late: 4 })
})
