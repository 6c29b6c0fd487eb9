import { sql, type RawBuilder } from 'kysely'
import { ADMINISTRATION_ZONE } from '#core/contract/market/administration-zone.ts'
import type { HeldReturn, LeadReturn, ReturnStatus } from '#core/contract/market/lead-return.ts'
import { clientName } from '../accounts/named-client.ts'
import type { Db } from '../database.ts'
import { isoTime, isTheirs, type Viewer } from '../leads/leads.ts'
import { POSITION_FORMAT, type PagePosition } from '../page.ts'
import { restOfPrice } from './late/rest-of-price.ts'
import { evidenceOf } from './return-evidence.ts'
import { hasArrived } from './sale/arrived-leads.ts'

type Times = 'created_at' | 'decided_at'
type StoredReturn = Omit<LeadReturn, Times> & { created_at: Date; decided_at: Date | null }

/** SQL: the columns of a request `r` that a client sees; its assignment is `a`. */
const COLUMNS = sql`
  r.id, r.lead_id, r.reason, r.note, r.status, r.asked_by, ${restOfPrice('a')} as price, r.created_at, r.decided_at, r.decision_note,
  ${evidenceOf(sql`r.id`)} as evidence`

function readReturn({
  id,
  lead_id,
  reason,
  note,
  status,
  asked_by,
  price,
  ...row
}: StoredReturn): LeadReturn {
  const { decision_note, evidence } = row
  const times = { created_at: row.created_at.toISOString(), decided_at: isoTime(row.decided_at) }
  return { id, lead_id, reason, note, status, asked_by, price, ...times, decision_note, evidence }
}

/** A client's request to give this lead back, if there ever was one. */
export async function findReturnOfLead(
  db: Db,
  client: string,
  leadId: string,
): Promise<LeadReturn | undefined> {
  const { rows } = await sql<StoredReturn>`
    select ${COLUMNS} from lead_returns r join lead_assignments a on a.id = r.assignment_id
    where r.lead_id = ${leadId} and r.client_user_id = ${client} order by r.created_at desc limit 1`.execute(
    db,
  )
  return rows.map(readReturn)[0]
}

/** The facts about a held lead that core/domain/market/judge-return.ts needs, and its assignment. */
export interface ReturnableLead {
  assignment_id: string
  assigned_at: Date
  price: string
  is_test: boolean
  is_erased: boolean
  has_request: boolean
  timezone: string
}

/** Returns undefined if the client does not hold the lead. */
export async function findReturnableLead(
  db: Db,
  client: string,
  leadId: string,
): Promise<ReturnableLead | undefined> {
  const { rows } = await sql<ReturnableLead>`
    select a.id as assignment_id, a.assigned_at, a.price, l.is_test, l.redacted_at is not null as is_erased,
      exists (select from lead_returns r where r.assignment_id = a.id) as has_request,
      coalesce(c.timezone, ${ADMINISTRATION_ZONE}) as timezone
    from leads l join lead_assignments a on a.lead_id = l.id and a.state = 'active' and a.client_user_id = ${client}
    left join client_accounts c on c.user_id = a.client_user_id
    where l.id = ${leadId}`.execute(db)
  return rows[0]
}

/**
 * Number of leads that a client paid for in the last 30 days, and how many of them it gave back. Leads that Leadwire
 * took back do not count as given back.
 */
export async function countRecentReturns(
  db: Db,
  client: string,
): Promise<{ leads: number; returned: number }> {
  // No lead is held for sale so long that it was created more than a week before its sale; this limits the scan of the
  // client's index.
  const { rows } = await sql<{ leads: number; returned: number }>`
    select count(*)::int as leads, count(*) filter (where l.status = 'returned'
      and not exists (select from lead_returns r where r.lead_id = l.id and r.client_user_id = ${client} and r.asked_by <> 'client'))::int as returned
    from leads l
    where l.assigned_to = ${client} and l.created_at > now() - interval '37 days'
      and l.assigned_at > now() - interval '30 days' and l.price_charged > 0`.execute(db)
  return rows[0] ?? { leads: 0, returned: 0 }
}

/** SQL: the request `r` is about a lead that the agent who looks has, or had when its assignment `a` ended. */
export function isOfViewer(viewer: Viewer): RawBuilder<unknown> {
  return viewer.member_user_id === undefined
    ? sql`true`
    : sql`(a.state <> 'active' and a.member_user_id = ${viewer.member_user_id} or a.state = 'active' and exists (
        select from leads l where l.id = r.lead_id and ${isTheirs(viewer)}))`
}

type Page = { limit: number; after: PagePosition | undefined }

/** A client's or an agent's requests, newest first, with one more than `limit` if there are more. */
export async function listReturns(
  db: Db,
  viewer: Viewer,
  status: ReturnStatus | undefined,
  page: Page,
): Promise<Array<LeadReturn & { position: string }>> {
  const { rows } = await sql<StoredReturn & { position: string }>`
    select ${COLUMNS}, ${POSITION} from lead_returns r join lead_assignments a on a.id = r.assignment_id
    where r.client_user_id = ${viewer.user_id} and ${isOfViewer(viewer)} and ${hasStatus(status)} and ${isBefore(page.after)}
    order by r.created_at desc, r.id desc limit ${page.limit + 1}`.execute(db)
  return rows.map((row) => ({ ...readReturn(row), position: row.position }))
}

type StoredHeldReturn = StoredReturn & {
  held_for_review: boolean
  was_delivered: boolean
  client_user_id: string
  client_email: string
  client_name: string
  decided_by: string | null
  decider_email: string | null
  lead_type: string
  state: string | null
  assigned_at: Date
  position: string
}

/** All clients' requests for an administrator, newest first; or one of them. */
export async function listHeldReturns(
  db: Db,
  which: { status?: ReturnStatus | undefined; id?: string },
  page: Page,
): Promise<Array<HeldReturn & { position: string }>> {
  const one = which.id === undefined ? sql`true` : sql`r.id = ${which.id}`
  const { rows } = await sql<StoredHeldReturn>`
    select ${COLUMNS}, r.held_for_review, r.client_user_id, p.email::text as client_email, ${clientName('p')} as client_name, r.decided_by,
      d.email::text as decider_email, l.lead_type, l.state, a.assigned_at, ${POSITION},
      ${hasArrived(sql`r.lead_id`, sql`r.client_user_id`)} as was_delivered
    from lead_returns r join lead_assignments a on a.id = r.assignment_id join leads l on l.id = r.lead_id
    join profiles p on p.user_id = r.client_user_id left join profiles d on d.user_id = r.decided_by
    where ${one} and ${hasStatus(which.status)} and ${isBefore(page.after)}
    order by r.created_at desc, r.id desc limit ${page.limit + 1}`.execute(db)
  return rows.map((row) => ({
    ...readReturn(row),
    held_for_review: row.held_for_review,
    was_delivered: row.was_delivered,
    client: { user_id: row.client_user_id, name: row.client_name, email: row.client_email },
    decided_by: row.decided_by === null ? null : { user_id: row.decided_by, email: row.decider_email ?? '' },
    lead_type: row.lead_type,
    state: row.state,
    assigned_at: row.assigned_at.toISOString(),
    position: row.position,
  }))
}

const POSITION = sql`to_char(r.created_at at time zone 'utc', ${sql.lit(POSITION_FORMAT)}) as position`

function hasStatus(status: ReturnStatus | undefined): RawBuilder<unknown> {
  return status === undefined ? sql`true` : sql`r.status = ${status}`
}

function isBefore(after: PagePosition | undefined): RawBuilder<unknown> {
  return after === undefined
    ? sql`true`
    : sql`(r.created_at, r.id) < (${after.at}::timestamptz, ${after.id}::uuid)`
}
