import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'
import type { DueDelivery } from '../deliveries/plan-deliveries.ts'

/**
 * Among this many that wait longest, the one with the fewest attempts is the probe: a delivery whose payload is refused
 * tells nothing about the endpoint.
 */
const PROBED_OF = 100

/**
 * Lets one held delivery through to each endpoint whose breaker is open and whose probe is due: one of those that wait
 * longest. Another follows only when the outcome of this one is known (core/data/webhooks/health/endpoint-health.ts),
 * or `patienceSeconds` later because its worker died. A delivery that is still on its way to a worker stays the probe,
 * however long that takes.
 */
export async function startProbes(db: Db, patienceSeconds: number): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    with due as (
      select h.webhook_config_id, (
        select d.id from webhook_deliveries d
        where d.id = h.probe_delivery_id and d.state = 'pending' and d.next_attempt_at <= now()
      ) as on_its_way
      from webhook_endpoint_health h join client_webhook_configs c on c.id = h.webhook_config_id
      where h.breaker = 'open' and h.probe_at <= now() and c.is_active and c.sending_pause_reason is null
      for update of h skip locked
    ), next as (
      select due.webhook_config_id, coalesce(due.on_its_way, oldest.id) as id
      from due left join lateral (
        select d.id from (
          select id from webhook_deliveries where webhook_config_id = due.webhook_config_id and state = 'held' and offered_until is null
          order by created_at limit ${PROBED_OF}) first join webhook_deliveries d on d.id = first.id
        where d.state = 'held' order by d.attempt, d.created_at limit 1 for update of d skip locked
      ) oldest on due.on_its_way is null
    ), chosen as (
      update webhook_endpoint_health h
      set probe_delivery_id = next.id, probe_at = now() + make_interval(secs => ${patienceSeconds})
      from next where h.webhook_config_id = next.webhook_config_id and next.id is not null
      returning h.probe_delivery_id
    )
    update webhook_deliveries d set state = 'pending', next_attempt_at = now()
    from chosen where d.id = chosen.probe_delivery_id and d.state = 'held'
    returning d.id as delivery_id, d.webhook_config_id, d.client_user_id, d.attempt + 1 as attempt, 0 as turn
  `.execute(db)
  return rows
}

/** Many at once are a burst: the first 50 have priority 0, the rest follow in rounds. */
const release = (waiting: string) => sql`
    update webhook_deliveries d set state = 'pending', next_attempt_at = now(), turn = w.place / 50
    from (select id, (row_number() over () - 1)::int as place from ${sql.ref(waiting)}) w
    where d.id = w.id
    returning d.id as delivery_id, d.webhook_config_id, d.client_user_id, d.attempt + 1 as attempt, d.turn`

/** More at once would be a burst of their own; the rest follow a moment later. */
const RELEASED_AT_ONCE = 1000

/**
 * Makes held deliveries due again if their endpoint may have them: its breaker has closed, or its configuration was
 * switched on just when a claim held one more. Such a race is over within a moment, so changes older than an hour are
 * not examined. Offered deliveries are never released (core/data/webhooks/deliveries/offered-deliveries.ts).
 */
export async function releaseHeldDeliveries(db: Db): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    with ready as (
      select c.id from client_webhook_configs c
      left join webhook_endpoint_health h on h.webhook_config_id = c.id
      where c.is_active and c.sending_pause_reason is null and coalesce(h.breaker, 'closed') = 'closed'
        and c.updated_at > now() - interval '1 hour'
      union
      select c.id from webhook_endpoint_health h join client_webhook_configs c on c.id = h.webhook_config_id
      where h.releasing_since is not null and c.is_active and c.sending_pause_reason is null
    ), oldest as (
      select d.id from ready cross join lateral (
        select id from webhook_deliveries
        where webhook_config_id = ready.id and state = 'held' and offered_until is null order by created_at limit ${RELEASED_AT_ONCE}) d
      limit ${RELEASED_AT_ONCE}
    ), waiting as (
      select d.id from webhook_deliveries d where d.id in (select id from oldest) and d.state = 'held' and d.offered_until is null
      order by d.id for update skip locked
    )
    ${release('waiting')}
  `.execute(db)
  if (rows.length === 0) await endReleases(db)
  return rows
}

/**
 * Ends releases that have nothing left to release. Each lasts at least a minute, because a claim that still saw the
 * breaker open may hold one more delivery.
 */
async function endReleases(db: Db): Promise<void> {
  await sql`
    update webhook_endpoint_health set releasing_since = null
    where webhook_config_id in (
      select h.webhook_config_id from webhook_endpoint_health h
      where h.releasing_since < now() - interval '1 minute' and not exists (
        select from webhook_deliveries d where d.webhook_config_id = h.webhook_config_id and d.state = 'held' and d.offered_until is null)
      order by h.webhook_config_id for update of h skip locked)
  `.execute(db)
}

/**
 * Releases the held deliveries of a configuration that was changed or switched on, except those that are also offered.
 * The first is due now, the rest in the next seconds ({@link releaseHeldDeliveries}), because an endpoint that was off
 * for days has too many for one statement. If its circuit breaker is open, the endpoint is probed at once instead,
 * because the change may have fixed it. While sending to the client is paused, nothing is released.
 */
export async function releaseHeldOf(db: Db, webhookConfigId: string): Promise<DueDelivery[]> {
  await sql`
    insert into webhook_endpoint_health as h (webhook_config_id, releasing_since)
    select id, now() from client_webhook_configs where id = ${webhookConfigId} for key share
    on conflict (webhook_config_id) do update set
      probe_at = case when h.breaker = 'open' then now() end, probes = 0,
      releasing_since = case when h.breaker = 'closed' then now() end`.execute(db)
  const { rows } = await sql<DueDelivery>`
    with oldest as (
      select id from webhook_deliveries
      where webhook_config_id = ${webhookConfigId} and state = 'held' and offered_until is null and not exists (
        select from webhook_endpoint_health h where h.webhook_config_id = ${webhookConfigId} and h.breaker = 'open')
        and not exists (
          select from client_webhook_configs c where c.id = ${webhookConfigId} and c.sending_pause_reason is not null)
      order by created_at limit ${RELEASED_AT_ONCE}
    ), waiting as (
      select d.id from webhook_deliveries d where d.id in (select id from oldest) and d.state = 'held'
      order by d.id for update
    )
    ${release('waiting')}
  `.execute(db)
  return rows
}
