import { sql, type RawBuilder } from 'kysely'
import type { LogStatus } from '#core/contract/webhooks/delivery.ts'
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
import { logConditions, resolveSearch, type LogFilter } from './log-filter.ts'
import type { PagePosition } from '#core/data/page.ts'

/**
 * A page of attempts, newest first, one row more than `limit` where there is more. A delivery that waits for its first
 * attempt is one `pending` row under its own id (docs/contract.md §4), and so is one that was cancelled, at the time of that.
 */
export async function listDeliveryLogs(
  db: Db,
  filter: LogFilter,
  page: { limit: number; after: PagePosition | undefined },
): Promise<LogRow[]> {
  const search = await resolveSearch(db, filter)
  const only = (...statuses: LogStatus[]): RawBuilder<unknown> =>
    filter.status === undefined || statuses.includes(filter.status) ? sql`true` : sql`false`
  const newest = sql`order by created_at desc, id desc limit ${page.limit + 1}`
  // The status as a literal: a kept plan for any status could not use the index of failures.
  // An attempt is delivered or failed: for what waits or was stopped its table need not be read.
  const attempted = search.attempts.map(
    (found) => sql`
    (select ${ATTEMPT_COLUMNS} from webhook_delivery_logs g
    where ${logConditions('g', 'created_at', filter, page.after)} and ${found} and ${only('delivered', 'failed')}
      and ${filter.status === undefined ? sql`true` : sql`g.delivery_status = ${sql.lit(filter.status)}`}
    order by g.created_at desc, g.id desc limit ${page.limit + 1})`,
  )
  const waiting = sql`
    select ${WAITING_COLUMNS} from webhook_deliveries d
    where ${logConditions('d', 'created_at', filter, page.after)} and ${search.deliveries}
      and d.state in ('pending', 'held') and d.attempt = 0 and ${only('pending')}
    order by d.created_at desc, d.id desc limit ${page.limit + 1}`
  const cancelled = sql`
    select ${CANCELLED_COLUMNS} from webhook_deliveries d
    where ${logConditions('d', 'finished_at', filter, page.after)} and ${search.deliveries}
      and d.state = 'cancelled' and ${only('cancelled')}
    order by d.finished_at desc, d.id desc limit ${page.limit + 1}`
  const { rows } = await sql<JoinedRow>`
    select r.*, ${JOINED_COLUMNS}
    from (
      -- One attempt may be found both by its lead and by its error.
      select * from ((${sql.join(attempted, sql` union `)}) union all (${waiting}) union all (${cancelled})) found
      ${newest}
    ) r ${JOINS}
    order by r.created_at desc, r.id desc
  `.execute(db)
  return rows.map(describeLogRow)
}

/** Where counting stops: an index-only scan of so many entries takes milliseconds. */
export const COUNT_LIMIT = 10_000

/** How many rows the whole log of a configuration has, up to {@link COUNT_LIMIT}, and how many deliveries wait. */
export async function countDeliveryLogs(
  db: Db,
  client: string,
  webhookConfigId: string,
): Promise<{ logs: number; waiting: number }> {
  const { rows } = await sql<{ logs: number; waiting: number }>`
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
    ) as waiting
  `.execute(db)
  return rows[0] ?? { logs: 0, waiting: 0 }
}
