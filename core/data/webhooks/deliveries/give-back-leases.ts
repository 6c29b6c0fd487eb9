import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'

/** Rest before a failed delivery is tried again: half a second, twice as long after each failure of its own, ±50 %. */
const REST_SECONDS = 0.5
const LONGEST_REST_SECONDS = 5

/** A lease under which nothing was sent. */
export interface UnusedLease {
  delivery_id: string
  lease_token: string
  /** whether the failure was the delivery's own: every sender would fail in the same way */
  counts: boolean
  /**
   * the next opening, if its configuration has sending hours, by the version that was claimed; null means as soon as
   * there is a slot
   */
  until: { opensAt: Date; webhook_config_id: string; config_version: string } | null
}

/**
 * - `free`: any worker may claim it, after its rest.
 * - `spent`: it has failed by itself `most` times; the lease is kept, so that the caller can end the delivery under it.
 * - `lost`: another sender had the lease, or the delivery has ended.
 */
export type LeaseReturn = 'free' | 'spent' | 'lost'

/** Gives a batch of leases back together. Returns the results in the given order. */
export async function giveBackLeases(
  db: Db,
  leases: readonly UnusedLease[],
  most: number,
): Promise<LeaseReturn[]> {
  const waiting = leases.flatMap(({ until }) => until ?? [])
  if (waiting.length === 0) return await giveBack(db, leases, [], most)
  return await db.transaction().execute(async (trx) => {
    // A change of the hours waits until this is committed, and examines it again (server/webhooks/retime-waiting.ts).
    const { rows } = await sql<{ id: string; version: string }>`
      select id, xmin::text as version from client_webhook_configs
      where id = any(${waiting.map((until) => until.webhook_config_id)}::uuid[]) order by id for key share`.execute(
      trx,
    )
    const versions = new Map(rows.map(({ id, version }) => [id, version]))
    const opening = leases.map(({ until }) =>
      until !== null && versions.get(until.webhook_config_id) === until.config_version ? until.opensAt : null,
    )
    return await giveBack(trx, leases, opening, most)
  })
}

/** @param opening the due time of each lease's delivery; null leaves it unchanged */
async function giveBack(
  db: Db,
  leases: readonly UnusedLease[],
  opening: readonly (Date | null)[],
  most: number,
): Promise<LeaseReturn[]> {
  const { rows } = await sql<{ token: string; is_spent: boolean }>`
    with given as (
      select d.id, t.token, t.counts, t.until, t.counts and d.own_failures + 1 >= ${most} as is_spent
      from unnest(
        ${leases.map((lease) => lease.delivery_id)}::uuid[], ${leases.map((lease) => lease.lease_token)}::uuid[],
        ${leases.map((lease) => lease.counts)}::boolean[], ${leases.map((_lease, at) => opening[at] ?? null)}::timestamptz[]
      ) as t (delivery_id, token, counts, until)
      join webhook_deliveries d on d.id = t.delivery_id and d.lease_token = t.token
      order by d.id for update of d
    )
    update webhook_deliveries d
    set next_attempt_at = coalesce(g.until, d.next_attempt_at),
      own_failures = d.own_failures + case when g.counts then 1 else 0 end,
      lease_token = case when g.is_spent then d.lease_token end,
      lease_until = case when g.is_spent then d.lease_until else now() + make_interval(secs => least(${LONGEST_REST_SECONDS},
        ${REST_SECONDS} * power(2, case when g.counts then d.own_failures else 0 end)) * (0.5 + random())) end
    from given g where d.id = g.id
    returning g.token, g.is_spent
  `.execute(db)
  const spent = new Map(rows.map((row) => [row.token, row.is_spent]))
  return leases.map(({ lease_token: token }) => {
    const isSpent = spent.get(token)
    return isSpent === undefined ? 'lost' : isSpent ? 'spent' : 'free'
  })
}
