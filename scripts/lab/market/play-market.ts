import { sql, type Kysely } from 'kysely'
import type { EventToEnqueue } from '#core/data/outbox/events.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { waitUntil } from '../wait-until.ts'
import { disturbMarket, type Disturbed } from './disturb-market.ts'
import { plantBuyers, plantLeads, plantOffers, plantOrders } from './plant-market.ts'

/** A running worker and server, and the ways to reach them. */
export interface MarketGround {
  db: Kysely<Database>
  /** the server's */
  url: string
  /** an administrator's access token */
  token: string
  /** enqueues events for the worker */
  publish: (events: EventToEnqueue[]) => Promise<boolean>
}

export interface MarketSize {
  clients: number
  callers: number
  leads: number
}

export interface PlayedMarket {
  /** answers of the RPC API, by outcome, and by status if it was not 200 */
  answers: Record<string, number>
  disturbed: Disturbed
  /** transactions that PostgreSQL aborted because of a deadlock, and that were repeated */
  deadlocks: number
  /** leads that are neither sold nor have a reason */
  undecided: number
  sold: number
  /** for each undisturbed order, the difference between its share of its leads and its weight's share */
  offShare: number
}

const WEIGHTS = [2, 3, 1]
/**
 * The last three tenths of the leads are requested over HTTP, and the first eight tenths go through the
 * queue, so a tenth uses both at once.
 */
const QUEUED = 0.8
const ASKED = 0.7
/** One of this many requests is made in SQL. */
const IN_SQL = 16
const REPEATED_FOR_MS = 60_000

/**
 * Runs a market through two paths at once while everything changes: the worker's queue, and many callers of
 * `assign_lead_to_buyer_concurrent`, some of them in SQL.
 */
export async function playMarket(ground: MarketGround, size: MarketSize): Promise<PlayedMarket> {
  const { db } = ground
  const market = await plantMarket(db, size)
  const before = await countDeadlocks(db)
  const stopping = new AbortController()
  const disturbing = disturbMarket(db, market, stopping.signal)
  disturbing.catch(() => undefined)
  const events = await plantOffers(db, market.leads.slice(0, size.leads * QUEUED))
  const asked = market.leads.slice(size.leads * ASKED)
  const answers: Record<string, number> = {}
  const call = async (): Promise<void> => {
    for (let id = asked.shift(); id !== undefined; id = asked.shift()) {
      const answer = asked.length % IN_SQL === 0 ? await askInSql(db, id) : await askOverHttp(ground, id)
      answers[answer] = (answers[answer] ?? 0) + 1
    }
  }
  try {
    await Promise.all([ground.publish(events), ...Array.from({ length: size.callers }, call)])
    const undecided = await waitUntil(
      async () => {
        const open = await countUndecided(db)
        return open === 0 ? 'none' : false
      },
      { what: 'Every lead decided', timeoutMs: 60_000 },
    ).then(
      () => 0,
      () => countUndecided(db),
    )
    stopping.abort()
    return {
      answers,
      disturbed: await disturbing,
      deadlocks: (await countDeadlocks(db)) - before,
      undecided,
      ...(await readSales(db, market.weighted)),
    }
  } finally {
    stopping.abort()
    await disturbing
  }
}

interface Market {
  clients: string[]
  orders: string[]
  weighted: string[]
  leads: string[]
}

/**
 * Makes clients whose funds and caps do not suffice; and three who want all leads of another type, by their
 * weights, and are not disturbed.
 */
async function plantMarket(db: Kysely<Database>, { clients: count, leads }: MarketSize): Promise<Market> {
  await sql`
    insert into lead_types (code, label, price, floor_price)
    select code, code, 25, 10 from unnest(array['medicare', 'auto']) code on conflict do nothing`.execute(db)
  const each = leads / count
  const clients = await plantBuyers(db, count, Math.ceil(each * 10))
  const orders = await plantOrders(
    db,
    clients.flatMap((client_user_id, index) => [
      { client_user_id, lead_type: 'final_expense', total_cap: Math.ceil(each / 2) },
      ...(index % 2 === 0 ? [{ client_user_id, lead_type: 'medicare', states: ['CA'] }] : []),
    ]),
  )
  const rich = await plantBuyers(db, WEIGHTS.length, 1_000_000)
  const weighted = await plantOrders(
    db,
    rich.map((client_user_id, index) => ({ client_user_id, lead_type: 'auto', weight: WEIGHTS[index] ?? 1 })),
  )
  const planted = await plantLeads(
    db,
    Array.from({ length: leads }, (_none, index) => {
      const lead_type = index % 4 === 0 ? 'auto' : index % 5 === 4 ? 'medicare' : 'final_expense'
      // One of eight disturbed leads is of a person who came before.
      const person = index % 8 === 7 ? (index * 7) % leads : index
      return { lead_type, state: 'CA', age: 70, phone: `+1512${String(3_000_000 + person)}` }
    }),
  )
  return { clients, orders, weighted, leads: planted }
}

/**
 * A caller that is told to try again does so: on a busy machine the last of many waits longer for a
 * connection than the limit.
 */
async function askOverHttp(ground: MarketGround, id: string): Promise<string> {
  const since = performance.now()
  for (;;) {
    const { isToRepeat, answer } = await askOnce(ground, id)
    if (!isToRepeat || performance.now() - since > REPEATED_FOR_MS) return answer
  }
}

async function askOnce(
  { url, token }: MarketGround,
  id: string,
): Promise<{ isToRepeat: boolean; answer: string }> {
  const answer = await fetch(`${url}/api/v1/rpc/assign_lead_to_buyer_concurrent`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ lead_id_param: id }),
  })
  const body = (await answer.json()) as { outcome?: string; detail?: string }
  const told =
    answer.status === 200 ? (body.outcome ?? 'no outcome') : `status ${answer.status}: ${body.detail}`
  return { isToRepeat: answer.status === 503, answer: told }
}

/** In SQL an unassigned lead is only offered; the worker decides it. */
async function askInSql(db: Kysely<Database>, id: string): Promise<string> {
  const { rows } = await sql<{ answer: { outcome: string } }>`
    select assign_lead_to_buyer_concurrent(${id}) as answer`.execute(db)
  return `in SQL: ${rows[0]?.answer.outcome}`
}

async function countUndecided(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from leads l where not l.is_test and (l.status = 'new'
      or not exists (select from assignment_decisions d where d.lead_id = l.id))`.execute(db)
  return rows[0]?.open ?? 0
}

async function countDeadlocks(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select deadlocks::int as count from pg_stat_database where datname = current_database()`.execute(db)
  return rows[0]?.count ?? 0
}

async function readSales(
  db: Kysely<Database>,
  weighted: readonly string[],
): Promise<{ sold: number; offShare: number }> {
  const { rows: sales } = await sql<{ sold: number }>`
    select count(*)::int as sold from lead_assignments where order_id is not null`.execute(db)
  const { rows } = await sql<{ total: number }>`
    select total_leads as total from order_tallies where order_id = any(${[...weighted]}::uuid[])
    order by array_position(${[...weighted]}::uuid[], order_id)`.execute(db)
  const all = rows.reduce((sum, { total }) => sum + total, 0)
  const weights = WEIGHTS.reduce((sum, weight) => sum + weight, 0)
  const off = rows.map(({ total }, index) => Math.abs(total / all - (WEIGHTS[index] ?? 0) / weights))
  return { sold: sales[0]?.sold ?? 0, offShare: Math.max(...off) }
}
