import { sql, type Kysely, type RawBuilder } from 'kysely'
import { COMPLETED_SECONDS, QUEUE_COUNTED } from '#core/contract/operations/queues.ts'
import type { Database } from '../schema/tables.ts'
import { inOrder } from '../in-order.ts'
import { HELD_BACK } from '../webhooks/deliveries/rate-limits.ts'
import { IS_UNSETTLED } from './dead-letters.ts'

/**
 * The queries below count the deliveries of each webhook, at most one more than QUEUE_COUNTED of each state in all, so
 * that it is known whether there are more. Each reads only rows of its state, by an index that holds no others.
 */
const MOST = sql.lit(QUEUE_COUNTED + 1)
const LATELY = sql`now() - make_interval(secs => ${sql.lit(COMPLETED_SECONDS)})`

/** A webhook, and whose it is. */
interface OfWebhook {
  webhook_config_id: string
  client_user_id: string
}

/** The unfinished deliveries of one webhook by what they wait for. */
export interface UnfinishedTally extends OfWebhook {
  /** due and in nobody's hands */
  waiting: number
  /** when the one that has waited longest became due; null if none waits, or all wait for the endpoint's limit */
  oldest_due: Date | null
  /** leased to a worker */
  active: number
  /** planned for later: a retry, or a first attempt in the webhook's sending hours */
  planned: number
  /** those among `planned` whose last attempt failed */
  retrying: number
  held: number
  /** whether its circuit breaker is open: its endpoint does not answer */
  is_silent: boolean
  endpoint_url: string
}

/** SQL: pending deliveries by the index webhook_deliveries_due. A lease is in no index, so each row is read. */
const pending = (when: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select d.webhook_config_id, d.next_attempt_at, d.attempt > 0 as is_retry, coalesce(d.lease_until > now(), false) as is_leased
  from webhook_deliveries d where d.state = 'pending' and d.next_attempt_at ${when}
  order by d.next_attempt_at, d.id limit ${MOST}`

export async function tallyUnfinished(db: Kysely<Database>): Promise<UnfinishedTally[]> {
  const { rows } = await inOrder(db, (trx) =>
    sql<UnfinishedTally>`
    with due as (
      select webhook_config_id, count(*) filter (where not is_leased)::int as waiting,
        min(next_attempt_at) filter (where not is_leased and webhook_config_id <> all(${HELD_BACK})) as oldest_due, count(*) filter (where is_leased)::int as active
      from (${pending(sql`<= now()`)}) d group by 1
    ), later as (
      select webhook_config_id, count(*)::int as planned, count(*) filter (where is_retry)::int as retrying
      from (${pending(sql`> now()`)}) d group by 1
    ), kept as (
      select webhook_config_id, count(*)::int as held from (
        select d.webhook_config_id from webhook_deliveries d where d.state = 'held'
        order by d.webhook_config_id, d.created_at limit ${MOST}) d group by 1
    )
    select webhook_config_id, c.client_user_id, coalesce(waiting, 0) as waiting, oldest_due, coalesce(active, 0) as active,
      coalesce(planned, 0) as planned, coalesce(retrying, 0) as retrying, coalesce(held, 0) as held,
      coalesce(c.is_active and h.breaker = 'open', false) as is_silent, c.endpoint_url
    from due full join later using (webhook_config_id) full join kept using (webhook_config_id)
      join client_webhook_configs c on c.id = webhook_config_id
      left join webhook_endpoint_health h using (webhook_config_id)
  `.execute(trx),
  )
  return rows
}

/** The dead letters of one webhook. */
export interface DeadTally extends OfWebhook {
  failed: number
  /** those among them that failed in the last hour */
  failed_lately: number
  endpoint_url: string
}

export async function tallyDead(db: Kysely<Database>): Promise<DeadTally[]> {
  const { rows } = await inOrder(db, (trx) =>
    sql<DeadTally>`
    select c.id as webhook_config_id, c.client_user_id, c.endpoint_url, dead.failed, dead.failed_lately
    from (
      select webhook_config_id, count(*)::int as failed, count(*) filter (where finished_at > ${LATELY})::int as failed_lately
      from (
        select d.webhook_config_id, d.finished_at from webhook_deliveries d where ${IS_UNSETTLED}
        order by d.finished_at desc, d.id desc limit ${MOST}) d
      group by 1
    ) dead join client_webhook_configs c on c.id = dead.webhook_config_id
  `.execute(trx),
  )
  return rows
}

/** The deliveries of one webhook that were delivered in the last hour. */
export interface CompletedTally extends OfWebhook {
  completed: number
}

/** By the attempts that were delivered: no index of deliveries has the time of their end. */
export async function tallyCompleted(db: Kysely<Database>): Promise<CompletedTally[]> {
  const { rows } = await inOrder(db, (trx) =>
    sql<CompletedTally>`
    select c.id as webhook_config_id, c.client_user_id, done.completed
    from (
      select webhook_config_id, count(*)::int as completed from (
        select g.webhook_config_id from webhook_delivery_logs g
        where g.created_at > ${LATELY} and g.delivery_status = 'delivered' limit ${MOST}) g
      group by 1
    ) done join client_webhook_configs c on c.id = done.webhook_config_id
  `.execute(trx),
  )
  return rows
}
