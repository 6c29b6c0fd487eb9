import { sql, type RawBuilder } from 'kysely'
import { ADMINISTRATION_ZONE } from '#core/contract/market/administration-zone.ts'
import type { LateLead, LatePart, LateReason } from '#core/contract/market/late-lead.ts'
import type { Db } from '../../database.ts'
import { isoTime } from '../../leads/leads.ts'
import { postEntries } from '../ledger.ts'

const LOCK = sql`hashtext('leadwire late credits')`

/** One transaction at a time judges and credits, so that the day's limit is exact. @returns false while another does */
export async function lockLateCredits(trx: Db): Promise<boolean> {
  await sql`select set_config('lock_timeout', '1s', true)`.execute(trx)
  const { rows } = await sql<{ is_mine: boolean }>`
    select pg_try_advisory_xact_lock(${LOCK}) as is_mine`.execute(trx)
  return rows[0]?.is_mine === true
}

/** A judged late lead, as it is kept. */
export interface JudgedLead {
  assignment_id: string
  lead_id: string
  client_user_id: string
  lead_type: string
  received_at: Date
  sold_at: Date
  planned_at: Date
  begun_at: Date
  parts: LatePart[]
  ours_ms: number
  price: string
  /** `credit`: to be credited, if the day's limit leaves room */
  credit: 'none' | 'unclear' | 'waiting'
  reason: LateReason | null
}

/** Keeps late leads; one that is kept already stays as it is. */
export async function keepLateLeads(trx: Db, leads: readonly JudgedLead[]): Promise<void> {
  if (leads.length === 0) return
  await sql`
    insert into late_leads (assignment_id, lead_id, client_user_id, lead_type, received_at, sold_at, planned_at, begun_at,
      parts, ours_ms, price, credit, reason, wait_until)
    select n.*, case when n.credit = 'waiting' then now() end
    from jsonb_to_recordset(${JSON.stringify(leads)}::jsonb) as n (assignment_id uuid, lead_id uuid, client_user_id uuid,
      lead_type text, received_at timestamptz, sold_at timestamptz, planned_at timestamptz, begun_at timestamptz, parts jsonb,
      ours_ms bigint, price numeric, credit text, reason text)
    on conflict do nothing`.execute(trx)
}

/** A late lead that waits for its credit. */
export interface WaitingLead {
  assignment_id: string
  client_user_id: string
  price: string
}

/** SQL: a time. */
type Now = RawBuilder<Date>

/** PostgreSQL's time, unless another one is given, as a test of several days does. */
export function timeOfCredits(at: Date | undefined): Now {
  return at === undefined ? sql<Date>`now()` : sql<Date>`${at}::timestamptz`
}

/**
 * Takes late leads whose credit is due, the oldest first, and locks their leads: nobody returns one meanwhile. Leads
 * that somebody else has locked are left for the next time.
 */
export async function takeWaiting(trx: Db, limit: number, now: Now): Promise<WaitingLead[]> {
  const { rows: locked } = await sql<{ id: string }>`
    select l.id from leads l where l.id = any(array(
      select k.lead_id from late_leads k where k.credit = 'waiting' and k.wait_until <= ${now} order by k.begun_at, k.assignment_id
      limit ${limit})) order by l.id for no key update skip locked`.execute(trx)
  if (locked.length === 0) return []
  // A separate statement, so that it sees the commit of the previous holder of each lock.
  await sql`
    update late_leads k set credit = 'none', wait_until = null, reason = case when a.state <> 'active' then 'returned' else 'account_erased' end
    from lead_assignments a join auth.users u on u.id = a.client_user_id
    where a.id = k.assignment_id and k.lead_id = any(${locked.map(({ id }) => id)}::uuid[]) and k.credit = 'waiting'
      and (a.state <> 'active' or u.deleted_at is not null)`.execute(trx)
  const { rows } = await sql<WaitingLead>`
    select assignment_id, client_user_id, price from late_leads
    where lead_id = any(${locked.map(({ id }) => id)}::uuid[]) and credit = 'waiting' and wait_until <= ${now}
    order by begun_at, assignment_id`.execute(trx)
  return rows
}

/** The rest of the limit of a day, in the administration's zone. */
export interface CreditDay {
  left: string
  /** an older credit did not fit in any more, so the others wait behind it */
  is_used_up: boolean
  next_day: Date
}

export async function readCreditDay(trx: Db, most: number, now: Now): Promise<CreditDay> {
  // The next day begins 23 or 25 hours after this one when the clocks change.
  const { rows } = await sql<CreditDay>`
    select (${most}::numeric - coalesce((select sum(price) from late_leads where credit = 'credited' and credited_at >= d.begins), 0))::text as left,
      exists (select from late_leads where credit = 'waiting' and reason = 'daily_limit'
        and wait_until > ${now} and price <= ${most}::numeric) as is_used_up,
      (d.today + interval '1 day') at time zone ${ADMINISTRATION_ZONE} as next_day
    from (select t.today, t.today at time zone ${ADMINISTRATION_ZONE} as begins
      from (select date_trunc('day', ${now} at time zone ${ADMINISTRATION_ZONE}) as today) t) d`.execute(trx)
  const [row] = rows
  if (row === undefined) throw new Error('PostgreSQL answered nothing')
  return row
}

/** Lets leads wait for their credit until the next day. */
export async function waitForLimit(trx: Db, leads: readonly WaitingLead[], until: Date): Promise<void> {
  if (leads.length === 0) return
  await sql`
    update late_leads set wait_until = ${until}, reason = 'daily_limit'
    where assignment_id = any(${leads.map((lead) => lead.assignment_id)}::uuid[])`.execute(trx)
}

/** Has credits that wait for the next day judged again at once, because the limit was changed. */
export async function hurryWaiting(trx: Db): Promise<void> {
  // A run that has read the earlier limit ends first. Otherwise it would put its leads off again.
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
  await sql`update late_leads set wait_until = now() where credit = 'waiting' and wait_until > now()`.execute(
    trx,
  )
}

/**
 * Credits late leads, whose leads the caller has locked. The ledger takes one such entry for each assignment. This
 * comes last, because it locks balances.
 */
export async function creditLate(trx: Db, leads: readonly WaitingLead[], now: Now): Promise<void> {
  if (leads.length === 0) return
  await sql`
    update late_leads set credit = 'credited', credited_at = ${now}, wait_until = null, reason = null
    where assignment_id = any(${leads.map((lead) => lead.assignment_id)}::uuid[])`.execute(trx)
  await postEntries(
    trx,
    leads.map(({ assignment_id, client_user_id, price }) => ({
      client_user_id,
      entry_type: 'late_credit',
      amount: price,
      reference_type: 'assignment',
      reference_id: assignment_id,
    })),
  )
}

/** The late leads of one lead: of one client, or of all. */
export async function findLateLeads(db: Db, leadId: string, client: string | undefined): Promise<LateLead[]> {
  const rows = await db
    .selectFrom('late_leads')
    .selectAll()
    .where('lead_id', '=', leadId)
    .$if(client !== undefined, (query) => query.where('client_user_id', '=', client ?? ''))
    .orderBy('sold_at')
    .execute()
  return rows.map((row) => ({
    received_at: row.received_at.toISOString(),
    sold_at: row.sold_at.toISOString(),
    planned_at: row.planned_at.toISOString(),
    begun_at: row.begun_at.toISOString(),
    parts: row.parts as LatePart[],
    ours_ms: Number(row.ours_ms),
    credit: row.credit,
    reason: row.reason as LateReason | null,
    amount: row.price,
    wait_until: isoTime(row.wait_until),
    credited_at: isoTime(row.credited_at),
  }))
}
