import { sql, type RawBuilder } from 'kysely'
import type { LeadSummary } from '#core/contract/leads/lead.ts'
import type { Db } from '../database.ts'
import { hideReturnedLead } from './hide-returned-lead.ts'
import { deliveriesOfLead, type StoredDeliveries } from './deliveries-of-lead.ts'

/**
 * The account that looks. A client sees the leads assigned to it or owned by it; an administrator sees all. An agent of
 * an account sees those of its leads that are theirs.
 */
export interface Viewer {
  user_id: string
  role: 'client' | 'admin'
  /** the agent */
  member_user_id?: string | undefined
}

/** SQL: the lead `l` is the agent's who looks; every lead, for all others. */
export function isTheirs({ role, member_user_id: member }: Viewer): RawBuilder<unknown> {
  return role === 'admin' || member === undefined ? sql`true` : sql`l.member_user_id = ${member}`
}

/** Columns that the driver returns in another form than the API. */
export interface StoredSummary {
  created_at: Date
  assigned_at: Date | null
  deliveries: StoredDeliveries
}

/** The columns that {@link readSummary} passes on to the API. */
export type Told = 'created_at' | 'assigned_at' | 'delivery_status' | 'delivery_counts'

/** The row that a client's own insert returns (docs/product.md §7). */
export type OwnLead = LeadSummary & {
  user_id: string | null
  assigned_to: string | null
  first_name: string | null
  last_name: string | null
}

/** Reads one lead, if this viewer may see it. */
export async function findLead(db: Db, viewer: Viewer, id: string): Promise<OwnLead | undefined> {
  const { rows } = await sql<Omit<OwnLead, Told> & StoredSummary>`
    select ${summaryColumns(viewer)}, l.user_id, l.assigned_to, l.first_name, l.last_name
    from leads l where l.id = ${id} and ${isVisible(viewer)}
  `.execute(db)
  return rows.map((row) => hideReturnedLead(viewer, readSummary(row)))[0]
}

/** SQL: whether this viewer may see the lead `l`. */
export function isVisible(viewer: Viewer): RawBuilder<boolean> {
  return viewer.role === 'admin'
    ? sql<boolean>`true`
    : sql<boolean>`((l.assigned_to = ${viewer.user_id} or l.user_id = ${viewer.user_id}) and ${isTheirs(viewer)})`
}

/**
 * SQL: this client had the lead `l` before another client got it. The client still sees that the lead existed, and
 * nothing that came after. For an agent, a lead that was returned is one of these too.
 */
export function hadBefore(viewer: Viewer): RawBuilder<boolean> {
  return viewer.role === 'admin'
    ? sql<boolean>`false`
    : sql<boolean>`exists (select from lead_assignments past where ${isPast(viewer)})`
}

const isPast = (viewer: Viewer): RawBuilder<unknown> =>
  viewer.member_user_id === undefined
    ? sql`past.lead_id = l.id and past.client_user_id = ${viewer.user_id} and past.state = 'revoked'`
    : sql`past.lead_id = l.id and past.client_user_id = ${viewer.user_id} and past.state <> 'active'
        and past.member_user_id = ${viewer.member_user_id}`

/** SQL: the lead `l` now belongs to somebody else, and this viewer sees it only as a lead that it {@link hadBefore}. */
export function isOthersNow(viewer: Viewer): RawBuilder<boolean> {
  return viewer.role === 'admin'
    ? sql<boolean>`false`
    : sql<boolean>`(l.assigned_to is distinct from ${viewer.user_id} and l.user_id is distinct from ${viewer.user_id}
        or (${isTheirs(viewer)}) is not true)`
}

/**
 * SQL: the viewer's account was told that the person of the lead `l` revoked consent; for administrators, anybody may not
 * contact the person, or its holder may not.
 */
export function isRevocationTold(viewer: Viewer): RawBuilder<boolean> {
  const isAdmin = viewer.role === 'admin'
  // Not as `exists`, of which PostgreSQL makes a hash of the whole table while that is small.
  const told = sql`coalesce((
      select true from revocation_holders told
      where told.lead_id = l.id and told.client_user_id = ${isAdmin ? sql`l.assigned_to` : sql`${viewer.user_id}`}), false)`
  return isAdmin ? sql<boolean>`(l.consent_revoked_at is not null or ${told})` : sql<boolean>`${told}`
}

/** SQL: the columns of a LeadSummary, as this viewer sees the lead `l`; {@link readSummary} reads them. */
export function summaryColumns(viewer: Viewer): RawBuilder<unknown> {
  const isHeld =
    viewer.role === 'admin' ? sql`true` : sql`(l.assigned_to = ${viewer.user_id} and ${isTheirs(viewer)})`
  const isOthers = isOthersNow(viewer)
  const wasThen = (column: 'price' | 'assigned_at') =>
    sql`(select ${sql.ref(`past.${column}`)} from lead_assignments past where ${isPast(viewer)})`
  return sql`
    l.id, l.name, l.email::text, l.phone, l.state, l.city, l.lead_type, l.source, l.member_user_id,
    case when ${isOthers} then 'returned' else l.status end as status, l.deal_size::float8, l.is_test, l.created_at,
    case when ${isOthers} then ${wasThen('assigned_at')} else l.assigned_at end as assigned_at,
    exists (
      select from lead_assignments a
      where a.lead_id = l.id and a.state = 'active' and a.client_user_id = ${viewer.user_id} and a.first_viewed_at is null
    ) as unread,
    case when ${isHeld} then l.price_charged when ${isOthers} then ${wasThen('price')} end as price,
    (select a.disposition from lead_assignments a where a.lead_id = l.id and a.state = 'active' and ${isHeld}) as disposition,
    ${isRevocationTold(viewer)} as consent_revoked,
    (${deliveriesOfLead(viewer.role === 'admin' ? undefined : viewer.user_id, viewer.member_user_id)}) as deliveries`
}

/** Converts the row to the form of the API. */
export function readSummary<Row extends StoredSummary>({ deliveries, ...row }: Row) {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    assigned_at: isoTime(row.assigned_at),
    delivery_status: deliveries.status,
    delivery_counts: deliveries.counts,
  }
}

/** Converts the driver's Date to the API's text. */
export function isoTime(time: Date | null): string | null {
  return time === null ? null : time.toISOString()
}
