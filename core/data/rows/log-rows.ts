import { sql, type RawBuilder } from 'kysely'
import { DELIVERABLE_EVENTS } from '#core/contract/events.ts'
import type { Db } from '../database.ts'
import { ATTEMPT_ENDS, isOther } from '../webhooks/logs/log-order.ts'
import type { KeptSpan } from '../webhooks/logs/log-filter.ts'
import { nearSpan } from '../webhooks/logs/near-span.ts'
import { storedLeadIds } from '../webhooks/logs/told-lead.ts'
import { holdsFor, isByTime, orderOf } from './condition-sql.ts'
import { ATTEMPT_ROW, CANCELLED_ROW, embeddedLeadColumns, lookUpEnd, WAITING_ROW } from './row-columns.ts'
import { isOwned, type RowOwner } from './row-owner.ts'
import type { RowQuery } from './row-query.ts'
import { asJsonObject, readStoredRows, selectAsJson, type StoredRow } from './select-rows.ts'

interface Asked {
  owner: RowOwner
  query: RowQuery
  /** the configurations whose log is read */
  configs: readonly string[]
  /** the stored ids of the few leads that the query names; undefined if it names none, or many */
  leads: readonly string[] | undefined
  kept: KeptSpan
}

type Columns = Readonly<Record<string, RawBuilder<unknown>>>
/** The columns of the united rows `r`. */
const UNITED: Columns = Object.fromEntries(
  Object.keys(ATTEMPT_ROW).map((name) => [name, sql.ref(`r.${name}`)]),
)

/**
 * The rows of a query for the log: attempts, deliveries that wait for their first, and cancelled deliveries, of
 * webhooks that still exist.
 */
export async function findLogRows(
  db: Db,
  owner: RowOwner,
  query: RowQuery,
  kept: KeptSpan,
): Promise<StoredRow[]> {
  const asked = await prepare(db, owner, query, kept)
  if (asked.configs.length === 0) return []
  const near = isNewestFirst(query) ? nearSpan(asked.kept) : undefined
  if (near !== undefined) {
    const rows = await readPage(db, { ...asked, kept: near })
    // Older attempts never come before those of these weeks.
    if (rows.length === query.limit) return rows
  }
  return await readPage(db, asked)
}

/** SQL: the ids of all rows of a query, without its limit. */
export async function selectAllLogs(
  db: Db,
  owner: RowOwner,
  query: RowQuery,
  kept: KeptSpan,
): Promise<RawBuilder<unknown>> {
  const asked = await prepare(db, owner, query, kept)
  return unite({ ...asked, query: { ...query, order: [] } }, { isWhole: true })
}

async function prepare(db: Db, owner: RowOwner, query: RowQuery, kept: KeptSpan): Promise<Asked> {
  const named = namedIds(query, 'lead_id')
  return {
    owner,
    query,
    configs: await listConfigs(db, owner, query),
    leads: named === undefined || named.size >= MANY ? undefined : await storedLeadIds(db, [...named]),
    kept: narrow(query, kept),
  }
}

async function readPage(db: Db, asked: Asked): Promise<StoredRow[]> {
  const { owner, query } = asked
  const order = orderOf(UNITED, query.order, 'id')
  const columns = Object.fromEntries(query.columns.map((name) => [name, sql.ref(`r.${name}`)]))
  return await readStoredRows(
    db,
    sql`
    /* planned for its values */ select ${selectAsJson(columns, embedLead(owner, query.lead))}
    from (select * from (${unite(asked, { isWhole: false })}) r order by ${order}
      limit ${query.limit} offset ${query.offset}) r ${query.lead === undefined ? sql`` : sql`left join leads l on l.id = r.lead_id cross join ${lookUpEnd(owner)}`}
    order by ${order}`,
  )
}

/** SQL: the lead of the row `r` as the text of a JSON object; none if it is not asked for. */
function embedLead(owner: RowOwner, names: readonly string[] | undefined): RawBuilder<unknown>[] {
  if (names === undefined) return []
  const all: Columns = embeddedLeadColumns(owner)
  const columns = Object.fromEntries(names.map((name) => [name, all[name] ?? sql`null`]))
  return [sql`case when l.id is not null then ${asJsonObject(columns)}::text end as leads`]
}

/** The three kinds of rows; each stops after a page if it can be read in the order of the query. */
function unite(
  { owner, query, configs, leads, kept }: Asked,
  { isWhole }: { isWhole: boolean },
): RawBuilder<unknown> {
  const ends = (columns: Columns): RawBuilder<unknown> =>
    isWhole ? sql`` : sql`order by ${orderOf(columns, query.order, 'id')} limit ${query.offset + query.limit}`
  const select = (
    columns: Columns,
    from: RawBuilder<unknown>,
    which: RawBuilder<unknown>,
    end = ends(columns),
  ) => sql`
    (select ${sql.join(Object.entries(columns).map(([name, column]) => sql`${column} as ${sql.id(name)}`))}
    from ${from} where ${which} and ${holdsFor('webhook_delivery_logs', columns, query)} ${end})`
  const isKept = sql`g.created_at >= ${kept.since} and g.created_at < ${kept.until}`
  // The query's own condition looks at the shown id, which no index has.
  const ofLeads = (alias: 'g' | 'd') =>
    leads === undefined ? sql`true` : sql`${sql.ref(`${alias}.lead_id`)} = any(${[...leads]}::uuid[])`
  const ofOwner = (alias: 'g' | 'd') =>
    sql`${isOwned.webhook_delivery_logs(owner, alias)} and ${ofLeads(alias)}`
  const ofConfigs = sql`d.webhook_config_id = any(${[...configs]}::uuid[]) and ${ofOwner('d')}`
  const attempts =
    isWhole || !isByTime(query.order) || namesFew(query)
      ? [
          select(
            ATTEMPT_ROW,
            sql`webhook_delivery_logs g`,
            sql`g.webhook_config_id = any(${[...configs]}::uuid[]) and ${isKept} and ${ofOwner('g')}`,
          ),
        ]
      : listWalks().map((walk) => {
          const walked = select(
            ATTEMPT_ROW,
            sql`webhook_delivery_logs g`,
            sql`g.webhook_config_id = config.id and ${walk} and ${isKept} and ${ofOwner('g')}`,
            sql`order by ${alongIndex(query)} limit ${query.offset + query.limit}`,
          )
          return sql`select walked.* from unnest(${[...configs]}::uuid[]) as config (id) cross join lateral ${walked} walked`
        })
  return sql`
    ${sql.join(attempts, sql` union all `)} union all ${select(
      WAITING_ROW,
      sql`webhook_deliveries d`,
      sql`${ofConfigs} and d.state in ('pending', 'held') and d.attempt = 0`,
    )} union all ${select(CANCELLED_ROW, sql`webhook_deliveries d`, sql`${ofConfigs} and d.state = 'cancelled'`)}`
}

/** SQL: the conditions by which the indexes of the log are ordered: for each kind, for each outcome, for all others. */
function listWalks(): RawBuilder<unknown>[] {
  const walks = DELIVERABLE_EVENTS.flatMap((kind) =>
    ATTEMPT_ENDS.map((end) => sql`g.event_type = ${kind} and g.delivery_status = ${sql.lit(end)}`),
  )
  return [...walks, isOther('g')]
}

/** SQL: the order of those indexes, or its reverse (core/data/webhooks/logs/log-order.ts). */
function alongIndex({ order }: RowQuery): RawBuilder<unknown> {
  return (order[0]?.isDescending ?? true)
    ? sql`g.created_at desc nulls last, g.id desc nulls last`
    : sql`g.created_at asc nulls first, g.id asc nulls first`
}

function isNewestFirst({ order, offset }: RowQuery): boolean {
  return isByTime(order) && (order[0]?.isDescending ?? true) && offset === 0
}

/** The webhooks of the owner whose log a query may name; an agent also sees shared ones. */
async function listConfigs(
  db: Db,
  { account_id, member_user_id: member }: RowOwner,
  query: RowQuery,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from client_webhook_configs c where c.client_user_id = ${account_id}
      and (${member ?? null}::uuid is null or coalesce(c.member_user_id, ${member ?? null}::uuid) = ${member ?? null}::uuid)`.execute(
    db,
  )
  const named = namedIds(query, 'webhook_config_id')
  const ids = rows.map(({ id }) => id)
  return named === undefined ? ids : ids.filter((id) => named.has(id))
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The ids that a column must be one of; undefined if the query names none, or one in a form that only PostgreSQL reads. */
function namedIds({ where }: RowQuery, column: string): ReadonlySet<string> | undefined {
  for (const one of where) {
    if (one.kind !== 'in' && (one.kind !== 'compare' || one.operator !== 'eq')) continue
    if (one.column !== column) continue
    const ids = (one.kind === 'in' ? one.values : [one.value]).map((id) => id.toLowerCase())
    if (ids.every((id) => UUID.test(id))) return new Set(ids)
  }
  return undefined
}

/** Whether the attempts are found by their ids or their leads: then they are few, and sorted. */
function namesFew(query: RowQuery): boolean {
  return ['id', 'lead_id'].some((column) => (namedIds(query, column)?.size ?? MANY) < MANY)
}

const MANY = 100

/** An attempt's id holds the time of its row, or one shortly after it (core/data/webhooks/logs/find-attempt.ts). */
const BEFORE_MS = 300_000
const AFTER_MS = 2_000
const IS_TIMED = /^.{14}7/

/** Opens only the weeks in which attempts with the named ids can be. */
function narrow(query: RowQuery, kept: KeptSpan): KeptSpan {
  const named = [...(namedIds(query, 'id') ?? [])]
  if (named.length === 0 || !named.every((id) => IS_TIMED.test(id))) return kept
  const times = named.map((id) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
  const since = Math.max(kept.since.getTime(), Math.min(...times) - BEFORE_MS)
  const until = Math.min(kept.until.getTime(), Math.max(...times) + AFTER_MS)
  return { since: new Date(since), until: new Date(until) }
}
