import { sql, type RawBuilder } from 'kysely'
import { DELIVERABLE_EVENTS } from '#core/contract/events.ts'
import type { Db } from '#core/data/database.ts'
import {
  ATTEMPT_COLUMNS,
  CANCELLED_COLUMNS,
  describeLogRow,
  JOINED_COLUMNS,
  JOINS,
  WAITING_COLUMNS,
  type JoinedRow,
  type LogRow,
} from './delivery-log-rows.ts'
import {
  logConditions,
  resolveSearch,
  type FoundAttempts,
  type LogFilter,
  type LogSearch,
} from './log-filter.ts'
import { ATTEMPT_ENDS, isOther, newestFirst } from './log-order.ts'
import { askedSpan, nearSpan } from './near-span.ts'
import type { PagePosition } from '#core/data/page.ts'

/**
 * A page of attempts, newest first, with one row more than `limit` if there are more. A delivery that waits for its
 * first attempt is one `pending` row under its own id (docs/contract.md §4), and a cancelled delivery is one at the
 * time of its cancellation.
 *
 * The newest weeks are read first: they fill a page of nearly every busy log, however large it is. When a cached plan
 * starts, PostgreSQL excludes the other weeks by the values.
 */
export async function listDeliveryLogs(db: Db, filter: LogFilter, page: LogPage): Promise<LogRow[]> {
  const search = await resolveSearch(db, filter)
  const span = askedSpan(filter, page.after)
  const near = span === undefined || !isMany(filter) ? undefined : nearSpan(span)
  if (near !== undefined) {
    const rows = await listWithin(db, { ...filter, kept: near }, page, search)
    const last = rows[page.limit]
    // Older attempts never come before those of these weeks.
    if (last !== undefined && last.created_at >= near.since) return rows.map(describeLogRow)
  }
  const rows = await listWithin(db, { ...filter, kept: span }, page, search)
  return rows.map(describeLogRow)
}

interface LogPage {
  limit: number
  after: PagePosition | undefined
}

/**
 * Whether a filter may match thousands of attempts a week: not for those of a lead, nor for the results of a search.
 */
function isMany({ lead_id, search, status }: LogFilter): boolean {
  return lead_id === undefined && search === undefined && status !== 'pending' && status !== 'cancelled'
}

async function listWithin(db: Db, filter: LogFilter, page: LogPage, search: LogSearch): Promise<JoinedRow[]> {
  const { status } = filter
  const newest = sql`order by created_at desc, id desc limit ${page.limit + 1}`
  const parts: RawBuilder<unknown>[] = []
  // An attempt is delivered or failed: for waiting or cancelled deliveries its table need not be read.
  if (status !== 'pending' && status !== 'cancelled') {
    // One attempt may be found both by its lead and by its error.
    const attempts = search.attempts.map((found) => sql`(${selectAttempts(filter, found, page)})`)
    parts.push(sql`(${sql.join(attempts, sql` union `)})`)
  }
  if (status === undefined || status === 'pending') {
    parts.push(sql`(
      select ${WAITING_COLUMNS} from webhook_deliveries d
      where ${logConditions('d', 'created_at', filter, page.after)} and ${search.deliveries}
        and d.state in ('pending', 'held') and d.attempt = 0
      order by d.created_at desc, d.id desc limit ${page.limit + 1})`)
  }
  if (status === undefined || status === 'cancelled') {
    parts.push(sql`(
      select ${CANCELLED_COLUMNS} from webhook_deliveries d
      where ${logConditions('d', 'finished_at', filter, page.after)} and ${search.deliveries}
        and d.state = 'cancelled'
      order by d.finished_at desc, d.id desc limit ${page.limit + 1})`)
  }
  const { rows } = await sql<JoinedRow>`
    select r.*, ${JOINED_COLUMNS}
    from (select * from (${sql.join(parts, sql` union all `)}) found ${newest}) r ${JOINS}
    order by r.created_at desc, r.id desc
  `.execute(db)
  return rows
}

/** The newest attempts that one kind of look-up finds for a filter. */
function selectAttempts(filter: LogFilter, found: FoundAttempts, page: LogPage): RawBuilder<unknown> {
  const { status, kept = { since: '-infinity', until: 'infinity' } } = filter
  const most = page.limit + 1
  const select = (from: RawBuilder<unknown>, condition = sql`true`): RawBuilder<unknown> => sql`
    (select ${ATTEMPT_COLUMNS} from ${from} g
    where ${logConditions('g', 'created_at', filter, page.after)} and ${found.condition} and ${condition}
    order by ${newestFirst('g')} limit ${most})`
  const isOfStatus = status === undefined ? sql`true` : sql`g.delivery_status = ${status}`
  switch (found.by) {
    case 'lead':
      return select(sql`attempts_of_leads(${found.leads}, ${kept.since}, ${kept.until})`, isOfStatus)
    case 'error': {
      const { at, id } = page.after ?? { at: null, id: null }
      return select(
        sql`failed_attempts(${found.webhookConfigId}, ${kindsOf(filter)}, ${found.pattern}, ${kept.since}, ${kept.until}, ${at}, ${id}, ${most})`,
        isOfStatus,
      )
    }
    case 'time': {
      // The indexes are ordered for each kind, for each outcome, and for all others.
      const walks = kindsOf(filter).flatMap((kind) =>
        (status === undefined ? ATTEMPT_ENDS : [status]).map(
          (end) => sql`g.event_type = ${kind} and g.delivery_status = ${sql.lit(end)}`,
        ),
      )
      walks.push(sql`${isOther('g')} and ${isOfStatus}`)
      return sql.join(
        walks.map((walk) => select(sql`webhook_delivery_logs`, walk)),
        sql` union all `,
      )
    }
  }
}

/** The kinds that have an index of their own; the others share one. */
function kindsOf({ event_type }: LogFilter): readonly string[] {
  return DELIVERABLE_EVENTS.filter((kind) => event_type === undefined || kind === event_type)
}

/** Limit of counting: an index-only scan of this many entries takes milliseconds. */
export const COUNT_LIMIT = 10_000

/**
 * Number of rows in the whole log of a configuration, up to {@link COUNT_LIMIT}, number of waiting deliveries, and
 * whether any attempt has failed. Of the waiting deliveries only the oldest are read.
 */
export async function countDeliveryLogs(
  db: Db,
  client: string,
  webhookConfigId: string,
): Promise<{ logs: number; waiting: number; has_failed: boolean }> {
  const { rows } = await sql<{ logs: number; waiting: number; has_failed: boolean }>`
    select (
      select count(*)::int from (
        (select 1 from webhook_delivery_logs where webhook_config_id = ${webhookConfigId} limit ${COUNT_LIMIT})
        union all
        (select 1 from webhook_deliveries
          where webhook_config_id = ${webhookConfigId} and state in ('pending', 'held') and attempt = 0
          limit ${COUNT_LIMIT})
        union all
        (select 1 from webhook_deliveries
          where webhook_config_id = ${webhookConfigId} and state = 'cancelled' limit ${COUNT_LIMIT})
        limit ${COUNT_LIMIT}
      ) logs
    ) as logs, (
      select count(*)::int from (
        select 1 from webhook_deliveries
        where webhook_config_id = ${webhookConfigId} and client_user_id = ${client} and state in ('pending', 'held')
        limit ${COUNT_LIMIT}
      ) waiting
    ) as waiting, (
      exists (select from webhook_deliveries where webhook_config_id = ${webhookConfigId} and state = 'failed')
      or exists (select from (
        select attempt from webhook_deliveries
        where webhook_config_id = ${webhookConfigId} and state in ('pending', 'held')
        order by created_at limit ${COUNT_LIMIT}
      ) oldest where attempt > 0)
    ) as has_failed
  `.execute(db)
  return rows[0] ?? { logs: 0, waiting: 0, has_failed: false }
}
