import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { giveLead } from '#core/use-cases/market/give-lead.ts'
import { releaseMember } from '#core/use-cases/market/release-member.ts'
import { takeLeadBack } from '#core/use-cases/market/take-lead-back.ts'
import { freshState, givenOffers } from '#tests/support/given/market.ts'
import { setUpJourneys } from '#tests/support/given/journeys.ts'
import { drain } from '#tests/support/given/pipeline.ts'
import { givenAccount, type GivenAccount } from './given-account.ts'

const journeys = setUpJourneys({ WEBHOOK_RETRY_SCHEDULE: '1,1,2' })
let states: [string, string, string]
let given: GivenAccount
beforeEach(async () => {
  states = [freshState(), freshState(), freshState()]
  given = await givenAccount(journeys.pipeline, journeys.crm.url, states)
})

/** Sells a lead to the shared order (0) or to an agent's (1, 2); it is on its way to the webhooks. */
async function sell(whose: 0 | 1 | 2): Promise<string> {
  const { context } = journeys.pipeline
  const [lead = ''] = await givenOffers(context.db, [{ state: states[whose] }])
  const sales = await assignLeads(context.market, [lead])
  expect(sales).toMatchObject([{ order_id: given.orders[whose] }])
  await context.events.publish(
    sales.map((sale) => ({ id: sale.event_id, type: 'lead.assigned', client_user_id: sale.client_user_id })),
  )
  return lead
}

async function give(lead: string, member: string | null): Promise<void> {
  const { context } = journeys.pipeline
  const giving = { lead_id: lead, client: given.account, member, by: given.account, note: null }
  const event = await context.db.transaction().execute((trx) => giveLead(trx, giving))
  if (event !== undefined) await context.events.publish([event])
}

/** The paths of requests, in the order of the alphabet. */
const paths = () => journeys.crm.requests.map(({ path }) => path).toSorted()
const memberOf = async (lead: string) =>
  (
    await journeys.pipeline.db
      .selectFrom('leads')
      .select('member_user_id')
      .where('id', '=', lead)
      .executeTakeFirst()
  )?.member_user_id

test('a lead of an agent’s order reaches that agent’s webhook and the shared one, never another agent’s', async () => {
  const lead = await sell(1)
  await drain(journeys.pipeline.context)

  expect(paths()).toEqual(['/first', '/shared'])
  expect(await memberOf(lead)).toBe(given.agents[0])
})

test('a lead of a shared order reaches only shared webhooks', async () => {
  const lead = await sell(0)
  await drain(journeys.pipeline.context)

  expect(paths()).toEqual(['/shared'])
  expect(await memberOf(lead)).toBeNull()
})

test('a lead that is given to an agent reaches that agent’s webhook once, and no other again', async () => {
  const lead = await sell(1)
  await drain(journeys.pipeline.context)
  await give(lead, given.agents[1])
  await drain(journeys.pipeline.context)

  expect(paths()).toEqual(['/first', '/second', '/shared'])
  expect(journeys.crm.requests.at(-1)?.headers['leadwire-event']).toBe('lead.assigned')
  await expect(give(lead, given.agents[1])).rejects.toMatchObject({ code: 'conflict' })
  await give(lead, null)
  await drain(journeys.pipeline.context)
  expect(paths()).toHaveLength(3)
})

test('a lead that is given before its sale was planned reaches the shared webhook once, and never the former agent’s', async () => {
  const { context } = journeys.pipeline
  const [lead = ''] = await givenOffers(context.db, [{ state: states[1] }])
  await assignLeads(context.market, [lead])
  await give(lead, given.agents[1])
  await drain(context)

  expect(paths()).toEqual(['/second', '/shared'])
})

test('what waits for the former agent’s webhook is cancelled when the lead is given away', async () => {
  const { context, db } = journeys.pipeline
  journeys.crm.answerWith(503)
  const lead = await sell(1)
  const read = async () =>
    (
      await sql<{ state: string }>`
        select state from webhook_deliveries where lead_id = ${lead} and webhook_config_id = ${given.hooks[1]}`.execute(
        db,
      )
    ).rows
  await expect.poll(read).toEqual([{ state: 'pending' }])
  await give(lead, given.agents[1])

  expect(await read()).toEqual([{ state: 'cancelled' }])
  journeys.crm.answerWith(200)
  await drain(context)
})

test('a returned lead and one that is offered again belong to nobody, and the agent who had them is kept', async () => {
  const { context, db } = journeys.pipeline
  for (const state of ['returned', 'revoked'] as const) {
    const lead = await sell(1)
    const { id } = await db
      .selectFrom('lead_assignments')
      .select('id')
      .where('lead_id', '=', lead)
      .executeTakeFirstOrThrow()
    await context.db.transaction().execute(async (trx) => {
      const held = { lead_id: lead, assignment_id: id, client_user_id: given.account }
      return await takeLeadBack(trx, held, { reason: 'wrong_state', by: null, state })
    })
    expect(await memberOf(lead)).toBeNull()
    const { rows } = await sql`select member_user_id from lead_assignments where id = ${id}`.execute(db)
    expect(rows).toEqual([{ member_user_id: given.agents[0] }])
  }
})

test('open leads of a person who leaves become the account’s, webhooks are switched off and orders paused', async () => {
  const { context, db } = journeys.pipeline
  const [open, closed] = [await sell(1), await sell(1)]
  await drain(context)
  await sql`update lead_assignments set disposition = 'sold' where lead_id = ${closed}`.execute(db)
  const [account, member] = [given.account, given.agents[0]]
  const events = await context.db
    .transaction()
    .execute((trx) => releaseMember(trx, { account, member, by: account }))

  expect(events).toEqual([])
  expect([await memberOf(open), await memberOf(closed)]).toEqual([null, member])
  const { rows } = await sql`
    select c.is_active, c.disabled_reason, o.paused_by, o.member_user_id,
      (select data from events where lead_id = ${open} and type = 'lead.given') as told
    from client_webhook_configs c, orders o where c.id = ${given.hooks[1]} and o.id = ${given.orders[1]}`.execute(
    db,
  )
  expect(rows).toEqual([
    {
      is_active: false,
      disabled_reason: 'The person who had this webhook no longer works on leads of the account.',
      paused_by: 'client',
      member_user_id: null,
      told: { member_user_id: null, was: member, by: account, note: null, released: true },
    },
  ])
})
