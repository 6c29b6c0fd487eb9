import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#core/data/database.ts'
import type { ErrorClass } from '#core/contract/webhooks/delivery.ts'

/**
 * Number of leases in a row that ran out with nothing recorded, after which a delivery is sent alone (docs/contract.md
 * §5).
 */
const ALONE_AFTER = 2
/** The count at which a delivery is set aside: lost leases, plus ends of processes that sent it alone. */
const SET_ASIDE_AT = ALONE_AFTER + 2
/** Seconds of rest for a delivery whose process has ended, and of lease for the caller that sets it aside. */
const REST_SECONDS = 2
const SET_ASIDE_WITHIN_SECONDS = 30

/**
 * Minutes for which all deliveries of a webhook are sent alone after a process ended that sent nothing but one delivery
 * to it.
 */
const WEBHOOK_ALONE_MINUTES = 60

/** The failure class of a delivery that ended its processes. */
export const SENDER_CRASHED = 'sender_crashed' satisfies ErrorClass

/** SQL on `d`, which is not leased: number of leases that ran out with nothing recorded, the last one included. */
const LOST_SO_FAR = sql`d.lost_leases + case when d.lease_token is null then 0 else 1 end`

/** SQL on `d`, which is not leased: it is to be sent alone, whatever its webhook is. */
export const IS_SENT_ALONE = sql`${LOST_SO_FAR} >= ${sql.lit(ALONE_AFTER)}`

/** SQL: everything to this webhook is to be sent alone. */
export const isWebhookAlone = (webhookConfigId: RawBuilder<unknown>): RawBuilder<unknown> => sql`exists (
  select from webhook_endpoint_health h where h.webhook_config_id = ${webhookConfigId} and h.alone_until > now())`

/**
 * SQL on `d`: the value of `lost_leases` after a claim. Once a delivery is sent alone, only the end of its own process
 * counts.
 */
export const LOST_WHEN_CLAIMED = sql`least(${LOST_SO_FAR}, greatest(d.lost_leases, ${sql.lit(ALONE_AFTER)}))`

/**
 * SQL on `d`, a delivery that failed: the value of `lost_leases` for its resend, so that its first attempt is sent
 * alone too.
 */
export const LOST_WHEN_RESENT = sql`case when d.failure_class = ${sql.lit(SENDER_CRASHED)} then ${sql.lit(ALONE_AFTER)} else 0 end`

const IS_DUE = sql`d.next_attempt_at <= now() and (d.lease_until is null or d.lease_until < now())`

/**
 * Finds the endpoint of a due delivery that is to be sent alone: the one that waits longest. Clients that have none
 * under way come first.
 * @param busy clients with a delivery under way that is sent alone
 */
export async function findDueAlone(
  db: Db,
  busy: readonly string[],
): Promise<{ webhook_config_id: string; client_user_id: string } | undefined> {
  const { rows } = await sql<{ webhook_config_id: string; client_user_id: string }>`
    select due.webhook_config_id, due.client_user_id from (
      select d.webhook_config_id, d.client_user_id, d.next_attempt_at from webhook_deliveries d
      where d.state = 'pending' and d.lost_leases > 0 and ${IS_SENT_ALONE} and ${IS_DUE}
      union all
      select first.* from webhook_endpoint_health h cross join lateral (
        select d.webhook_config_id, d.client_user_id, d.next_attempt_at from webhook_deliveries d
        where d.webhook_config_id = h.webhook_config_id and d.state = 'pending' and ${IS_DUE}
        order by d.next_attempt_at limit 1) first
      where h.alone_until > now()
    ) due
    order by due.client_user_id = any(${[...busy]}::uuid[]), due.next_attempt_at limit 1
  `.execute(db)
  return rows[0]
}

/**
 * Notes that the process that sent this delivery alone has ended with it. For a while everything to its webhook is sent
 * alone.
 * @returns `free`: it is tried once more, after a rest; `set_aside`: the caller keeps the lease to end the delivery
 * under it; `lost`: the delivery has another sender by now, or has ended
 */
export async function noteCrash(
  db: Db,
  { delivery_id, lease_token }: { delivery_id: string; lease_token: string },
): Promise<'free' | 'set_aside' | 'lost'> {
  const { rows } = await sql<{ is_set_aside: boolean }>`
    with counted as (
      select d.id, d.webhook_config_id, greatest(d.lost_leases, ${ALONE_AFTER}) + 1 as lost from webhook_deliveries d
      where d.id = ${delivery_id} and d.lease_token = ${lease_token} for update
    ), kept_alone as (
      insert into webhook_endpoint_health as h (webhook_config_id, alone_until)
      select c.id, now() + make_interval(mins => ${WEBHOOK_ALONE_MINUTES})
      from client_webhook_configs c where c.id in (select webhook_config_id from counted) for key share of c
      on conflict (webhook_config_id) do update set alone_until = excluded.alone_until
    )
    update webhook_deliveries d
    set lost_leases = counted.lost,
      lease_token = case when counted.lost >= ${SET_ASIDE_AT} then d.lease_token end,
      lease_until = now() + make_interval(secs =>
        case when counted.lost >= ${SET_ASIDE_AT} then ${SET_ASIDE_WITHIN_SECONDS}::float8 else ${REST_SECONDS}::float8 end)
    from counted where d.id = counted.id
    returning counted.lost >= ${SET_ASIDE_AT} as is_set_aside
  `.execute(db)
  const [row] = rows
  if (row === undefined) return 'lost'
  return row.is_set_aside ? 'set_aside' : 'free'
}
