import { sql, type RawBuilder } from 'kysely'
import type { LeadStatus, LeadSummary } from '#core/contract/leads/lead.ts'
import type { LeadSort } from '#core/contract/leads/lead-query.ts'
import type { Db } from '../database.ts'
import type { PagePosition } from '../page.ts'
import { hideReturnedLead } from './hide-returned-lead.ts'
import { orderLeads, type LeadOrder } from './lead-order.ts'
import {
  hadBefore,
  isVisible,
  matchesLead,
  readSummary,
  summaryColumns,
  type StoredSummary,
  type Told,
  type Viewer,
} from './leads.ts'

export interface LeadFilter {
  search?: string | undefined
  status?: LeadStatus | undefined
  state?: string | undefined
  lead_type?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  is_test?: boolean | undefined
  disposition?: string | undefined
  /** only leads of which a delivery has finally failed */
  delivery?: 'failed' | undefined
  /** only leads that the viewer holds and has not opened */
  unread?: true | undefined
  sort?: LeadSort | undefined
}

export type LeadListRow = LeadSummary & { position: string }

/** A page of leads, newest first unless it is sorted otherwise, with one row more than `limit` where there is more. */
export async function listLeads(
  db: Db,
  viewer: Viewer,
  filter: LeadFilter,
  page: { limit: number; after: PagePosition | undefined },
): Promise<LeadListRow[]> {
  const order = orderFound(filter)
  const found = findIds(viewer, filter, { ...page, limit: page.limit + 1 })
  const { rows } = await sql<Omit<LeadListRow, Told> & StoredSummary>`
    select ${summaryColumns(viewer)}, ${order.place} as position
    from (${found}) page join leads l on l.id = page.id
    order by ${order.orderBy}
  `.execute(db)
  return rows.map((row) => hideReturnedLead(viewer, readSummary(row)))
}

/** The leads before and after one in a list; the one itself need not be in it any more. Undefined where the viewer has no such lead. */
export async function findNeighbours(
  db: Db,
  viewer: Viewer,
  filter: LeadFilter,
  id: string,
): Promise<{ previous: string | null; next: string | null } | undefined> {
  const { rows } = await sql<{ at: string }>`
    select ${orderFound(filter).place} as at from leads l where l.id = ${id} and (${isVisible(viewer)} or ${hadBefore(viewer)})`.execute(
    db,
  )
  const [place] = rows
  if (place === undefined) return undefined
  const after = { at: place.at, id }
  return {
    previous: await findFirst(db, viewer, filter, { after, isTurned: true }),
    next: await findFirst(db, viewer, filter, { after, isTurned: false }),
  }
}

/** The first lead behind a place of a list, or of the list turned round. */
export async function findFirst(
  db: Db,
  viewer: Viewer,
  filter: LeadFilter,
  from: { after: PagePosition; isTurned: boolean },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select beside.id from (${findIds(viewer, filter, { ...from, limit: 1 })}) beside`.execute(db)
  return rows[0]?.id ?? null
}

/** The order of leads `l` that were found, whatever was walked to find them. */
function orderFound(filter: LeadFilter, isTurned = false): LeadOrder {
  return orderLeads(filter.sort ?? '-received', walkedId(filter) && sql`l.id`, isTurned)
}

/** Newest first, leads that are found by who works them or by their deliveries are walked by their ids; undefined for all others. */
function walkedId({
  disposition,
  unread,
  delivery,
  sort = '-received',
}: LeadFilter): RawBuilder<unknown> | undefined {
  if (!sort.endsWith('received')) return undefined
  if (delivery === 'failed') return sql`failed.lead_id`
  return disposition !== undefined || unread === true ? sql`a.lead_id` : undefined
}

function findIds(
  viewer: Viewer,
  filter: LeadFilter,
  from: { after: PagePosition | undefined; limit: number; isTurned?: boolean },
): RawBuilder<unknown> {
  const { after, limit, isTurned } = from
  const order = orderLeads(filter.sort ?? '-received', walkedId(filter), isTurned)
  const conditions = filterConditions(viewer, filter)
  if (after !== undefined) conditions.push(order.isAfter(after))
  const branch = (whose: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select l.id as id from ${walk(viewer, filter)} where ${whose} and ${sql.join(conditions, sql` and `)}
    order by ${order.orderBy} limit ${limit}`
  if (viewer.role === 'admin') return branch(sql`true`)
  const held = branch(sql`l.assigned_to = ${viewer.user_id}`)
  // Only what one holds can be worked.
  if (filter.disposition !== undefined || filter.unread === true) return held
  // Each branch walks its own index and stops after a page; one OR over both would sort all leads of the client. The second is of the
  // few that one owns and another has, or nobody: once as its index has it, and once so that PostgreSQL knows how few they are.
  const owned = branch(sql`
    l.user_id = ${viewer.user_id} and l.assigned_to is distinct from l.user_id
    and (l.assigned_to is null or l.assigned_to < ${viewer.user_id} or l.assigned_to > ${viewer.user_id})`)
  return sql`
    select l.id from ((${held}) union all (${owned})${findPassedOn(viewer, filter, from)}) found join leads l on l.id = found.id
    order by ${orderFound(filter, isTurned).orderBy} limit ${limit}`
}

/**
 * What the client had before it went on to others, where that can be among the leads that are asked for: they are as returned ones, and
 * their names and prices, by which a list may be in order, are not for him.
 */
function findPassedOn(
  viewer: Viewer,
  filter: LeadFilter,
  { after, limit, isTurned }: { after: PagePosition | undefined; limit: number; isTurned?: boolean },
): RawBuilder<unknown> {
  const { status = 'returned', sort = '-received', search, delivery } = filter
  if (status !== 'returned' || search !== undefined || delivery !== undefined || !sort.endsWith('received'))
    return sql``
  const order = orderLeads(sort, undefined, isTurned)
  const conditions = filterConditions(viewer, { ...filter, status: undefined })
  if (after !== undefined) conditions.push(order.isAfter(after))
  return sql` union all (
    select l.id as id from lead_assignments a cross join lateral (select * from leads where leads.id = a.lead_id offset 0) l
    where a.client_user_id = ${viewer.user_id} and a.state = 'revoked' and ${sql.join(conditions, sql` and `)}
    order by ${order.orderBy} limit ${limit})`
}

/** What is walked, in the order of whose index: each lead is then looked up by itself, and only those that a page needs. */
function walk(viewer: Viewer, filter: LeadFilter): RawBuilder<unknown> {
  if (walkedId(filter) === undefined) return sql`leads l`
  const [walked, id] =
    filter.delivery === 'failed'
      ? [
          sql`(select distinct d.lead_id from webhook_deliveries d where ${hasFailed(viewer)}) failed`,
          sql`failed.lead_id`,
        ]
      : [sql`lead_assignments a`, sql`a.lead_id`]
  return sql`${walked} cross join lateral (select * from leads where leads.id = ${id} offset 0) l`
}

/** SQL on the delivery `d`. The newest of a configuration and event counts: a resend replaces what failed before it, unless it was cancelled. */
function hasFailed(viewer: Viewer): RawBuilder<unknown> {
  const whose = viewer.role === 'admin' ? sql`true` : sql`d.client_user_id = ${viewer.user_id}`
  return sql`${whose} and d.state = 'failed' and not exists (
    select from webhook_deliveries n
    where n.event_id = d.event_id and n.webhook_config_id = d.webhook_config_id and n.state <> 'cancelled'
      and (n.created_at, n.id) > (d.created_at, d.id))`
}

/** SQL on the assignment `a`. */
function isWorked(viewer: Viewer, { disposition, unread }: LeadFilter): RawBuilder<unknown> {
  const worked = [sql`a.state = 'active'`]
  if (viewer.role === 'client' || unread === true) worked.push(sql`a.client_user_id = ${viewer.user_id}`)
  if (disposition !== undefined) worked.push(sql`a.disposition = ${disposition}`)
  if (unread === true) worked.push(sql`a.first_viewed_at is null`)
  return sql.join(worked, sql` and `)
}

function filterConditions(viewer: Viewer, filter: LeadFilter): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (filter.search !== undefined) conditions.push(matchesLead(filter.search))
  // What is hidden must not be found either.
  if (filter.search !== undefined && viewer.role === 'client') conditions.push(sql`l.status <> 'returned'`)
  if (filter.status !== undefined) conditions.push(sql`l.status = ${filter.status}`)
  // Once as PostgreSQL knows how many there are, and once as the index has it.
  if (filter.state !== undefined)
    conditions.push(sql`l.state = ${filter.state} and coalesce(l.state, '') = ${filter.state}`)
  if (filter.lead_type !== undefined) conditions.push(sql`l.lead_type = ${filter.lead_type}`)
  if (filter.from !== undefined) conditions.push(sql`l.created_at >= ${filter.from}`)
  if (filter.to !== undefined) conditions.push(sql`l.created_at < ${filter.to}`)
  if (filter.is_test !== undefined) conditions.push(sql`l.is_test = ${filter.is_test}`)
  const isWalked = walkedId(filter) !== undefined
  if (filter.delivery === 'failed' && !isWalked)
    conditions.push(sql`l.id in (select d.lead_id from webhook_deliveries d where ${hasFailed(viewer)})`)
  if (filter.disposition === undefined && filter.unread === undefined) return conditions
  const worked = isWorked(viewer, filter)
  conditions.push(
    isWalked && filter.delivery === undefined
      ? worked
      : sql`l.id in (select a.lead_id from lead_assignments a where ${worked})`,
  )
  return conditions
}
