import { sql, type Kysely, type RawBuilder } from 'kysely'
import { COMPLETED_SECONDS, QUEUE_COUNTED, type QueueState } from '#core/contract/operations/queues.ts'
import type { ErrorClass } from '#core/contract/webhooks/delivery.ts'
import { clientName } from '../accounts/named-client.ts'
import type { Db } from '../database.ts'
import { inOrder } from '../in-order.ts'
import type { Database } from '../schema/tables.ts'
import { deliverySpan } from '../webhooks/logs/delivery-span.ts'
import { leadOf } from '../webhooks/logs/told-lead.ts'
import { IS_DEAD } from './dead-letters.ts'

/** A delivery as a job of the queue dashboard. It has ids of its lead, and nothing of the person. */
export interface BoardDelivery {
  id: string
  /** null: it is in no queue, because it was cancelled, or failed and was sent again */
  queue_state: QueueState | null
  event_type: string
  /** null: an event that has no lead */
  lead_id: string | null
  client_user_id: string
  client_name: string
  webhook_config_id: string
  webhook_name: string
  endpoint_url: string
  is_active: boolean
  /** whether administrators have paused all sending to its client */
  is_paused: boolean
  breaker: 'closed' | 'open'
  sending_hours: unknown
  state: 'pending' | 'held' | 'delivered' | 'failed' | 'cancelled'
  /** attempts that were made */
  attempt: number
  /** why the last attempt failed */
  error_class: ErrorClass | null
  created_at: Date
  next_attempt_at: Date | null
  lease_until: Date | null
  offered_until: Date | null
  finished_at: Date | null
}

/** A part of one queue. */
export interface BoardPage {
  state: QueueState
  /** only deliveries of these webhooks; undefined: of all */
  webhooks: readonly string[] | undefined
  /** position of the first, from 0 */
  start: number
  limit: number
}

const IS_LEASED = sql`coalesce(d.lease_until > now(), false)`

/**
 * A page of deliveries in one state: those that wait longest or are planned next come first, then those that are held;
 * failed and delivered ones begin with the newest. The order is that of an index, and pages end where counting does.
 */
export async function listBoardDeliveries(db: Kysely<Database>, page: BoardPage): Promise<BoardDelivery[]> {
  const { start, limit } = page
  if (limit <= 0 || start >= QUEUE_COUNTED) return []
  const { rows } = await inOrder(
    db,
    (trx) =>
      sql<{ id: string }>`select id from (${selectIds(page)}) found offset ${start} limit ${limit}`.execute(
        trx,
      ),
    'beginning',
  )
  const ids = rows.map(({ id }) => id)
  const found = new Map((await describe(db, ids)).map((delivery) => [delivery.id, delivery]))
  // The state of one may have changed since; it is shown as it was listed.
  return ids.flatMap((id) => {
    const delivery = found.get(id)
    return delivery === undefined ? [] : [{ ...delivery, queue_state: page.state }]
  })
}

function selectIds({ state, webhooks, start, limit }: BoardPage): RawBuilder<unknown> {
  const of = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
    webhooks === undefined ? sql`true` : sql`${column} = any(${[...webhooks]}::uuid[])`
  const upTo = start + limit
  const mine = of(sql`d.webhook_config_id`)
  switch (state) {
    case 'waiting':
    case 'active':
      return sql`
        select d.id from webhook_deliveries d
        where d.state = 'pending' and d.next_attempt_at <= now() and ${IS_LEASED} = ${state === 'active'} and ${mine}
        order by d.next_attempt_at, d.id limit ${upTo}`
    case 'delayed':
      return sql`
        (select d.id from webhook_deliveries d where d.state = 'pending' and d.next_attempt_at > now() and ${mine}
          order by d.next_attempt_at, d.id limit ${upTo})
        union all
        (select d.id from webhook_deliveries d where d.state = 'held' and ${mine}
          order by d.webhook_config_id, d.created_at limit ${upTo})`
    case 'failed':
      return sql`
        select d.id from webhook_deliveries d where ${IS_DEAD} and ${mine}
        order by d.finished_at desc, d.id desc limit ${upTo}`
    case 'completed':
      return sql`
        select g.delivery_id as id from webhook_delivery_logs g
        where g.created_at > now() - make_interval(secs => ${COMPLETED_SECONDS}) and g.delivery_status = 'delivered'
          and ${of(sql`g.webhook_config_id`)}
        order by g.created_at desc, g.id desc limit ${upTo}`
  }
}

/** One delivery in any state. */
export async function findBoardDelivery(db: Db, id: string): Promise<BoardDelivery | undefined> {
  const [delivery] = await describe(db, [id])
  return delivery
}

async function describe(db: Db, ids: readonly string[]): Promise<BoardDelivery[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<BoardDelivery>`
    select d.id, d.event_type, ${leadOf('d')} as lead_id, d.client_user_id,
      ${clientName('p')} as client_name,
      d.webhook_config_id, c.webhook_name, c.endpoint_url, c.is_active,
      c.sending_pause_reason is not null as is_paused, coalesce(h.breaker, 'closed') as breaker, c.sending_hours, d.state, d.attempt, coalesce(d.failure_class, last.error_class) as error_class, d.created_at,
      d.next_attempt_at, d.lease_until, d.offered_until, d.finished_at,
      case when d.state = 'held' then 'delayed'
        when d.state = 'pending' and ${IS_LEASED} then 'active'
        when d.state = 'pending' and d.next_attempt_at > now() then 'delayed'
        when d.state = 'pending' then 'waiting'
        when ${IS_DEAD} then 'failed'
        when d.state = 'delivered' then 'completed' end as queue_state
    from webhook_deliveries d
    join client_webhook_configs c on c.id = d.webhook_config_id
    join profiles p on p.user_id = d.client_user_id
    left join webhook_endpoint_health h on h.webhook_config_id = d.webhook_config_id
    left join lateral (
      select g.error_class from webhook_delivery_logs g
      where d.attempt > 0 and d.state in ('pending', 'held') and g.lead_id = d.lead_id and g.delivery_id = d.id
        and g.attempt_number = d.attempt and g.created_at > d.created_at - interval '1 day'
      order by g.created_at desc limit 1) last on true
    where d.id = any(${[...ids]}::uuid[])
  `.execute(db)
  return rows
}

/** One attempt of a delivery, for the job's log. */
export interface BoardAttempt {
  created_at: Date
  attempt_number: number
  delivery_status: string
  response_status: number | null
  error_class: ErrorClass | null
  processing_time_ms: number | null
  next_attempt_at: Date | null
}

/** The attempts of a delivery, oldest first. */
export async function listBoardAttempts(db: Db, id: string): Promise<BoardAttempt[]> {
  const { rows: deliveries } = await sql<{ lead_id: string; created_at: Date; finished_at: Date | null }>`
    select lead_id, created_at, finished_at from webhook_deliveries where id = ${id}`.execute(db)
  const [delivery] = deliveries
  if (delivery === undefined) return []
  const { since, until } = deliverySpan(deliveries)
  const { rows } = await sql<BoardAttempt>`
    select created_at, attempt_number, delivery_status, response_status, error_class, processing_time_ms, next_attempt_at
    from webhook_delivery_logs
    where lead_id = ${delivery.lead_id} and delivery_id = ${id} and created_at >= ${since} and created_at < ${until}
    order by created_at, id limit 100`.execute(db)
  return rows
}
