import { sql, type RawBuilder } from 'kysely'
import { RETURNED_LEAD_NAME } from '#core/contract/leads/lead.ts'
import type { Db } from '../database.ts'
import { isOwnedAlone, walkOwned } from '../leads/lists/list-leads.ts'
import {
  cameWithin,
  chooseWay,
  listSpans,
  matchesLead,
  type IndexedSearch,
} from '../leads/lists/search-leads.ts'
import { holdsFor, isByTime, listOrder, orderOf } from './condition-sql.ts'
import { leadColumns } from './row-columns.ts'
import { asViewer, isOwned, type RowOwner } from './row-owner.ts'
import type { RowCondition, RowQuery } from './row-query.ts'
import { readStoredRows, selectAsJson, type StoredRow } from './select-rows.ts'

/** The conditions and the part of them that the index of texts answers. */
interface Found {
  owner: RowOwner
  query: RowQuery
  search?: { text: string; way: IndexedSearch; spans?: readonly Date[] | undefined } | undefined
}

/** The rows of a query for leads. */
export async function findLeadRows(db: Db, owner: RowOwner, query: RowQuery): Promise<StoredRow[]> {
  const most = query.offset + query.limit
  const search = await planSearch(db, owner, query, most)
  const all = leadColumns(owner)
  const columns = Object.fromEntries(query.columns.map((name) => [name, all[name as keyof typeof all]]))
  const read = async (found: Found): Promise<StoredRow[]> =>
    await readStoredRows(
      db,
      sql`
      /* planned for its values */ select ${selectAsJson(columns)}
      from (${selectPage(found)}) page join leads l on l.id = page.id
      order by ${orderOf(all, query.order, 'id')}`,
    )
  // All other leads are older than a whole page of the newest spans.
  const spans = search === undefined || !isNewestFirst(query) ? undefined : listSpans(search.way, undefined)
  if (search !== undefined && spans !== undefined) {
    const rows = await read({ owner, query, search: { ...search, spans } })
    if (rows.length === query.limit) return rows
  }
  return await read({ owner, query, search })
}

/** SQL: the ids of all leads of a query, without its limit. */
export async function selectAllLeads(db: Db, owner: RowOwner, query: RowQuery): Promise<RawBuilder<unknown>> {
  const search = await planSearch(db, owner, query, COUNTED)
  return sql.join(listBranches({ owner, query, search }, sql``), sql` union all `)
}

/** A count goes on to the end, so nothing is gained by a walk that would find a few soon. */
const COUNTED = 10_000

function selectPage(found: Found): RawBuilder<unknown> {
  const { owner, query } = found
  const order = orderOf(leadColumns(owner), query.order, 'id')
  const branches = listBranches(found, sql`order by ${order} limit ${query.offset + query.limit}`)
  const places = listOrder(leadColumns(owner), query.order, 'id').map(
    ({ direction }, place) => sql`${sql.ref(`found.${placeOf(place)}`)} ${direction}`,
  )
  return sql`
    select found.id from (${sql.join(branches, sql` union all `)}) found
    order by ${sql.join(places)} limit ${query.limit} offset ${query.offset}`
}

/** Held and owned leads walk an index each; one OR over both would sort all leads of the client. */
function listBranches({ owner, query, search }: Found, end: RawBuilder<unknown>): RawBuilder<unknown>[] {
  const viewer = asViewer(owner)
  const conditions = holdsFor('leads', leadColumns(owner), query)
  // The values of the order go along, so that the branches are merged without reading each lead again.
  const places = listOrder(leadColumns(owner), query.order, 'id').map(
    ({ column }, place) => sql`${column} as ${sql.id(placeOf(place))}`,
  )
  const branch = (from: RawBuilder<unknown>, whose: RawBuilder<unknown>) =>
    sql`(select l.id, ${sql.join(places)} from ${from} where ${whose} and ${conditions} ${end})`
  if (search !== undefined) {
    const { text, way, spans } = search
    const among = spans === undefined ? sql`true` : cameWithin(spans)
    const indexed = sql`(select * from leads l where ${matchesLead(text, way.pieces)} and ${among} offset 0) l`
    return [branch(indexed, isOwned.leads(owner))]
  }
  // The leads of one person have an index of their own.
  if (owner.member_user_id !== undefined) return [branch(sql`leads l`, isOwned.leads(owner))]
  const isPlain = isByTime(query.order)
  return [
    branch(sql`leads l`, sql`l.assigned_to = ${owner.account_id}`),
    branch(isPlain ? sql`leads l` : walkOwned(viewer), isOwnedAlone(viewer, sql`l`)),
  ]
}

const placeOf = (place: number): string => `place_${place}`

async function planSearch(
  db: Db,
  owner: RowOwner,
  { where }: RowQuery,
  most: number,
): Promise<Found['search']> {
  const text = where.map(searchedText).find((found) => found !== undefined)
  if (text === undefined) return undefined
  const way = await chooseWay(db, asViewer(owner), text, Math.max(1, Math.min(most, COUNTED)))
  return way === 'walk' ? undefined : { text, way }
}

function isNewestFirst({ order, offset }: RowQuery): boolean {
  return isByTime(order) && (order[0]?.isDescending ?? true) && offset === 0
}

/**
 * The text that a matching lead's name, e-mail or phone must contain, if a condition says so: it is one of them, or
 * contains it (docs/product.md §2: the search box).
 */
export function searchedText(condition: RowCondition): string | undefined {
  if (condition.kind === 'or') {
    const texts = new Set(condition.of.map(searchedText))
    return texts.size === 1 ? [...texts][0] : undefined
  }
  if (condition.kind !== 'compare' || !SEARCHED.has(condition.column)) return undefined
  const text = containedText(condition)
  if (text === undefined || text.trim().length < 2) return undefined
  // The name that is shown instead of a returned lead's own is not in the index.
  return RETURNED_LEAD_NAME.toLowerCase().includes(text.toLowerCase()) ? undefined : text
}

const SEARCHED: ReadonlySet<string> = new Set(['name', 'email', 'phone'])

function containedText({ operator, value }: RowCondition & { kind: 'compare' }): string | undefined {
  if (operator === 'eq') return value
  if (operator !== 'like' && operator !== 'ilike') return undefined
  return /^[%*]?([^%*_\\]+)[%*]?$/.exec(value)?.[1]
}
