import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'
import type { ErrorClass } from '#core/contract/webhooks/delivery.ts'

/** Leases in a row that ran out with nothing recorded, after which a delivery is sent alone (docs/contract.md §5). */
const ALONE_AFTER = 2
/** The same count, with each end of a process that sent the delivery alone, at which it is set aside. */
const SET_ASIDE_AT = ALONE_AFTER + 2
/** Seconds of rest for a delivery whose process has ended, and of lease for the caller who sets it aside. */
const REST_SECONDS = 5
const SET_ASIDE_WITHIN_SECONDS = 30

/** Why a delivery that ended its processes has failed. */
export const SENDER_CRASHED = 'sender_crashed' satisfies ErrorClass

/** SQL on `d`, whose lease nobody holds: leases that ran out with nothing recorded, the last one included. */
const LOST_SO_FAR = sql`d.lost_leases + case when d.lease_token is null then 0 else 1 end`

/** SQL on `d`, whose lease nobody holds: it is to be sent alone. */
export const IS_SENT_ALONE = sql`${LOST_SO_FAR} >= ${sql.lit(ALONE_AFTER)}`

/** SQL on `d`: what a claim leaves in `lost_leases`. Once a delivery is sent alone, only the end of its own process counts. */
export const LOST_WHEN_CLAIMED = sql`least(${LOST_SO_FAR}, greatest(d.lost_leases, ${sql.lit(ALONE_AFTER)}))`

/** SQL on `d`, a delivery that failed: what its resend begins with, so that it is sent alone from the first attempt on. */
export const LOST_WHEN_RESENT = sql`case when d.failure_class = ${sql.lit(SENDER_CRASHED)} then ${sql.lit(ALONE_AFTER)} else 0 end`

/**
 * The endpoint of a delivery that is due and to be sent alone: the one that waits longest, of a client who has none under way where there
 * is one.
 * @param busy clients who have something under way that is sent alone
 */
export async function findDueAlone(
  db: Db,
  busy: readonly string[],
): Promise<{ webhook_config_id: string; client_user_id: string } | undefined> {
  const { rows } = await sql<{ webhook_config_id: string; client_user_id: string }>`
    select d.webhook_config_id, d.client_user_id from webhook_deliveries d
    where d.state = 'pending' and d.lost_leases > 0 and ${IS_SENT_ALONE}
      and d.next_attempt_at <= now() and (d.lease_until is null or d.lease_until < now())
    order by d.client_user_id = any(${[...busy]}::uuid[]), d.next_attempt_at limit 1
  `.execute(db)
  return rows[0]
}

/**
 * Notes that the process which sent this delivery alone has ended with it.
 * @returns `free`: it is tried once more, after a rest; `set_aside`: the caller keeps the lease to end the delivery under it; `lost`: the
 *   delivery is somebody else's by now, or over
 */
export async function noteCrash(
  db: Db,
  { delivery_id, lease_token }: { delivery_id: string; lease_token: string },
): Promise<'free' | 'set_aside' | 'lost'> {
  const { rows } = await sql<{ is_set_aside: boolean }>`
    update webhook_deliveries d
    set lost_leases = d.lost_leases + 1,
      lease_token = case when d.lost_leases + 1 >= ${SET_ASIDE_AT} then d.lease_token end,
      lease_until = now() + make_interval(secs =>
        case when d.lost_leases + 1 >= ${SET_ASIDE_AT} then ${SET_ASIDE_WITHIN_SECONDS}::float8 else ${REST_SECONDS}::float8 end)
    where d.id = ${delivery_id} and d.lease_token = ${lease_token}
    returning d.lost_leases >= ${SET_ASIDE_AT} as is_set_aside
  `.execute(db)
  const [row] = rows
  if (row === undefined) return 'lost'
  return row.is_set_aside ? 'set_aside' : 'free'
}
