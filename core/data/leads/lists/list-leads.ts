import { sql, type RawBuilder } from 'kysely'
import type { LeadStatus, LeadSummary } from '#core/contract/leads/lead.ts'
import type { LeadSort } from '#core/contract/leads/lead-query.ts'
import type { Db } from '../../database.ts'
import type { PagePosition } from '../../page.ts'
import { hasFailed, haveFewFailed } from '../failed-delivery.ts'
import { hideReturnedLead } from '../hide-returned-lead.ts'
import { orderLeads, type LeadOrder } from './lead-order.ts'
import {
  isTheirs,
  readSummary,
  summaryColumns,
  type StoredSummary,
  type Told,
  type Viewer,
} from '../leads.ts'
import { cameWithin, chooseWay, listSpans, matchesLead, type SearchWay } from './search-leads.ts'

export interface LeadFilter {
  search?: string | undefined
  status?: LeadStatus | undefined
  state?: string | undefined
  lead_type?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  is_test?: boolean | undefined
  disposition?: string | undefined
  /** only leads with a finally failed delivery */
  delivery?: 'failed' | undefined
  /** only leads that the viewer holds and has not opened */
  unread?: true | undefined
  /** only leads of this person of the account; `none`: of nobody in particular */
  member?: string | undefined
  sort?: LeadSort | undefined
}

/**
 * A filter with decisions about the plan: how its text is searched for, whether only among leads of some spans, and
 * whether few deliveries have failed.
 */
export type PlannedFilter = LeadFilter & { way: SearchWay; hasFewFailed: boolean; spans?: readonly Date[] }

export type LeadListRow = LeadSummary & { position: string }

/** A page of leads, newest first unless another sort is given, with one row more than `limit` if there are more. */
export async function listLeads(
  db: Db,
  viewer: Viewer,
  filter: LeadFilter,
  page: { limit: number; after: PagePosition | undefined },
): Promise<LeadListRow[]> {
  const order = orderFound(filter)
  const limit = page.limit + 1
  const planned = await planFilter(db, viewer, filter, limit)
  const among = await findAmongNewest(db, viewer, planned, { ...page, limit })
  const found = among ?? findIds(viewer, planned, { ...page, limit })
  const { rows } = await sql<Omit<LeadListRow, Told> & StoredSummary>`
    /* planned for its values */ select ${summaryColumns(viewer)}, ${order.place} as position
    from (${found}) page join leads l on l.id = page.id
    order by ${order.orderBy}
  `.execute(db)
  return rows.map((row) => hideReturnedLead(viewer, readSummary(row)))
}

/** The ids of a whole page of a search among the newest leads, if that many are found: all other leads are older. */
export async function findAmongNewest(
  db: Db,
  viewer: Viewer,
  filter: PlannedFilter,
  page: { limit: number; after: PagePosition | undefined },
): Promise<RawBuilder<unknown> | undefined> {
  const { way, sort = '-received' } = filter
  const spans = way === 'walk' || sort !== '-received' ? undefined : listSpans(way, page.after?.at)
  if (spans === undefined) return undefined
  const { rows } = await sql<{ id: string }>`
    /* planned for its values */ select found.id from (${findIds(viewer, { ...filter, spans }, page)}) found`.execute(
    db,
  )
  const ids = rows.map(({ id }) => id)
  return ids.length === page.limit ? sql`select unnest(${ids}::uuid[]) as id` : undefined
}

/** Decides how the text of a filter is searched for, and whether few deliveries have failed. */
export async function planFilter(
  db: Db,
  viewer: Viewer,
  filter: LeadFilter,
  limit: number,
): Promise<PlannedFilter> {
  const { search, delivery } = filter
  const way = search === undefined ? 'walk' : await chooseWay(db, viewer, search, limit)
  const hasFewFailed =
    delivery === 'failed' && way === 'walk' && !isByTime(filter) && (await haveFewFailed(db, viewer))
  return { ...filter, way, hasFewFailed }
}

/** The order of the found leads `l`, whichever index was walked to find them. */
export function orderFound(filter: LeadFilter, isTurned = false): LeadOrder {
  return orderLeads(filter.sort ?? '-received', walkedId(filter) && sql`l.id`, isTurned)
}

/**
 * The id to walk by. If the newest come first, leads that are found by their disposition, by their deliveries, or by an
 * index of their own are walked by their ids. Undefined for all others.
 */
function walkedId({
  disposition,
  unread,
  delivery,
  status = 'assigned',
  sort,
}: LeadFilter): RawBuilder<unknown> | undefined {
  if (!isByTime({ sort })) return undefined
  if (delivery === 'failed') return sql`failed.lead_id`
  if (disposition !== undefined || unread === true) return sql`a.lead_id`
  return status === 'assigned' ? undefined : sql`l.id`
}

function isByTime({ sort = '-received' }: LeadFilter): boolean {
  return sort.endsWith('received')
}

/** Whether rows of other tables than leads are walked. A search by text runs before anything is walked. */
function isWalkedBeside(filter: PlannedFilter): boolean {
  const { disposition, unread, delivery, way } = filter
  const isBeside = disposition !== undefined || unread === true || delivery === 'failed'
  const isInOrder = walkedId(filter) !== undefined || filter.hasFewFailed
  return isBeside && isInOrder && (filter.search === undefined || way === 'walk')
}

export function findIds(
  viewer: Viewer,
  filter: PlannedFilter,
  from: { after: PagePosition | undefined; limit: number; isTurned?: boolean },
): RawBuilder<unknown> {
  const { after, limit, isTurned } = from
  const order = isWalkedBeside(filter)
    ? orderLeads(filter.sort ?? '-received', walkedId(filter), isTurned)
    : orderFound(filter, isTurned)
  const conditions = filterConditions(viewer, filter)
  if (after !== undefined) conditions.push(order.isAfter(after))
  const branch = (whose: RawBuilder<unknown>, walked = walk(viewer, filter, isTurned)) => sql`
    select l.id as id from ${walked} where ${whose} and ${sql.join(conditions, sql` and `)}
    order by ${order.orderBy} limit ${limit}`
  if (viewer.role === 'admin') return branch(sql`true`)
  // The index of texts is queried once.
  const isHeld = filter.disposition !== undefined || filter.unread === true
  const areHeld = sql`l.assigned_to = ${viewer.user_id}`
  const areTheirs = sql`(${areHeld} or l.user_id = ${viewer.user_id})`
  // The leads of one person have an index of their own.
  if (viewer.member_user_id !== undefined && !isHeld && filter.delivery === undefined)
    return branch(areTheirs)
  if (filter.search !== undefined && filter.way !== 'walk' && !isHeld) return branch(areTheirs)
  // Deliveries are queried once too: they name their client.
  if (filter.delivery === 'failed' && isWalkedBeside(filter) && !isHeld) return branch(areTheirs)
  const held = branch(areHeld)
  // Only held leads can have a disposition.
  if (isHeld) return held
  // Each branch walks its own index and stops after a page; one OR over both would sort all leads of the client.
  const isPlain = walkedId(filter) === undefined && isByTime(filter)
  const owned = branch(isOwnedAlone(viewer, sql`l`), isPlain ? sql`leads l` : walkOwned(viewer))
  const found = sql`((${held}) union all (${owned})${findPassedOn(viewer, filter, from)}) found`
  if (walkedId(filter) !== undefined)
    return sql`select found.id from ${found}
      order by ${orderLeads(filter.sort ?? '-received', sql`found.id`, isTurned).orderBy} limit ${limit}`
  return sql`
    select l.id from ${found} join leads l on l.id = found.id
    order by ${orderFound(filter, isTurned).orderBy} limit ${limit}`
}

/**
 * Leads that the client had before they went on to other clients, if the filter may match such leads. They are shown
 * like returned ones: the client may not see their names and prices, by which a list may be sorted.
 */
function findPassedOn(
  viewer: Viewer,
  filter: PlannedFilter,
  { after, limit, isTurned }: { after: PagePosition | undefined; limit: number; isTurned?: boolean },
): RawBuilder<unknown> {
  const { status = 'returned', sort = '-received', search, delivery, member } = filter
  if (member !== undefined || viewer.member_user_id !== undefined) return sql``
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

/**
 * SQL: the client owns the lead, and another client has it, or nobody. It is written twice: once as the index has it,
 * and once so that PostgreSQL estimates how few they are.
 */
export function isOwnedAlone({ user_id: client }: Viewer, lead: RawBuilder<unknown>): RawBuilder<unknown> {
  const holder = sql`${lead}.assigned_to`
  return sql`
    ${lead}.user_id = ${client} and ${lead}.user_id is not null and ${holder} is distinct from ${lead}.user_id
    and (${holder} is null or ${holder} < ${client} or ${holder} > ${client})`
}

/**
 * PostgreSQL overestimates the number of these few leads: unless their own index has the order of the list, it would
 * read all leads instead.
 */
export function walkOwned(viewer: Viewer): RawBuilder<unknown> {
  return sql`
    (select o.id from leads o where ${isOwnedAlone(viewer, sql`o`)} order by o.created_at desc, o.id desc offset 0) few
    cross join lateral (select * from leads where leads.id = few.id offset 0) l`
}

/**
 * The table that is walked in the order of its index. Each lead is then looked up separately, and only those that a
 * page needs.
 */
function walk(viewer: Viewer, filter: PlannedFilter, isTurned = false): RawBuilder<unknown> {
  const { search, way } = filter
  // The ids are found before sorting and filtering, so the index of texts is used only if it is worth its cost.
  if (search !== undefined && way !== 'walk') {
    const among = filter.spans === undefined ? sql`true` : cameWithin(filter.spans)
    return sql`(select * from leads l where ${matchesLead(search, way.pieces)} and ${among} offset 0) l`
  }
  if (!isWalkedBeside(filter)) return sql`leads l`
  // Otherwise PostgreSQL would join in the other direction and read the whole table.
  const direction = (filter.sort ?? '-received').startsWith('-') === isTurned ? sql`asc` : sql`desc`
  const [walked, id] =
    filter.delivery === 'failed'
      ? [
          sql`(select distinct d.lead_id from webhook_deliveries d where ${hasFailed(viewer)}
            order by d.lead_id ${direction}) failed`,
          sql`failed.lead_id`,
        ]
      : [sql`lead_assignments a`, sql`a.lead_id`]
  return sql`${walked} cross join lateral (select * from leads where leads.id = ${id} offset 0) l`
}

/** SQL on the assignment `a`. */
function isWorked(viewer: Viewer, { disposition, unread }: LeadFilter): RawBuilder<unknown> {
  const worked = [sql`a.state = 'active'`]
  if (viewer.role === 'client' || unread === true) worked.push(sql`a.client_user_id = ${viewer.user_id}`)
  if (disposition !== undefined) worked.push(sql`a.disposition = ${disposition}`)
  if (unread === true) worked.push(sql`a.first_viewed_at is null`)
  return sql.join(worked, sql` and `)
}

function filterConditions(viewer: Viewer, filter: PlannedFilter): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [isTheirs(viewer)]
  if (filter.member !== undefined)
    conditions.push(
      filter.member === 'none' ? sql`l.member_user_id is null` : sql`l.member_user_id = ${filter.member}`,
    )
  if (filter.search !== undefined && filter.way === 'walk')
    conditions.push(matchesLead(filter.search, 'walk'))
  // Hidden fields must not be found either, nor be revealed by a position among names.
  if (viewer.role === 'client' && (filter.search !== undefined || filter.sort?.endsWith('name') === true))
    conditions.push(filter.status === 'returned' ? sql`false` : sql`l.status <> 'returned'`)
  if (filter.status !== undefined) conditions.push(sql`l.status = ${sql.lit(filter.status)}`)
  if (filter.state !== undefined) conditions.push(sql`l.state = ${filter.state}`)
  if (filter.lead_type !== undefined) conditions.push(sql`l.lead_type = ${filter.lead_type}`)
  if (filter.from !== undefined) conditions.push(sql`l.created_at >= ${filter.from}`)
  if (filter.to !== undefined) conditions.push(sql`l.created_at < ${filter.to}`)
  if (filter.is_test !== undefined) conditions.push(filter.is_test ? sql`l.is_test` : sql`not l.is_test`)
  const isWalked = isWalkedBeside(filter)
  if (filter.delivery === 'failed' && !isWalked)
    conditions.push(
      sql`(select true from webhook_deliveries d where d.lead_id = l.id and ${hasFailed(viewer)} limit 1)`,
    )
  if (filter.disposition === undefined && filter.unread === undefined) return conditions
  const worked = isWorked(viewer, filter)
  conditions.push(
    isWalked && filter.delivery === undefined
      ? worked
      : sql`l.id in (select a.lead_id from lead_assignments a where ${worked})`,
  )
  return conditions
}
