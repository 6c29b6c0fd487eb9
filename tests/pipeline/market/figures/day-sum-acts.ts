import { sql, type Kysely } from 'kysely'
import { removeDayChanges } from '#core/data/market/figures/day-sums.ts'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { recordAttempts } from '#core/data/webhooks/deliveries/record-attempts.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { removeByAge } from '#core/use-cases/retention/remove-by-age.ts'
import { attemptRecord, claimAt } from '#tests/support/given/attempt-record.ts'

const DAY_MS = 86_400_000

/** The clients of an act, and the one webhook that gets leads. */
interface Place {
  db: Kysely<Database>
  clients: readonly string[]
  config: string
}
export interface Step {
  /** number of the lead */
  lead: number
  client: number
  value: number
}
type Act = (place: Place, ids: readonly string[], step: Step) => Promise<void>

/**
 * Claims that delivery. Other due deliveries of the endpoint are claimed too, and none of them waits for
 * longer than a lease.
 */
async function claimWith({ db, config }: Place, id: string): Promise<ClaimedDelivery> {
  const seen: string[] = []
  for (;;) {
    const claimed = await claimAt(db, config)
    const found = claimed.find((delivery) => delivery.delivery_id === id)
    if (found !== undefined) return found
    if (claimed.length === 0) throw new Error(`delivery ${id} was not claimed, ${seen.length} others were`)
    seen.push(...claimed.map((delivery) => delivery.delivery_id))
  }
}

export const pick = <T>(list: readonly T[], value: number): T => list[value % list.length] as T
const ofLead = (ids: readonly string[], { lead }: Step) => pick(ids, lead)

/**
 * Everything that can happen to a lead, written by the product's own statements; a repeat changes nothing, or
 * as much again.
 */
export const ACTS = {
  bring: async ({ clients, db }, _ids, step) => {
    await sql`
      insert into leads (created_at, lead_type, state, status, assigned_to, price_charged)
      values (now() - ${step.lead} * interval '1 day', 'auto', 'TX', 'assigned', ${pick(clients, step.client)}, ${step.value})`.execute(
      db,
    )
  },
  sell: async ({ clients, db }, ids, step) => {
    const [id, client] = [ofLead(ids, step), pick(clients, step.client)]
    await sql`
      update lead_assignments set state = ${pick(['revoked', 'returned'], step.value)} where lead_id = ${id} and state = 'active'`.execute(
      db,
    )
    await sql`
      with sold as (
        update leads set assigned_to = ${client}, status = 'assigned', price_charged = ${step.value} + 0.25 where id = ${id} returning id, created_at)
      insert into lead_assignments (lead_id, client_user_id, price, assigned_at)
      select id, ${client}, ${step.value} + 0.25, created_at + interval '1 minute' from sold`.execute(db)
  },
  take: async ({ db }, _ids, step) => {
    await sql`
      insert into lead_assignments (lead_id, client_user_id, disposition, assigned_at)
      select id, assigned_to, ${pick(['sold', 'contacted'], step.value)}, created_at from leads l
      where assigned_to is not null and not exists (select from lead_assignments a where a.lead_id = l.id and a.state = 'active')
      limit 1`.execute(db)
  },
  // Everything is old: finished deliveries go, and leads lose their persons.
  age: async ({ db }) => {
    await sql`update webhook_deliveries set finished_at = now() where state in ('delivered', 'failed', 'cancelled')`.execute(
      db,
    )
    const retention = { soldLeadDays: 1, unsoldLeadDays: 1, decisionDays: undefined, auditDays: undefined }
    await removeByAge({
      db,
      periods: { logs: { keepDays: 1, keepBodiesDays: 1 }, retention },
      now: new Date(Date.now() + 2 * DAY_MS),
      signal: new AbortController().signal,
      rest: 0,
    })
  },
  work: async ({ db }, ids, step) => {
    const disposition = pick(['new', 'contacted', 'sold', 'bad_number'], step.value)
    await sql`
      update lead_assignments set disposition = ${disposition} where lead_id = ${ofLead(ids, step)} and state = 'active'`.execute(
      db,
    )
  },
  giveBack: async ({ db }, ids, step) => {
    await sql`
      insert into lead_returns (assignment_id, lead_id, client_user_id, reason, status)
      select id, lead_id, client_user_id, 'wrong_state', ${pick(['pending', 'approved'], step.value)} from lead_assignments where lead_id = ${ofLead(ids, step)} and state = 'active'
      on conflict do nothing`.execute(db)
  },
  decide: async ({ db }, ids, step) => {
    const status = pick(['approved', 'denied', 'pending'], step.value)
    await sql`update lead_returns set status = ${status} where lead_id = ${ofLead(ids, step)}`.execute(db)
  },
  /** the client's CRM reports a sale, or corrects one, or a quote */
  report: async ({ config, db }, ids, step) => {
    await sql`
      insert into lead_outcomes (lead_id, assignment_id, client_user_id, webhook_config_id, outcome, amount)
      select lead_id, id, client_user_id, ${config}, ${pick(['sold', 'sold', 'quoted'], step.value)}, ${pick([1200, 0, null, 75.5], step.value)}
      from lead_assignments where lead_id = ${ofLead(ids, step)} and state = 'active'`.execute(db)
  },
  /** late leads are judged, and credited later */
  judgeLate: async ({ db }, ids, step) => {
    const credit = pick(['credited', 'waiting'], step.value)
    await sql`
      insert into late_leads (assignment_id, lead_id, client_user_id, lead_type, received_at, sold_at, planned_at, begun_at, parts,
        ours_ms, price, credit, credited_at, wait_until)
      select id, lead_id, client_user_id, 'auto', assigned_at, assigned_at, assigned_at, assigned_at, '[]', 6000, coalesce(price, 0), ${credit},
        case when ${credit} = 'credited' then now() end, case when ${credit} = 'waiting' then now() end
      from lead_assignments where lead_id = ${ofLead(ids, step)} and state = 'active'
      on conflict (assignment_id) do update set credit = excluded.credit, credited_at = excluded.credited_at, wait_until = excluded.wait_until`.execute(
      db,
    )
  },
  send: async ({ config, db }, ids, step) => {
    await sql`
      with told as (
        insert into events (type, lead_id, client_user_id, enqueued_at, planned_at)
        select 'lead.assigned', id, assigned_to, now(), now() from leads where id = ${ofLead(ids, step)} and assigned_to is not null
        returning id, lead_id, client_user_id)
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, attempt, state)
      select id, 'lead.assigned', ${config}, client_user_id, lead_id, 1, ${pick(['delivered', 'failed'], step.value)} from told`.execute(
      db,
    )
  },
  attempt: async ({ db }, ids, step) => {
    const state = pick(['delivered', 'failed', 'pending', 'cancelled'], step.value)
    await sql`
      update webhook_deliveries set attempt = attempt + 1, state = ${state} where lead_id = ${ofLead(ids, step)}`.execute(
      db,
    )
  },
  deliver: async (place, ids, step) => {
    const { config, db } = place
    const { rows } = await sql<{ id: string }>`
      with told as (
        insert into events (type, lead_id, client_user_id, enqueued_at, planned_at)
        select 'lead.assigned', id, assigned_to, now(), now() from leads where id = ${ofLead(ids, step)} and assigned_to is not null
        returning id, lead_id, client_user_id)
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id)
      select id, 'lead.assigned', ${config}, client_user_id, lead_id from told returning id`.execute(db)
    // Other deliveries of the endpoint may have waited longer and are claimed first.
    for (const { id } of rows) {
      const delivery = await claimWith(place, id)
      const state = pick(['delivered', 'failed', 'pending'] as const, step.value)
      const fields = { attempt: delivery.attempt, state, retry_in_seconds: state === 'pending' ? 60 : null }
      await recordAttempts(db, [attemptRecord(delivery, delivery.lease_token, fields)])
    }
  },
  resend: async ({ db }, ids, step) => {
    await sql`
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, resend_of)
      select event_id, event_type, webhook_config_id, client_user_id, lead_id, id from webhook_deliveries
      where lead_id = ${ofLead(ids, step)} and state = 'failed' limit 1`.execute(db)
  },
  forgetDeliveries: async ({ db }, ids, step) => {
    await sql`delete from webhook_deliveries where lead_id = ${ofLead(ids, step)}`.execute(db)
  },
  erase: async ({ db }, ids, step) => {
    await sql`
      update leads set status = 'redacted', redacted_at = now(), state = null, source = null where id = ${ofLead(ids, step)}`.execute(
      db,
    )
  },
  change: async ({ db }, ids, step) => {
    await sql`
      update leads set state = ${pick(['TX', 'CA', null], step.value)}, is_test = ${step.value % 5 === 0},
        created_at = created_at - ${step.value} * interval '7 hours'
      where id = ${ofLead(ids, step)}`.execute(db)
  },
  remove: async ({ db }, ids, step) => {
    await sql`delete from leads where id = ${ofLead(ids, step)}`.execute(db)
  },
  forgetChanges: async ({ db }) => {
    await removeDayChanges(db, new Date(Date.now() + DAY_MS))
  },
} satisfies Record<string, Act>
