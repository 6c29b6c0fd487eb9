import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'
import { uuidAt } from '#core/domain/uuid-at.ts'
import { keepTallies } from './keep-tallies.ts'

/** An act of a history: which lead by its number, which client, a choice, and how many minutes ago it happens at the earliest. */
export interface HistoryStep {
  lead: number
  client: number
  value: number
  minutes: number
}
interface Place {
  db: Kysely<Database>
  clients: readonly string[]
}
type Act = (place: Place, step: HistoryStep) => Promise<unknown>

const pick = <T>(list: readonly T[], value: number): T => list[value % list.length] as T

function idAt(at: Date): string {
  const hex = randomBytes(10).toString('hex')
  return uuidAt(at, `00000000-0000-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`)
}

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)

/** The lead of a step: a number counts from the newest. */
async function findLead(db: Kysely<Database>, { lead }: HistoryStep) {
  const { rows } = await sql<{ id: string; created_at: Date; assigned_to: string | null }>`
    select id, created_at, assigned_to from leads where user_id is null and not is_test and status <> 'duplicate' order by created_at desc offset ${lead} limit 1`.execute(
    db,
  )
  return rows[0]
}

/** Nothing happens to a lead before the last thing that happened to it. */
async function whenNext(db: Kysely<Database>, lead: string, minutes: number): Promise<Date> {
  const { rows } = await sql<{ last: Date }>`
    select greatest(l.created_at, (select max(assigned_at) from lead_assignments a where a.lead_id = l.id),
      (select max(decided_at) from lead_returns r where r.lead_id = l.id)) as last from leads l where l.id = ${lead}`.execute(
    db,
  )
  return new Date(Math.max(ago(minutes).getTime(), (rows[0]?.last.getTime() ?? 0) + 1))
}

async function enter(
  db: Kysely<Database>,
  client: string,
  amount: number,
  at: Date,
  reference: string,
  kind = amount < 0 ? 'lead_purchase' : 'lead_return',
) {
  await sql`
    insert into balance_ledger (client_user_id, entry_type, amount, reference_type, reference_id, created_at)
    values (${client}, ${kind}, ${amount}, 'assignment', ${reference}, ${at})`.execute(db)
}

/** Acts on leads and deliveries, each at its own time, with the rows that the product writes for it. */
export const HISTORY_ACTS = {
  bring: async ({ db }, { minutes, value }) => {
    const at = ago(minutes)
    await sql`
      insert into leads (id, source_id, lead_type, state, status, cost, is_test, created_at)
      values (${idAt(at)}, (select id from sources order by id offset ${value % 3} limit 1), ${pick(['auto', 'final_expense'], value)}, ${pick(['TX', 'CA', null], value)}, ${pick(['unassigned', 'duplicate', 'new'], value)}, ${pick([null, 4.5, 8], value)}, ${value % 11 === 0}, ${at})`.execute(
      db,
    )
  },
  /** a lead whose source names a client is not for sale */
  own: async ({ db, clients }, { minutes, client }) => {
    const at = ago(minutes)
    await sql`insert into leads (id, lead_type, user_id, created_at) values (${idAt(at)}, 'auto', ${pick(clients, client)}, ${at})`.execute(
      db,
    )
    await sql`update leads set is_test = true where user_id is not null`.execute(db)
  },
  sell: async ({ db, clients }, step) => {
    const lead = await findLead(db, step)
    if (lead === undefined || lead.assigned_to !== null) return
    const [client, at] = [pick(clients, step.client), await whenNext(db, lead.id, step.minutes)]
    // Nobody buys a lead twice.
    const { rows } =
      await sql`select from lead_assignments where lead_id = ${lead.id} and client_user_id = ${client}`.execute(
        db,
      )
    if (rows.length > 0) return
    const [id, price] = [idAt(at), 10 + step.value + 0.25]
    await sql`
      update leads set assigned_to = ${client}, order_id = (select id from orders where client_user_id = ${client}), status = 'assigned', price_charged = ${price}, assigned_at = ${at} where id = ${lead.id}`.execute(
      db,
    )
    await sql`
      insert into lead_assignments (id, lead_id, client_user_id, order_id, price, assigned_at)
      select ${id}, ${lead.id}, ${client}, (select id from orders where client_user_id = ${client}), ${price}, ${at}`.execute(
      db,
    )
    await enter(db, client, -price, at, id)
  },
  /** an even value: the client gives it back; an odd one: nobody was reached, and it is offered to others */
  giveBack: async ({ db }, step) => {
    const lead = await findLead(db, step)
    if (lead === undefined) return
    const { rows } = await sql<{ id: string; client_user_id: string; rest: string }>`
      select id, client_user_id, price - coalesce((select sum(amount) from balance_ledger e
        where e.entry_type = 'late_credit' and e.reference_id = a.id::text), 0) as rest
      from lead_assignments a where lead_id = ${lead.id} and state = 'active'`.execute(db)
    const [held] = rows
    if (held === undefined) return
    const at = await whenNext(db, lead.id, step.minutes)
    const isOffered = step.value % 2 === 1
    const status = step.value % 7 === 0 ? 'denied' : 'approved'
    const asked = await sql`
      insert into lead_returns (assignment_id, lead_id, client_user_id, reason, status, decided_at, created_at)
      values (${held.id}, ${lead.id}, ${held.client_user_id}, 'wrong_state', ${status}, ${at}, ${at}) on conflict do nothing returning id`.execute(
      db,
    )
    if (status === 'denied' || asked.rows.length === 0) return
    await sql`update lead_assignments set state = ${isOffered ? 'revoked' : 'returned'} where id = ${held.id}`.execute(
      db,
    )
    await sql`update leads set status = ${isOffered ? 'unassigned' : 'returned'}, assigned_to = ${isOffered ? null : held.client_user_id} where id = ${lead.id}`.execute(
      db,
    )
    if (Number(held.rest) > 0) await enter(db, held.client_user_id, Number(held.rest), at, held.id)
  },
  creditLate: async ({ db }, step) => {
    const lead = await findLead(db, step)
    if (lead === undefined) return
    const at = await whenNext(db, lead.id, step.minutes)
    const { rows } = await sql<{ id: string; client: string; price: string }>`
      insert into late_leads (assignment_id, lead_id, client_user_id, lead_type, received_at, sold_at, planned_at, begun_at, parts,
        ours_ms, price, credit, credited_at)
      select id, lead_id, client_user_id, 'auto', assigned_at, assigned_at, assigned_at, assigned_at, '[]', 6000, price, 'credited', ${at}
      from lead_assignments where lead_id = ${lead.id} and state = 'active' and price > 0
      on conflict do nothing returning assignment_id as id, client_user_id as client, price`.execute(db)
    for (const { id, client, price } of rows) await enter(db, client, Number(price), at, id, 'late_credit')
  },
  /** money that a client gets is no revenue, and no loss of it */
  payOut: async ({ db, clients }, { client, minutes, value }) => {
    await sql`
      insert into balance_ledger (client_user_id, entry_type, amount, note, created_at)
      values (${pick(clients, client)}, 'refund_out', ${-1 - value}, 'By check, reference 7: Test', ${ago(minutes)})`.execute(
      db,
    )
  },
  send: async ({ db }, step) => {
    const lead = await findLead(db, step)
    if (lead === undefined || lead.assigned_to === null) return
    const at = await whenNext(db, lead.id, step.minutes)
    const state = pick(['pending', 'held', 'delivered', 'failed', 'delivered'], step.value)
    await sql`
      with told as (
        insert into events (type, lead_id, client_user_id, enqueued_at, planned_at, created_at)
        values ('lead.assigned', ${lead.id}, ${lead.assigned_to}, now(), now(), ${at}) returning id)
      insert into webhook_deliveries (id, event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt, created_at, finished_at, next_attempt_at)
      select ${idAt(at)}, told.id, 'lead.assigned', (select id from client_webhook_configs where client_user_id = ${lead.assigned_to} order by id offset ${step.value % 2} limit 1),
        ${lead.assigned_to}, ${lead.id}, ${state}, ${step.value % 3}, ${at}, case when ${state} in ('delivered', 'failed') then ${at}::timestamptz end,
        case when ${state} in ('pending', 'held') then now() + interval '1 hour' end from told`.execute(db)
  },
  /** an attempt of a delivery that waits, or its cancellation */
  attempt: async ({ db }, { value, minutes }) =>
    sql`
      update webhook_deliveries set attempt = attempt + 1, state = ${pick(['delivered', 'failed', 'cancelled', 'pending'], value)},
        finished_at = case when ${value % 4} < 3 then greatest(created_at, ${ago(minutes)}::timestamptz) end
      where id = (select id from webhook_deliveries where state in ('pending', 'held') order by created_at offset ${value % 3} limit 1)`.execute(
      db,
    ),
  resend: async ({ db }, { value, minutes }) =>
    sql`
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, resend_of, state, created_at, next_attempt_at)
      select event_id, event_type, webhook_config_id, client_user_id, lead_id, id, 'pending', greatest(finished_at, ${ago(minutes)}::timestamptz) + interval '1 millisecond', now() + interval '1 hour'
      from webhook_deliveries d where state = 'failed' and not exists (select from webhook_deliveries o where o.resend_of = d.id)
      order by created_at offset ${value % 3} limit 1`.execute(db),
} satisfies Record<string, Act>

/** All rows that figures are made of. */
export interface Rows {
  leads: {
    id: string
    created_at: Date
    user_id: string | null
    cost: string | null
    source_id: string | null
    status: string
  }[]
  sales: { lead_id: string; client_user_id: string; assigned_at: Date }[]
  returns: { client_user_id: string; decided_at: Date | null }[]
  ledger: {
    kind: string
    amount: string
    created_at: Date
    client: string
    lead_type: string
    state: string | null
    source: string | null
  }[]
  deliveries: {
    id: string
    client_user_id: string
    webhook_config_id: string
    state: string
    resend_of: string | null
    attempt: number
    created_at: Date
    finished_at: Date | null
    is_recent: boolean
  }[]
}

/** Reads all of them, and tells the orders and the endpoints' hours what the product would have told them. */
export async function readRows(db: Kysely<Database>): Promise<Rows> {
  await keepTallies(db)
  await sql`truncate webhook_endpoint_hours`.execute(db)
  await sql`
    insert into webhook_endpoint_hours (webhook_config_id, hour, delivered, failed, latency)
    select webhook_config_id, date_trunc('hour', finished_at), count(*), 0, array_fill(0, array[13]) from webhook_deliveries
    where state = 'delivered' group by 1, 2`.execute(db)
  const read = async <Row>(query: ReturnType<typeof sql<Row>>) => (await query.execute(db)).rows
  return {
    leads: await read(
      sql<
        Rows['leads'][number]
      >`select id, created_at, user_id, cost, source_id, status from leads where not is_test`,
    ),
    sales: await read(
      sql<
        Rows['sales'][number]
      >`select lead_id, client_user_id, assigned_at from lead_assignments where price > 0`,
    ),
    returns: await read(
      sql<
        Rows['returns'][number]
      >`select client_user_id, decided_at from lead_returns where status = 'approved'`,
    ),
    ledger: await read(
      sql<
        Rows['ledger'][number]
      >`select e.entry_type as kind, e.amount, e.created_at, e.client_user_id as client, l.lead_type, l.state::text as state, l.source_id as source
        from balance_ledger e join lead_assignments a on a.id::text = e.reference_id join leads l on l.id = a.lead_id
        where e.entry_type in ('lead_purchase', 'lead_return', 'late_credit')`,
    ),
    deliveries: await read(sql<Rows['deliveries'][number]>`
      select id, client_user_id, webhook_config_id, state, resend_of, attempt, created_at, finished_at,
        coalesce(finished_at >= date_trunc('hour', now()) - interval '23 hours', false) as is_recent from webhook_deliveries`),
  }
}
