import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { lockLead } from '#core/data/market/settle-return.ts'
import { insertResend } from '#core/data/webhooks/deliveries/resend-deliveries.ts'
import { setWebhookMember } from '#core/data/webhooks/webhook-members.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { giveLead } from '#core/use-cases/market/give-lead.ts'
import { releaseMember } from '#core/use-cases/market/release-member.ts'
import { takeLeadBack } from '#core/use-cases/market/take-lead-back.ts'
import { planDeliveries } from '#core/use-cases/planning/plan-deliveries.ts'
import { freshState, givenOffers } from '#tests/support/given/market.ts'
import { startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { beginInTheWayOf } from '#tests/support/given/lock-waits.ts'
import { givenAccount, type GivenAccount } from './given-account.ts'

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())

interface Step {
  act: keyof typeof ACTS
  lead: number
  /** 0 nobody in particular, 1 the first agent, 2 the second */
  whose: 0 | 1 | 2
  hook: 0 | 1 | 2
}
interface Place extends GivenAccount {
  leads: string[]
  states: readonly [string, string, string]
}
const memberOf = ({ agents }: Place, whose: 0 | 1 | 2) => (whose === 0 ? null : (agents[whose - 1] ?? null))
const transact = async <T>(work: Parameters<ReturnType<typeof pipeline.db.transaction>['execute']>[0]) =>
  (await repeatOnConflict(() => pipeline.db.transaction().execute(work))) as T

/** Acts on the account; one that is refused changes nothing. */
const ACTS = {
  sell: async (place: Place, { whose }: Step) => {
    const [lead = ''] = await givenOffers(pipeline.db, [{ state: place.states[whose] }])
    await assignLeads(pipeline.context.market, [lead])
    place.leads.push(lead)
  },
  plan: async (place: Place) => {
    const { rows } = await sql<{ id: string }>`
      select id from events where client_user_id = ${place.account} and planned_at is null order by id`.execute(
      pipeline.db,
    )
    await planDeliveries(
      pipeline.db,
      rows.map(({ id }) => ({ event_id: id, turn: 0 })),
    )
  },
  give: async (place: Place, { lead, whose }: Step) => {
    const giving = { client: place.account, member: memberOf(place, whose), by: place.account, note: null }
    await transact((trx) => giveLead(trx, { ...giving, lead_id: place.leads.at(lead) ?? place.account }))
  },
  giveBack: async (place: Place, { lead, whose }: Step) => {
    const lead_id = place.leads.at(lead)
    if (lead_id === undefined) return
    const taking = { reason: 'wrong_state', by: null, state: whose === 0 ? 'returned' : 'revoked' } as const
    await transact(async (trx) => {
      await lockLead(trx, lead_id)
      const { rows } = await sql<{ id: string }>`
        select id from lead_assignments where lead_id = ${lead_id} and state = 'active'`.execute(trx)
      const held = { lead_id, client_user_id: place.account }
      if (rows[0] !== undefined) await takeLeadBack(trx, { ...held, assignment_id: rows[0].id }, taking)
    })
  },
  hook: async (place: Place, { hook, whose }: Step) => {
    const which = { client: place.account, webhook_config_id: place.hooks[hook] }
    await transact((trx) => setWebhookMember(trx, which, memberOf(place, whose), place.account))
  },
  /** sends a delivery again that has failed */
  resend: async (place: Place, { lead, hook }: Step) => {
    const { rows } = await sql<{ id: string }>`
      update webhook_deliveries set state = 'failed', next_attempt_at = null, finished_at = now()
      where lead_id = ${place.leads.at(lead) ?? null} and webhook_config_id = ${place.hooks[hook]} and state = 'pending'
      returning id`.execute(pipeline.db)
    for (const { id } of rows)
      await transact(async (trx) => {
        await sql`select from client_webhook_configs where id = ${place.hooks[hook]} for no key update`.execute(
          trx,
        )
        const made = await sql<{ id: string }>`select uuid_v7() as id`.execute(trx)
        await insertResend(trx, place.account, id, made.rows[0]?.id ?? '')
      })
  },
  leave: async (place: Place, { whose }: Step) => {
    const member = memberOf(place, whose)
    if (member !== null)
      await transact((trx) => releaseMember(trx, { account: place.account, member, by: place.account }))
  },
} satisfies Record<string, (place: Place, step: Step) => Promise<unknown>>

const steps = fc.array(
  fc.record({
    act: fc.constantFrom(
      ...([
        'sell',
        'sell',
        'sell',
        'plan',
        'plan',
        'give',
        'give',
        'giveBack',
        'hook',
        'resend',
        'leave',
      ] as const),
    ),
    lead: fc.integer({ min: -3, max: -1 }),
    whose: fc.constantFrom(0 as const, 1 as const, 2 as const),
    hook: fc.constantFrom(0 as const, 1 as const, 2 as const),
  }),
  { minLength: 4, maxLength: 24 },
)

/** Deliveries that wait for a person's webhook, about leads that are not that person's. */
async function findStray(account: string) {
  const { rows } = await sql`
    select d.id, d.state, c.member_user_id, l.member_user_id as owner from webhook_deliveries d
    join client_webhook_configs c on c.id = d.webhook_config_id join leads l on l.id = d.lead_id
    where d.client_user_id = ${account} and d.state in ('pending', 'held') and c.member_user_id is not null
      and l.member_user_id is distinct from c.member_user_id`.execute(pipeline.db)
  return rows
}

/** Pairs of a lead and a webhook to which the lead was planned more often than its person changed. */
async function findRepeated(account: string) {
  const { rows } = await sql`
    select d.lead_id, d.webhook_config_id from webhook_deliveries d
    where d.client_user_id = ${account} and d.resend_of is null
    group by d.lead_id, d.webhook_config_id
    having count(*) > 1 + (select count(*) from events e where e.lead_id = d.lead_id and e.type = 'lead.given'
      and e.data ->> 'member_user_id' is not null)`.execute(pipeline.db)
  return rows
}

test('in random histories of two agents, a person’s webhook never waits to get another person’s lead', async () => {
  const states = [freshState(), freshState(), freshState()] as const
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      await sql`update orders set deleted_at = now() where deleted_at is null`.execute(pipeline.db)
      const place: Place = {
        ...(await givenAccount(pipeline, 'http://127.0.0.1:1', states)),
        leads: [],
        states,
      }
      // Two at a time, so that each meets the others half-way.
      for (let at = 0; at < history.length; at += 2) {
        const pair = history.slice(at, at + 2)
        await Promise.all(
          pair.map(async (step) => {
            try {
              await ACTS[step.act](place, step)
            } catch (error) {
              expect(error).toHaveProperty('code')
              expect(['not_found', 'conflict']).toContain((error as { code: unknown }).code)
            }
          }),
        )
        expect(await findStray(place.account)).toEqual([])
      }
      await ACTS.plan(place)
      expect(await findStray(place.account)).toEqual([])
      expect(await findRepeated(place.account)).toEqual([])
      const { rows } = await sql`
        select from leads where assigned_to is null and member_user_id is not null`.execute(pipeline.db)
      expect(rows).toEqual([])
    }),
    { numRuns: 25 },
  )
}, 120_000)

/** Plans everything while the work of a transaction is done and not committed. */
async function planDuring(place: Place, work: Parameters<typeof beginInTheWayOf>[1]): Promise<void> {
  const [planned] = await beginInTheWayOf(pipeline.db, work, [() => ACTS.plan(place)])
  expect(planned?.status).toBe('fulfilled')
}

test('a planner that meets a change of a webhook’s or a lead’s person half-way sends nothing to the former one', async () => {
  const states = [freshState(), freshState(), freshState()] as const
  const place: Place = { ...(await givenAccount(pipeline, 'http://127.0.0.1:1', states)), leads: [], states }
  const { account, agents, hooks } = place
  const step = { act: 'sell', lead: -1, whose: 1, hook: 1 } as const
  await ACTS.sell(place, step)
  await planDuring(place, (trx) =>
    setWebhookMember(trx, { client: account, webhook_config_id: hooks[1] }, agents[1], account),
  )
  expect(await findStray(account)).toEqual([])

  // A webhook that hears of received leads, and a lead that an agent made.
  await sql`update client_webhook_configs set trigger_on_lead_created = true where client_user_id = ${account}`.execute(
    pipeline.db,
  )
  const { rows } = await sql<{ id: string }>`
    insert into leads (lead_type, user_id, member_user_id, is_test) values ('auto', ${account}, ${agents[1]}, true) returning id`.execute(
    pipeline.db,
  )
  const lead_id = rows[0]?.id ?? ''
  await sql`insert into events (type, lead_id, client_user_id) values ('lead.created', ${lead_id}, ${account})`.execute(
    pipeline.db,
  )
  const giving = { lead_id, client: account, member: agents[0], by: account, note: null }
  await planDuring(place, (trx) => giveLead(trx, giving))
  expect(await findStray(account)).toEqual([])
})

test.each(['plain', 'judged'])(
  'a webhook whose person changes while a planner waits for it gets the leads of the new one: no lead is lost (%s form)',
  async (form) => {
    const states = [freshState(), freshState(), freshState()] as const
    const place: Place = {
      ...(await givenAccount(pipeline, 'http://127.0.0.1:1', states)),
      leads: [],
      states,
    }
    const { account, agents, hooks } = place
    if (form === 'plain')
      await sql`delete from client_webhook_configs where id in (${hooks[1]}, ${hooks[2]})`.execute(
        pipeline.db,
      )
    /** Sells a lead of the first agent, whose planner meets the change. @returns the deliveries to the webhook */
    const meet = async (hook: string, member: string | null): Promise<number> => {
      await ACTS.sell(place, { act: 'sell', lead: -1, whose: 1, hook: 1 })
      await planDuring(place, (trx) =>
        setWebhookMember(trx, { client: account, webhook_config_id: hook }, member, account),
      )
      const { rows } = await sql`
        select from webhook_deliveries where lead_id = ${place.leads.at(-1)} and webhook_config_id = ${hook}`.execute(
        pipeline.db,
      )
      return rows.length
    }
    expect(await meet(hooks[0], agents[0])).toBe(1)
    await ACTS.hook(place, { act: 'hook', lead: -1, whose: 0, hook: 0 })
    expect(await meet(hooks[0], agents[1])).toBe(0)
    if (form === 'judged') expect(await meet(hooks[1], null)).toBe(1)
    expect(await findStray(account)).toEqual([])
  },
)

test('a person who leaves while their order buys keeps no lead of that sale', async () => {
  const { db } = pipeline
  const states = [freshState(), freshState(), freshState()] as const
  const place: Place = { ...(await givenAccount(pipeline, 'http://127.0.0.1:1', states)), leads: [], states }
  const { agents, orders } = place
  await ACTS.sell(place, { act: 'sell', lead: -1, whose: 0, hook: 1 })
  const lead = place.leads[0] ?? ''
  const [left] = await beginInTheWayOf(
    db,
    async (trx) => {
      // Like a sale, this holds the order, and its lead is not committed yet.
      await sql`select from orders where id = ${orders[1]} for no key update`.execute(trx)
      await sql`update leads set member_user_id = ${agents[0]} where id = ${lead}`.execute(trx)
    },
    [() => ACTS.leave(place, { act: 'leave', lead: -1, whose: 1, hook: 1 })],
  )
  expect(left?.status).toBe('fulfilled')
  const stored = db.selectFrom('leads').select('member_user_id').where('id', '=', lead)
  expect(await stored.executeTakeFirst()).toEqual({ member_user_id: null })
})
