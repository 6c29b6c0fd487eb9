import { sql, type RawBuilder } from 'kysely'
import {
  MOST_TOTALLED,
  type AdminLead,
  type AdminLeadFilter,
  type AdminLeadTotals,
} from '#core/contract/leads/admin-lead.ts'
import type { Db } from '../database.ts'
import { POSITION_FORMAT, type PagePosition } from '../page.ts'
import { deliveriesOfLead, type StoredDeliveries } from './deliveries-of-lead.ts'
import { isRevocationTold, type Viewer } from './leads.ts'
import { namedClient } from '../accounts/named-client.ts'
import { cameWithin, chooseWay, listSpans, matchesLead, type SearchWay } from './lists/search-leads.ts'

type StoredLead = Omit<AdminLead, 'created_at' | 'delivery_counts'> & {
  created_at: Date
  deliveries: StoredDeliveries
  position: string
}

interface Page {
  limit: number
  after: PagePosition | undefined
  /** the last lead that is looked at; undefined: all are */
  end?: PagePosition | undefined
}

/** Leads that a page, and totals, look through if no index leads to those of the filter. */
export const LOOKED_THROUGH = { page: 100_000, totals: 200_000 }

/**
 * A page of all leads, newest first, with one row more than `limit` if there are more. `end` is the last lead that was
 * looked at, if older ones were not.
 * @param most leads that are looked at, if no index leads to those of the filter
 */
export async function listAdminLeads(
  db: Db,
  viewer: Viewer,
  filter: AdminLeadFilter,
  asked: Page,
  most = LOOKED_THROUGH.page,
): Promise<{ rows: Array<AdminLead & { position: string }>; end: PagePosition | undefined }> {
  const limit = asked.limit + 1
  const way = await findWay(db, viewer, filter, limit)
  const end = isWalked(filter, way) ? await findEnd(db, most, asked.after) : undefined
  const page = { ...asked, end }
  const recent = way === 'walk' ? undefined : listSpans(way, page.after?.at)
  const among = recent && (await findIdsAmong(db, filter, way, { ...page, limit }, recent))
  const found = among ?? findIds(filter, way, { ...page, limit })
  const { rows } = await sql<StoredLead>`
    /* planned for its values */ select l.id, l.name, l.email::text as email, l.phone, l.state, l.lead_type, l.status,
      l.is_test, l.created_at,
      (select jsonb_build_object('id', s.id, 'name', s.name) from sources s where s.id = l.source_id) as source,
      d.outcome, d.reason, ${namedClient(sql`l.assigned_to`)} as holder, l.price_charged as price,
      ${isRevocationTold(viewer)} as consent_revoked,
      (${deliveriesOfLead(undefined)}) as deliveries,
      to_char(l.created_at at time zone 'utc', ${sql.lit(POSITION_FORMAT)}) as position
    from (${found}) page join leads l on l.id = page.id left join assignment_decisions d on d.lead_id = l.id
    order by ${orderBy(filter)}`.execute(db)
  const leads = rows.map(({ deliveries, created_at, ...lead }) => ({
    ...lead,
    created_at: created_at.toISOString(),
    delivery_counts: deliveries.counts,
  }))
  return { rows: leads, end }
}

/** Whether leads are looked at one by one: no index leads to those of the filter. */
function isWalked(filter: AdminLeadFilter, way: SearchWay): boolean {
  const { state, lead_type, status, is_test, source, outcome, reason } = filter
  const narrows = [state, lead_type, status, is_test, source, outcome, reason].some(
    (one) => one !== undefined,
  )
  return way === 'walk' && !isByClient(filter) && narrows
}

/** The last of so many leads, from a place or from the newest; undefined if there are fewer. */
async function findEnd(
  db: Db,
  count: number,
  after: PagePosition | undefined,
): Promise<PagePosition | undefined> {
  const { rows } = await sql<PagePosition>`
    select id, to_char(created_at at time zone 'utc', ${sql.lit(POSITION_FORMAT)}) as at from leads
    where id = (
      select id from leads where ${after === undefined ? sql`true` : sql`id < ${after.id}::uuid`}
      order by id desc offset ${sql.lit(count - 1)} limit 1)`.execute(db)
  return rows[0]
}

/**
 * Counts the leads of a filter and their money, over its newest {@link MOST_TOTALLED} leads, or those among the newest
 * {@link LOOKED_THROUGH}.
 */
export async function totalAdminLeads(
  db: Db,
  viewer: Viewer,
  filter: AdminLeadFilter,
): Promise<AdminLeadTotals> {
  const way = await findWay(db, viewer, filter, MOST_TOTALLED)
  const end = isWalked(filter, way) ? await findEnd(db, LOOKED_THROUGH.totals, undefined) : undefined
  // Without an order PostgreSQL may stop anywhere, so an order is asked for only by a filter above the limit.
  const { rows } = await sql<{ all: number } & Omit<AdminLeadTotals, 'has_more'>>`
    /* planned for its values */ select least(count(*), ${MOST_TOTALLED})::int as leads, count(*)::int as all,
      count(*) filter (where l.status = 'assigned')::int as sold,
      coalesce(sum(l.price_charged) filter (where l.status = 'assigned'), 0)::numeric(14, 2)::text as revenue,
      count(*) filter (where l.status = 'returned')::int as returned,
      count(*) filter (where l.status in ('new', 'unassigned', 'expired'))::int as unsold
    from (
      select l.status, l.price_charged from ${walked(filter, way)} where ${conditionsOf(filter, way)} and ${isUntil(end)}
      order by ${orderBy(filter)} limit ${MOST_TOTALLED + 1}
    ) l`.execute(db)
  const [{ all, ...totals } = { all: 0, leads: 0, sold: 0, revenue: '0.00', returned: 0, unsold: 0 }] = rows
  return { ...totals, has_more: all > MOST_TOTALLED || end !== undefined }
}

const isUntil = (end: PagePosition | undefined) =>
  end === undefined ? sql`true` : sql`l.id >= ${end.id}::uuid`

async function findWay(
  db: Db,
  viewer: Viewer,
  { search }: AdminLeadFilter,
  limit: number,
): Promise<SearchWay> {
  return search === undefined ? 'walk' : await chooseWay(db, viewer, search, limit)
}

/** The ids of a whole page of a search among recent leads, if that many are found: all other leads are older. */
async function findIdsAmong(
  db: Db,
  filter: AdminLeadFilter,
  way: SearchWay,
  page: Page,
  spans: readonly Date[],
): Promise<RawBuilder<unknown> | undefined> {
  const { rows } = await sql<{ id: string }>`
    /* planned for its values */ select found.id from (${findIds(filter, way, page, spans)}) found`.execute(
    db,
  )
  if (rows.length < page.limit) return undefined
  return sql`select unnest(${rows.map(({ id }) => id)}::uuid[]) as id`
}

function findIds(
  filter: AdminLeadFilter,
  way: SearchWay,
  { limit, after, end }: Page,
  spans?: readonly Date[],
): RawBuilder<unknown> {
  const beyond =
    after === undefined
      ? sql`true`
      : isByClient(filter)
        ? sql`(l.created_at, l.id) < (${after.at}::timestamptz, ${after.id}::uuid)`
        : sql`l.id < ${after.id}::uuid`
  return sql`
    select l.id from ${walked(filter, way, spans)} where ${conditionsOf(filter, way)} and ${beyond} and ${isUntil(end)}
    order by ${orderBy(filter)} limit ${limit}`
}

/** Leads of a client are walked by its own index; others by their ids, which ascend as leads come. */
function isByClient({ client, order }: AdminLeadFilter): boolean {
  return client !== undefined || order !== undefined
}

function orderBy(filter: AdminLeadFilter): RawBuilder<unknown> {
  return isByClient(filter) ? sql`l.created_at desc, l.id desc` : sql`l.id desc`
}

function walked(filter: AdminLeadFilter, way: SearchWay, spans?: readonly Date[]): RawBuilder<unknown> {
  const { search, outcome, reason } = filter
  const leads =
    search === undefined || way === 'walk'
      ? sql`leads l`
      : sql`(select * from leads l where ${matchesLead(search, way.pieces)}
          and ${spans === undefined ? sql`true` : cameWithin(spans)} offset 0) l`
  return outcome === undefined && reason === undefined
    ? leads
    : sql`${leads} join assignment_decisions d on d.lead_id = l.id`
}

/** Decisions by the statuses that their leads can have, which narrow faster than the decisions do. */
const STATUSES_OF = {
  assigned: ['assigned', 'returned', 'redacted'],
  no_buyer: ['unassigned', 'expired', 'redacted'],
  duplicate: ['duplicate', 'redacted'],
  rejected: ['rejected', 'redacted'],
  expired: ['expired', 'redacted'],
} as const

function conditionsOf(filter: AdminLeadFilter, way: SearchWay): RawBuilder<unknown> {
  const { search, status, state, lead_type, from, to, is_test, client, source, order, outcome, reason } =
    filter
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (search !== undefined && way === 'walk') conditions.push(matchesLead(search, 'walk'))
  if (status !== undefined) conditions.push(sql`l.status = ${sql.lit(status)}`)
  if (state !== undefined) conditions.push(sql`l.state = ${state}`)
  if (lead_type !== undefined) conditions.push(sql`l.lead_type = ${lead_type}`)
  if (from !== undefined) conditions.push(sql`l.created_at >= ${from}`)
  if (to !== undefined) conditions.push(sql`l.created_at < ${to}`)
  if (is_test !== undefined) conditions.push(is_test ? sql`l.is_test` : sql`not l.is_test`)
  if (client !== undefined) conditions.push(sql`l.assigned_to = ${client}`)
  if (source !== undefined) conditions.push(sql`l.source_id = ${source}`)
  if (order !== undefined)
    conditions.push(
      sql`l.order_id = ${order} and l.assigned_to = (select o.client_user_id from orders o where o.id = ${order})`,
    )
  if (outcome !== undefined)
    conditions.push(
      sql`d.outcome = ${outcome} and l.status in (${sql.join(STATUSES_OF[outcome].map((one) => sql.lit(one)))})`,
    )
  if (reason !== undefined) conditions.push(sql`d.reason = ${reason}`)
  return sql.join(conditions, sql` and `)
}
