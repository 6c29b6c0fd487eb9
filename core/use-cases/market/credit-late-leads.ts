import type { Kysely } from 'kysely'
import { readLateCreditLimit } from '#core/data/market/marketplace-settings.ts'
import {
  creditLate,
  keepLateLeads,
  lockLateCredits,
  readCreditDay,
  takeWaiting,
  timeOfCredits,
  waitForLimit,
  type CreditDay,
  type JudgedLead,
  type WaitingLead,
} from '#core/data/market/late/late-credits.ts'
import {
  forgetLateStarts,
  readLateStarts,
  readRequests,
  takeLateStarts,
  type LateStart,
} from '#core/data/market/late/late-starts.ts'
import type { Db } from '#core/data/database.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { findBusy } from '#core/domain/market/late/find-busy.ts'
import { measureLateLead, type Interval, type Measured } from '#core/domain/market/late/measure-late-lead.ts'
import { requireCents } from '#core/domain/market/cents.ts'
import { failpoint } from '#core/failpoints.ts'
import { DISPATCH, SHARE } from '#core/fairness/limits.ts'

/** Leads that are judged, and credited, in one transaction: few, so that their balances are locked for an instant. */
const JUDGED_AT_ONCE = 200
const CREDITED_AT_ONCE = 100

/**
 * Judges first attempts that may have begun late, in one transaction.
 * @param endpointLimit requests that one endpoint gets at a time (WEBHOOK_ENDPOINT_CONCURRENCY)
 * @returns whether there may be more
 */
export async function judgeLateLeads(db: Kysely<Database>, endpointLimit: number): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    if (!(await lockLateCredits(trx))) return false
    const events = await takeLateStarts(trx, JUDGED_AT_ONCE)
    if (events.length === 0) return false
    const starts = await readLateStarts(trx, events)
    const measured = await measure(trx, starts, endpointLimit)
    await keepLateLeads(trx, measured.flatMap(judge))
    await forgetLateStarts(trx, events)
    return events.length >= JUDGED_AT_ONCE / 2
  })
}

/**
 * Credits late leads that wait for it, in one transaction, the oldest first. A lead is credited once: the ledger takes one
 * such entry for each assignment. Safe to stop at any time.
 * @param at a time in place of PostgreSQL's, for tests of several days
 * @returns whether there may be more
 */
export async function creditLateLeads(db: Kysely<Database>, at?: Date): Promise<boolean> {
  const now = timeOfCredits(at)
  return await db.transaction().execute(async (trx) => {
    if (!(await lockLateCredits(trx))) return false
    const waiting = await takeWaiting(trx, CREDITED_AT_ONCE, now)
    if (waiting.length === 0) return false
    const most = await readLateCreditLimit(trx)
    const day = await readCreditDay(trx, most, now)
    const { within, beyond } = fitIn(waiting, { most: requireCents(most), ...day })
    await waitForLimit(trx, beyond, day.next_day)
    await creditLate(trx, within, now)
    await failpoint('before-late-credit')
    return waiting.length === CREDITED_AT_ONCE
  })
}

/**
 * The oldest first: what does not fit into a day waits, and so does everything after it, or small credits would overtake
 * it day after day. A credit is never cut. One above a whole day's limit holds up no other, and waits until an
 * administrator raises the limit.
 */
function fitIn(
  waiting: readonly WaitingLead[],
  { most, left, is_used_up: isUsedUp }: { most: number } & Pick<CreditDay, 'left' | 'is_used_up'>,
): { within: WaitingLead[]; beyond: WaitingLead[] } {
  let free = isUsedUp ? 0 : requireCents(left)
  const within: WaitingLead[] = []
  const beyond: WaitingLead[] = []
  for (const lead of waiting) {
    const price = requireCents(lead.price)
    if (price <= free) {
      free -= price
      within.push(lead)
      continue
    }
    if (price <= most) free = 0
    beyond.push(lead)
  }
  return { within, beyond }
}

/** Measures each lead; the client's own requests are only read for those that are late without them. */
async function measure(
  trx: Db,
  starts: readonly LateStart[],
  endpointLimit: number,
): Promise<{ start: LateStart; measured: Measured }[]> {
  const first = starts.map((start) => ({ start, measured: measureLateLead(start, []) }))
  const late = first.filter(({ measured }) => measured.verdict === 'late').map(({ start }) => start)
  if (late.length === 0) return first
  const from = new Date(Math.min(...late.map(({ due_at: at }) => at.getTime())))
  const to = new Date(Math.max(...late.map(({ begun_at: at }) => at.getTime())))
  const clients = [...new Set(late.map((start) => start.client_user_id))]
  const requests = Map.groupBy(await readRequests(trx, clients, { from, to }), (one) => one.client_user_id)
  // Each worker gives an endpoint its part of the limit, rounded down; together that is more than half of it.
  const ofEndpoint = Math.min(DISPATCH.share, Math.floor(endpointLimit / 2) + 1)
  const most = { ofClient: DISPATCH.share, ofEndpoint, slowMs: SHARE.slowMs }
  const busy = new Map<string, Interval[]>()
  const readBusy = ({ client_user_id: client, webhook_config_id: endpoint }: LateStart): Interval[] => {
    const known = busy.get(endpoint) ?? findBusy(requests.get(client) ?? [], endpoint, most)
    busy.set(endpoint, known)
    return known
  }
  return first.map(({ start, measured }) =>
    measured.verdict === 'late'
      ? { start, measured: measureLateLead(start, readBusy(start)) }
      : { start, measured },
  )
}

/** The row that is kept of a measured lead; none if it was in time. */
function judge({ start, measured }: { start: LateStart; measured: Measured }): JudgedLead[] {
  if (measured.verdict === 'in_time') return []
  const { assignment_id, lead_id, client_user_id, lead_type, price } = start
  const { received_at, sold_at, planned_at, begun_at } = start
  const refused = refuse(start)
  const kept = {
    assignment_id,
    lead_id,
    client_user_id,
    lead_type,
    price,
    received_at,
    sold_at,
    planned_at,
    begun_at,
    parts: measured.parts,
    ours_ms: measured.ours_ms,
  }
  if (refused !== undefined) return [{ ...kept, credit: 'none', reason: refused }]
  return measured.verdict === 'unclear'
    ? [{ ...kept, credit: 'unclear', reason: measured.reason }]
    : [{ ...kept, credit: 'waiting', reason: null }]
}

/** Why a lead gets no credit, however late it was. */
function refuse(start: LateStart): JudgedLead['reason'] | undefined {
  if (start.is_test) return 'test'
  if (Number(start.price) <= 0) return 'no_price'
  if (!start.is_credited) return 'off'
  if (!start.is_held) return 'returned'
  return start.is_client_erased ? 'account_erased' : undefined
}
